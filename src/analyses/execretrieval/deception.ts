import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { clustersOf, type Clusters } from '../../stats/cluster.ts';
import { median } from '../../stats/quantile.ts';
import {
  bootstrapShare,
  estimateClusters,
  estimateMeans,
  orNull,
  share,
  widthRemark,
  type Estimate,
} from '../estimate.ts';
import { isBugType } from '../../domain/bug-types.ts';
import { editedSpan } from './edited-span.ts';
import type { CanonicalBelow, DeceptionCell, ExecQuery, ExecReportInput } from './report-types.ts';

/** How a distractor's similarity compares with the canonical's. */
export type Comparison = 'deceived' | 'tied' | 'above';

/** One evaluable triple (query, canonical, mechanical distractor). */
export interface DeceptionTriple {
  readonly queryId: string;
  readonly distractorId: string;
  readonly bugType: string;
  readonly comparison: Comparison;
  /** Edited span in code points; null when a code is not known. */
  readonly span: number | null;
}

/** The triples of a report's input, with what could not be told. */
export interface DeceptionTriples {
  readonly triples: readonly DeceptionTriple[];
  /** Triples that cannot be told: both snippets are missing from the query's list, or a similarity was not given. */
  readonly unknown: number;
  /** By query id: canonical less its nearest and less the mean of its mechanical distractors, where all are known. */
  readonly gaps: ReadonlyMap<string, { readonly toMax: number; readonly toMean: number }>;
}

/**
 * Returns every triple of a query's first canonical with one of its mechanical distractors. Similarities come from
 * `input.similarities`, else from the run's scores: there a snippet that the list lacks counts as below the list's end.
 */
export function deceptionTriples(input: ExecReportInput): DeceptionTriples {
  const triples: DeceptionTriple[] = [];
  const gaps = new Map<string, { toMax: number; toMean: number }>();
  let unknown = 0;
  for (const query of input.queries) {
    const canonicalId = query.canonicalIds[0];
    if (canonicalId === undefined) continue;
    const similarity = similarityOf(input, query.id);
    const canonical = similarity(canonicalId);
    const known: number[] = [];
    const mechanical = mechanicalDistractors(query, input);
    for (const { distractorId, bugType } of mechanical) {
      const distractor = similarity(distractorId);
      if (typeof distractor === 'number') known.push(distractor);
      const comparison = compare(canonical, distractor);
      if (comparison === null) {
        unknown++;
        continue;
      }
      const canonicalCode = input.snippets.get(canonicalId)?.code;
      const distractorCode = input.snippets.get(distractorId)?.code;
      const span =
        canonicalCode === undefined || distractorCode === undefined
          ? null
          : editedSpan(canonicalCode, distractorCode);
      triples.push({ queryId: query.id, distractorId, bugType, comparison, span });
    }
    if (typeof canonical === 'number' && known.length > 0 && known.length === mechanical.length) {
      const sum = known.reduce((total, value) => total + value, 0);
      gaps.set(query.id, { toMax: canonical - Math.max(...known), toMean: canonical - sum / known.length });
    }
  }
  return { triples, unknown, gaps };
}

function mechanicalDistractors(
  query: ExecQuery,
  input: ExecReportInput,
): { distractorId: string; bugType: string }[] {
  return query.distractorIds.flatMap((distractorId) => {
    const bugType = input.snippets.get(distractorId)?.bugType;
    return isBugType(bugType) ? [{ distractorId, bugType }] : [];
  });
}

/** What is known of a snippet's similarity: `below` = it was cut off the list's end. */
type Similarity = number | 'below' | 'unknown';

function similarityOf(input: ExecReportInput, queryId: string): (documentId: string) => Similarity {
  const given = input.similarities?.get(queryId);
  if (given !== undefined) return (documentId) => given.get(documentId) ?? 'unknown';
  const ranking = input.run.get(queryId);
  const scores = new Map(ranking?.documentIds.map((id, i) => [id, ranking.scores[i] as number]));
  return (documentId) => scores.get(documentId) ?? 'below';
}

function compare(canonical: Similarity, distractor: Similarity): Comparison | null {
  if (canonical === 'unknown' || distractor === 'unknown') return null;
  if (canonical === 'below') return distractor === 'below' ? null : 'deceived';
  if (distractor === 'below' || canonical > distractor) return 'above';
  return canonical === distractor ? 'tied' : 'deceived';
}

/** Returns the rates of some triples in the three readings of ties, with intervals by query and by triple. */
export function deceptionCell(
  triples: readonly DeceptionTriple[],
  options: BootstrapOptions = {},
): DeceptionCell {
  const keys = triples.map(({ queryId }) => queryId);
  const weigh = (tie: number): Float64Array =>
    Float64Array.from(triples, ({ comparison }) =>
      comparison === 'deceived' ? 1 : comparison === 'tied' ? tie : 0,
    );
  const byQuery = [0, 1, 0.5].map((tie) => clustersOf(weigh(tie), keys));
  const [strict, ties, half] = estimateClusters(
    byQuery.map(({ sums }) => sums),
    (byQuery[0] as Clusters).sizes,
    options,
  ) as [Estimate, Estimate, Estimate];
  const deceived = triples.filter(({ comparison }) => comparison === 'deceived').length;
  const { value, low, high, n } = share(deceived, triples.length);
  const byTriple: Estimate = { value, low, high, n };
  return {
    triples: triples.length,
    deceived,
    tied: triples.filter(({ comparison }) => comparison === 'tied').length,
    strict,
    ties,
    half,
    byTriple,
    remark: widthRemark(strict, byTriple, 'triple', 'query'),
  };
}

/** Returns how often the canonical lies below at least one of its own mechanical distractors, with the gap. */
export function canonicalBelow(
  { triples, gaps }: DeceptionTriples,
  options: BootstrapOptions = {},
): CanonicalBelow {
  const worst = new Map<string, Comparison>();
  for (const { queryId, comparison } of triples) {
    const before = worst.get(queryId);
    if (before === undefined || before === 'above' || (before === 'tied' && comparison === 'deceived'))
      worst.set(queryId, comparison);
  }
  const all = [...worst.values()];
  const below = all.map((comparison) => (comparison === 'deceived' ? 1 : 0));
  const belowOrTied = all.map((comparison) => (comparison === 'above' ? 0 : 1));
  const every = all.map(() => 1);
  const both = [...gaps.values()];
  const toMax = both.map((gap) => gap.toMax);
  const toMean = both.map((gap) => gap.toMean);
  const [meanToMax, meanToMean] = estimateMeans([toMax, toMean], options) as [Estimate, Estimate];
  return {
    queries: all.length,
    strict: bootstrapShare(below, every, options),
    ties: bootstrapShare(belowOrTied, every, options),
    gapToMax: { median: orNull(median(toMax)), mean: meanToMax },
    gapToMean: { median: orNull(median(toMean)), mean: meanToMean },
  };
}
