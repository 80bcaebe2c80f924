import { execRetrievalReport } from '../analyses/execretrieval/report.ts';
import type {
  ExecQuery,
  ExecQueryRow,
  ExecReport,
  ExecSnippet,
  StripCell,
} from '../analyses/execretrieval/report-types.ts';
import type { Ranking } from '../domain/ranking.ts';
import type { Verdict } from '../domain/verdict.ts';

/**
 * Computes a report again from its own rows by the very code that made it: ids, roles, bug types and verdicts of the first
 * ten, and the canonicals' ranks; deeper ranks get stand-in ids. What needs the benchmark (deception, gaps, spans, how many
 * distractors there are of a type) is not in the rows and means nothing in the answer.
 */
export function reportOfRows(report: ExecReport): ExecReport {
  const queries: ExecQuery[] = [];
  const snippets = new Map<string, ExecSnippet>();
  const run = new Map<string, Ranking>();
  const verdicts = new Map<string, ReadonlyMap<string, Verdict>>();
  for (const row of report.perQuery) {
    const ranking = rankingOfRow(row);
    queries.push({
      id: row.queryId,
      domain: row.domain,
      canonicalIds: canonicalIdsOf(row, ranking),
      distractorIds: idsWithRole(row, 'distractor'),
    });
    for (const { documentId, bugType } of row.strip)
      if (bugType !== null) snippets.set(documentId, { bugType });
    if (row.rankOne !== 'no-ranking') run.set(row.queryId, ranking);
    verdicts.set(
      row.queryId,
      new Map(
        row.strip.flatMap(({ documentId, verdict }) => (verdict === null ? [] : [[documentId, verdict]])),
      ),
    );
  }
  const { cutoffs, resamples, seed } = report;
  return execRetrievalReport({ queries, snippets, run, verdicts, cutoffs, resamples, seed });
}

/** The first ten as they are, then stand-ins down to the last canonical. */
function rankingOfRow({ queryId, strip, canonicalRanks }: ExecQueryRow): Ranking {
  const length = Math.max(strip.length, canonicalRanks.at(-1) ?? 0);
  const documentIds = Array.from({ length }, (_, i) => strip[i]?.documentId ?? `(rank ${i + 1})`);
  // Only the order counts; falling whole numbers keep it whatever scores the row holds.
  return { queryId, documentIds, scores: Float64Array.from(documentIds, (_, i) => -i) };
}

function canonicalIdsOf({ canonicals, canonicalRanks }: ExecQueryRow, { documentIds }: Ranking): string[] {
  const found = canonicalRanks.map((rank) => documentIds[rank - 1] as string);
  const missing = Array.from(
    { length: Math.max(0, canonicals - found.length) },
    (_, i) => `(not retrieved ${i + 1})`,
  );
  return [...found, ...missing];
}

function idsWithRole({ strip }: ExecQueryRow, role: StripCell['role']): string[] {
  return strip.filter((cell) => cell.role === role).map(({ documentId }) => documentId);
}
