import * as v from 'valibot';
import { AppError, messageOf } from '../../domain/app-error.ts';
import type { ChangeRequest, QueryVerdict } from './request-text.ts';

const commitId = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'must be a full commit id'));
const optionalText = v.nullish(v.string('must be text'), '');

/** One pull request or issue as a forge exports it (GitHub's REST API), or one line of our own. */
const requestRow = v.looseObject({
  commit: v.nullish(commitId),
  merge_commit_sha: v.nullish(commitId),
  title: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
  body: optionalText,
  source: v.exactOptional(v.picklist(['pull-request', 'issue']), 'pull-request'),
});

const answerRow = v.looseObject({
  commit: commitId,
  verdict: v.picklist(['keep', 'leak', 'meaningless']),
  reason: optionalText,
});

/**
 * Descriptions of pull requests or issues by the commit that merged them: JSON Lines or a JSON array with `title`,
 * `body` and `commit` or GitHub's `merge_commit_sha`; rows without a commit (never merged) are passed over. Errors: `requests-invalid`.
 */
export function readRequests(name: string, content: string): ReadonlyMap<string, ChangeRequest> {
  const requests = new Map<string, ChangeRequest>();
  for (const row of rowsOf(name, content, requestRow)) {
    const commit = row.commit ?? row.merge_commit_sha;
    if (commit)
      requests.set(commit, {
        source: row.source,
        title: row.title.trim(),
        body: (row.body ?? '').replace(/\r/g, '').trim(),
      });
  }
  if (requests.size === 0)
    throw new AppError(
      'construct',
      'requests-invalid',
      `${name} names no commit: "commit" or "merge_commit_sha" is needed.`,
    );
  return requests;
}

/** Verdicts on queries by commit: JSON Lines or a JSON array with `commit`, `verdict` (keep, leak, meaningless), `reason`. */
export function readAnswers(name: string, content: string): ReadonlyMap<string, Omit<QueryVerdict, 'by'>> {
  return new Map(
    rowsOf(name, content, answerRow).map(({ commit, verdict, reason }) => [
      commit,
      { verdict, reason: reason ?? '' },
    ]),
  );
}

function rowsOf<S extends v.GenericSchema>(name: string, content: string, schema: S): v.InferOutput<S>[] {
  const trimmed = content.replace(/^\ufeff/, '').trim();
  const parse = (json: string, where: string): unknown => {
    try {
      return JSON.parse(json);
    } catch (cause) {
      throw new AppError('construct', 'requests-invalid', `${where} is not JSON: ${messageOf(cause)}`, {
        cause,
      });
    }
  };
  const whole = trimmed.startsWith('[') ? parse(trimmed, name) : undefined;
  const rows = Array.isArray(whole)
    ? (whole as unknown[])
    : trimmed
        .split(/\r?\n/)
        .flatMap((line, at) => (line.trim() === '' ? [] : [parse(line, `${name}, line ${at + 1}`)]));
  return rows.map((row, at) => {
    const parsed = v.safeParse(schema, row);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    throw new AppError(
      'construct',
      'requests-invalid',
      `${name}, row ${at + 1}: ${v.getDotPath(issue) ?? 'the row'}: ${issue.message}.`,
    );
  });
}
