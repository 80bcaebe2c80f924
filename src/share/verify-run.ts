import { execRetrievalReport } from '../analyses/execretrieval/report.ts';
import type { ExecQuery, ExecReport, ExecSnippet } from '../analyses/execretrieval/report-types.ts';
import { canonicalJson } from '../domain/digest.ts';
import type { Run } from '../domain/ranking.ts';
import { digestOfRankings } from '../domain/run-digest.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { CheckedClaim } from './claims.ts';
import type { GradedReceipt } from './graded-receipt.ts';
import type { Receipt } from './receipt.ts';
import type { ResultRecord } from './record.ts';

/** What a benchmark in the ExecRetrieval layout says of its queries and snippets. */
export interface ExecBenchmarkTables {
  readonly queries: readonly ExecQuery[];
  readonly snippets: ReadonlyMap<string, ExecSnippet>;
}

/** Checks a receipt's digest of the rankings against a run (level 1). */
export async function verifyReceiptRun(receipt: Receipt | GradedReceipt, run: Run): Promise<CheckedClaim[]> {
  return [await rankingsClaim(receipt.digests.rankings, run)];
}

/**
 * Checks a record against the run that it comes from (level 1): the digest of the rankings and the first ten of every
 * query, and with the benchmark's tables the whole report: metrics, slices, deception, near-clones.
 *
 * @param tables the benchmark's queries and snippets; absent: what needs them stays claimed
 */
export async function verifyRecordRun(
  record: ResultRecord,
  run: Run,
  tables: ExecBenchmarkTables | undefined,
): Promise<CheckedClaim[]> {
  const claims = [await rankingsClaim(record.digests.rankings, run), firstTenClaim(record.report, run)];
  if (tables === undefined) {
    claims.push({
      level: 1,
      name: 'report from the run',
      state: 'claimed',
      claimed: `${record.report.counts.queries} queries`,
      note: `the files of ${record.benchmark.id} are not here: give their folder with --benchmark`,
    });
    return claims;
  }
  const again = execRetrievalReport({
    ...tables,
    run,
    verdicts: verdictsOf(record),
    cutoffs: record.report.cutoffs,
    resamples: record.report.resamples,
    seed: record.report.seed,
  });
  return [...claims, ...reportClaims(record.report, again)];
}

async function rankingsClaim(claimed: string, run: Run): Promise<CheckedClaim> {
  const found = await digestOfRankings(run.values());
  return {
    level: 1,
    name: 'digest of the rankings',
    state: claimed === found ? 'equal' : 'different',
    claimed,
    found,
    note: 'of the run file',
  };
}

function firstTenClaim({ perQuery }: ExecReport, run: Run): CheckedClaim {
  const name = 'first ten of every query';
  for (const { queryId, strip } of perQuery) {
    const ranking = run.get(queryId);
    const length = Math.min(10, ranking?.documentIds.length ?? 0);
    for (let i = 0; i < Math.max(strip.length, length); i++) {
      const cell = strip[i];
      const [id, score] = [ranking?.documentIds[i], ranking?.scores[i]];
      if (cell !== undefined && cell.documentId === id && cell.score === score) continue;
      return {
        level: 1,
        name,
        state: 'different',
        claimed: cell === undefined ? 'nothing' : `${JSON.stringify(cell.documentId)} with ${cell.score}`,
        found: id === undefined ? 'nothing' : `${JSON.stringify(id)} with ${score}`,
        note: `query ${JSON.stringify(queryId)}, rank ${i + 1} of the run file`,
      };
    }
  }
  const all = `${perQuery.length} queries`;
  return { level: 1, name, state: 'equal', claimed: all, found: all, note: 'ids and scores of the run file' };
}

/** Verdicts as the record holds them: of the first ten, and of every pair that failed. */
function verdictsOf({ report, failures }: ResultRecord): Map<string, Map<string, Verdict>> {
  const verdicts = new Map<string, Map<string, Verdict>>();
  const put = (queryId: string, documentId: string, verdict: Verdict): void => {
    const list = verdicts.get(queryId) ?? new Map<string, Verdict>();
    list.set(documentId, verdict);
    verdicts.set(queryId, list);
  };
  for (const { queryId, documentId, verdict } of failures) put(queryId, documentId, verdict);
  for (const { queryId, strip } of report.perQuery)
    for (const { documentId, verdict } of strip) if (verdict !== null) put(queryId, documentId, verdict);
  return verdicts;
}

/** The parts of a report that a run, verdicts and the benchmark decide, each one claim. */
const REPORT_PARTS = [
  ['metrics', 'cells'],
  ['other readings', 'otherReadings'],
  ['near-clones among the rank-1 misses', 'nearCloneMisses'],
  ['deception', 'deception'],
  ['canonical below its own near-clones', 'canonicalBelow'],
  ['domains', 'domains'],
  ['bug types', 'bugTypes'],
  ['spans of the edits', 'spans'],
  ['rows of the queries', 'perQuery'],
] as const;

function reportClaims(claimed: ExecReport, found: ExecReport): CheckedClaim[] {
  return REPORT_PARTS.map(([name, part]): CheckedClaim => {
    const difference = firstDifference(claimed[part], found[part], '');
    const note = 'from the run, the verdicts in the record and the benchmark';
    if (difference === undefined)
      return { level: 1, name, state: 'equal', claimed: 'every number', found: 'every number', note };
    return { level: 1, name, state: 'different', ...difference, note };
  });
}

/** The first place in which two plain values differ, depth first. */
function firstDifference(
  a: unknown,
  b: unknown,
  path: string,
): { claimed: string; found: string } | undefined {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const inner = firstDifference(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        path === '' ? key : `${path}.${key}`,
      );
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-12))
    return undefined;
  const text = (value: unknown): string =>
    `${path} = ${value === undefined ? 'nothing' : canonicalJson(value)}`;
  return { claimed: text(a), found: text(b) };
}
