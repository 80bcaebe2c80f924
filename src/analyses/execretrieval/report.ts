import { compareUtf8 } from '../../domain/ids.ts';
import type { Ranking } from '../../domain/ranking.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { evaluateQuery, parseMeasures, type Measure } from '../../metrics/index.ts';
import { findProtocol, passingDocuments, prepareRun } from '../../protocols/index.ts';
import { DEFAULT_RESAMPLES, DEFAULT_SEED } from '../../stats/bootstrap.ts';
import { mean } from '../../stats/summation.ts';
import { orNull } from '../estimate.ts';
import { cellsOf, nearCloneMisses, type Column, type ScoredQuery } from './cells.ts';
import { canonicalBelow, deceptionCell, deceptionTriples } from './deception.ts';
import { queryRow } from './query-row.ts';
import { EXEC_MEASURES, type ExecQuery, type ExecReport, type ExecReportInput } from './report-types.ts';
import { bugTypeSlices, domainSlices, spanSlices } from './slices.ts';
import { execWarnings } from './warnings.ts';

/** Cutoffs of the paper. */
export const EXEC_CUTOFFS = [1, 3, 5, 10] as const;

const NO_VERDICTS: ReadonlyMap<string, Verdict> = new Map();
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Returns the report of one system on a benchmark in the ExecRetrieval layout: metrics with intervals, slices, deception,
 * near-clones and one row a query. Queries are taken in the order of their ids, so the order of the input changes no bit.
 * Only `pass` passes; every query counts, with 0 where the run has nothing. Source: ExecRetrieval, Methodology.
 */
export function execRetrievalReport(given: ExecReportInput): ExecReport {
  const protocol = given.protocol ?? findProtocol('execretrieval');
  const input = { ...given, run: prepareRun(given.run, protocol.settings) };
  const queries = [...input.queries]
    .sort((a, b) => compareUtf8(a.id, b.id))
    .filter(({ id }) => protocol.settings.queriesWithoutResults === 'zero' || input.run.has(id));
  const ordered = { ...input, queries };
  const passing = passingDocuments(protocol, input.verdicts);
  const cutoffs = [...(input.cutoffs ?? EXEC_CUTOFFS)];
  const options = { resamples: input.resamples ?? DEFAULT_RESAMPLES, seed: input.seed ?? DEFAULT_SEED };
  const columns: Column[] = cutoffs.flatMap((k) => EXEC_MEASURES.map((measure) => ({ measure, k })));
  const names = columns.map(({ measure, k }) => `${measure}@${k}`);
  const depth = Math.max(10, ...cutoffs);
  const { triples, unknown, gaps } = deceptionTriples(ordered);
  const measures = parseMeasures(names.join(','));
  const scored = queries.map((query): ScoredQuery => {
    const verdicts = input.verdicts.get(query.id) ?? NO_VERDICTS;
    const ranking = input.run.get(query.id);
    const passes = passing.get(query.id) ?? NOTHING;
    const values = valuesOf(query, ranking, passes, measures);
    const gap = gaps.get(query.id) ?? null;
    return {
      query,
      row: queryRow(query, { input, ranking, verdicts, passing: passes, values, gap, depth }),
      upper: valuesOf(query, ranking, passingAtBest(query, verdicts, ordered), measures),
    };
  });
  const warnings = execWarnings(ordered, Math.max(...cutoffs));
  return {
    kind: 'exec-report',
    cutoffs,
    ...options,
    counts: { ...warnings.counts, queries: queries.length, unknownTriples: unknown },
    columns: names,
    cells: cellsOf(scored, columns, options),
    otherReadings: otherReadings(ordered, passing, cutoffs),
    nearCloneMisses: nearCloneMisses(scored, options),
    deception: deceptionCell(triples, options),
    canonicalBelow: canonicalBelow({ triples, unknown, gaps }, options),
    domains: domainSlices(scored, columns, options),
    bugTypes: bugTypeSlices(scored, triples, ordered, options),
    spans: spanSlices(triples, options),
    perQuery: scored.map(({ row }) => row),
    warnings: warnings.warnings,
  };
}

function valuesOf(
  query: ExecQuery,
  ranking: Ranking | undefined,
  passing: ReadonlySet<string>,
  measures: readonly Measure[],
): number[] {
  if (ranking === undefined) return measures.map(() => 0);
  return [...evaluateQuery(ranking, judgements(query), measures, { passing })];
}

function judgements(query: ExecQuery): Map<string, number> {
  return new Map(query.canonicalIds.map((id) => [id, 1]));
}

function passingAtBest(
  query: ExecQuery,
  verdicts: ReadonlyMap<string, Verdict>,
  { upstreamPasses }: ExecReportInput,
): Set<string> {
  const passing = new Set<string>();
  for (const [documentId, verdict] of verdicts) {
    const open = verdict === 'unsupported' || verdict === 'platform-sensitive';
    if (verdict === 'pass' || (open && (upstreamPasses?.get(query.id)?.get(documentId) ?? true)))
      passing.add(documentId);
  }
  return passing;
}

function otherReadings(
  input: ExecReportInput,
  passing: ReadonlyMap<string, ReadonlySet<string>>,
  cutoffs: readonly number[],
): ExecReport['otherReadings'] {
  const meansOf = (nameAt: (k: number) => string): { k: number; value: number | null }[] => {
    const measures = parseMeasures(cutoffs.map(nameAt).join(','));
    const rows = input.queries.map((query) =>
      valuesOf(query, input.run.get(query.id), passing.get(query.id) ?? NOTHING, measures),
    );
    return cutoffs.map((k, c) => ({ k, value: orNull(mean(rows.map((row) => row[c] as number))) }));
  };
  return {
    executionPrecisionOverReturned: meansOf((k) => `execution_precision(over='returned')@${k}`),
    ndcgBestCanonical: meansOf((k) => `best_canonical_nDCG@${k}`),
  };
}
