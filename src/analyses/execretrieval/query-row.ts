import type { Ranking } from '../../domain/ranking.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ExecQuery, ExecQueryRow, ExecReportInput, RankOne, StripCell } from './report-types.ts';

/** How many ranks the verdict strip shows. */
const STRIP_LENGTH = 10;

/** What a query's row is made from, beside the query. */
export interface QueryRowParts {
  readonly input: ExecReportInput;
  readonly ranking: Ranking | undefined;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Snippets that pass, as the protocol counts. */
  readonly passing: ReadonlySet<string>;
  readonly values: readonly number[];
  readonly gap: ExecQueryRow['gap'];
  /** How deep the first passing snippet is looked for. */
  readonly depth: number;
}

/** Returns what the inspector shows of one query. */
export function queryRow(query: ExecQuery, parts: QueryRowParts): ExecQueryRow {
  const { input, ranking, verdicts, passing, values, gap, depth } = parts;
  const documentIds = ranking?.documentIds ?? [];
  const canonicals = new Set(query.canonicalIds);
  const distractors = new Set(query.distractorIds);
  const canonicalRanks: number[] = [];
  documentIds.forEach((documentId, i) => {
    if (canonicals.has(documentId)) canonicalRanks.push(i + 1);
  });
  const firstPassing = documentIds.slice(0, depth).findIndex((id) => passing.has(id));
  const strip = documentIds.slice(0, STRIP_LENGTH).map((documentId, i): StripCell => ({
    documentId,
    score: ranking?.scores[i] as number,
    verdict: verdicts.get(documentId) ?? null,
    role: canonicals.has(documentId) ? 'canonical' : distractors.has(documentId) ? 'distractor' : 'other',
    bugType: input.snippets.get(documentId)?.bugType ?? null,
  }));
  return {
    queryId: query.id,
    domain: query.domain,
    canonicals: query.canonicalIds.length,
    canonicalRanks,
    firstPassingRank: firstPassing < 0 ? null : firstPassing + 1,
    rankOne: rankOneOf(strip[0], passing),
    strip,
    gap,
    values,
  };
}

function rankOneOf(first: StripCell | undefined, passing: ReadonlySet<string>): RankOne {
  if (first === undefined) return 'no-ranking';
  if (passing.has(first.documentId)) return 'passes';
  return first.role === 'distractor' ? 'near-clone' : 'other-miss';
}
