import type { Run } from '../../domain/ranking.ts';
import {
  bootstrapReplicates,
  DEFAULT_SEED,
  tailFractions,
  type BootstrapOptions,
} from '../../stats/bootstrap.ts';
import { Pcg64 } from '../../stats/pcg64.ts';
import { quantileOfSorted } from '../../stats/quantile.ts';
import { mean } from '../../stats/summation.ts';
import { estimateMean, NO_ESTIMATE, orNull, type Estimate } from '../estimate.ts';
import type { ExecQuery } from './report-types.ts';

/**
 * Which near-clones a thinned pool keeps. The paper does not say; `first` is the default.
 * - `first`: the first m of every query in file order, all queries' pools together.
 * - `own`: as `first`, but only the query's own near-clones are thinned; the other queries' all stay.
 * - `random`: m of every query at random, the mean over draws.
 */
export type DensityReading = 'first' | 'own' | 'random';

export interface PoolDensityInput {
  readonly queries: readonly ExecQuery[];
  /** Deep enough that the thinned lists still begin with something: queries whose list runs out are counted. */
  readonly run: Run;
  /** Whether a snippet passes the query's tests. */
  readonly passes: (queryId: string, documentId: string) => boolean;
}

export interface PoolDensityOptions extends BootstrapOptions {
  /** Default `first`. */
  readonly reading?: DensityReading;
  /** Draws of the `random` reading, default 20. */
  readonly draws?: number;
}

/** exec@1 with m near-clones of each query in the pool. */
export interface DensityPoint {
  readonly kept: number;
  /** Mean over queries (and over draws) with its bootstrap interval over queries. */
  readonly execAt1: Estimate;
  /** Lowest and highest mean of a single draw; null unless the reading is `random`. */
  readonly drawSpread: { readonly lowest: number; readonly highest: number; readonly draws: number } | null;
  /** Queries whose list holds nothing that the thinned pool keeps; they count 0. In the `random` reading the most of any draw. */
  readonly exhausted: number;
}

export interface PoolDensity {
  readonly reading: DensityReading;
  /** From 0 near-clones to as many as the richest query has. */
  readonly points: readonly DensityPoint[];
  /** (exec@1 with none - exec@1 with one) / exec@1 with none; value null when nothing is solved without near-clones. */
  readonly oneCloneDrop: Estimate;
}

/** Returns exec@1 over pools with 0, 1, 2, … near-clones of each query, and the relative drop that the first one causes. */
export function poolDensity(input: PoolDensityInput, options: PoolDensityOptions = {}): PoolDensity {
  const reading = options.reading ?? 'first';
  const most = Math.max(0, ...input.queries.map(({ distractorIds }) => distractorIds.length));
  const values: Float64Array[] = [];
  const points: DensityPoint[] = [];
  for (let kept = 0; kept <= most; kept++) {
    const draws = reading === 'random' ? (options.draws ?? 20) : 1;
    const random = new Pcg64(options.seed ?? DEFAULT_SEED);
    const solved = Array.from({ length: draws }, () => solvedInPool(input, kept, reading, random));
    const perQuery = Float64Array.from(input.queries, (_, q) =>
      mean(solved.map(({ values: draw }) => draw[q] as number)),
    );
    const means = solved.map(({ values: draw }) => mean(draw));
    values.push(perQuery);
    points.push({
      kept,
      execAt1: estimateMean(perQuery, options),
      drawSpread:
        reading === 'random' ? { lowest: Math.min(...means), highest: Math.max(...means), draws } : null,
      exhausted: Math.max(...solved.map(({ exhausted }) => exhausted)),
    });
  }
  return { reading, points, oneCloneDrop: relativeDrop(values[0], values[1], options) };
}

function solvedInPool(
  { queries, run, passes }: PoolDensityInput,
  kept: number,
  reading: DensityReading,
  random: Pcg64,
): { values: Float64Array; exhausted: number } {
  const keptOf = queries.map(({ distractorIds }) =>
    reading === 'random' ? pick(distractorIds, kept, random) : distractorIds.slice(0, kept),
  );
  const planted = new Set(queries.flatMap(({ distractorIds }) => distractorIds));
  const retained = new Set(keptOf.flat());
  let exhausted = 0;
  const values = Float64Array.from(queries, (query, q) => {
    const ownPlanted = reading === 'own' ? new Set(query.distractorIds) : planted;
    const ownRetained = reading === 'own' ? new Set(keptOf[q]) : retained;
    const first = run
      .get(query.id)
      ?.documentIds.find((documentId) => !ownPlanted.has(documentId) || ownRetained.has(documentId));
    if (first === undefined) exhausted++;
    return first !== undefined && passes(query.id, first) ? 1 : 0;
  });
  return { values, exhausted };
}

function pick(ids: readonly string[], count: number, random: Pcg64): string[] {
  return [...random.permutation(ids.length)].slice(0, count).map((i) => ids[i] as string);
}

function relativeDrop(
  none: Float64Array | undefined,
  one: Float64Array | undefined,
  options: BootstrapOptions,
): Estimate {
  if (none === undefined || one === undefined || none.length === 0 || mean(none) === 0) return NO_ESTIMATE;
  const [without, withOne] = bootstrapReplicates([none, one], options) as [Float64Array, Float64Array];
  const drops = without
    .map((value, i) => (value - (withOne[i] as number)) / value)
    .filter((drop) => Number.isFinite(drop))
    .sort();
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  return {
    value: (mean(none) - mean(one)) / mean(none),
    low: orNull(quantileOfSorted(drops, lower)),
    high: orNull(quantileOfSorted(drops, upper)),
    n: none.length,
  };
}
