import { Pcg64 } from './pcg64.ts';
import { quantileOfSorted } from './quantile.ts';
import { mean, pairwiseGatherSum } from './summation.ts';

/** The seed of every resampling in the product, the one that ExecRetrieval's authors name. */
export const DEFAULT_SEED = 20260510;
/** How many resamples an interval rests on unless asked otherwise. */
export const DEFAULT_RESAMPLES = 5_000;

/** A figure with its interval: `low` and `high` are the ends at `level`, `n` the queries behind it. */
export interface MeanInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** How to resample; everything has a default. */
export interface BootstrapOptions {
  /** Default 5,000. */
  readonly resamples?: number;
  /** Default 20260510. */
  readonly seed?: number | bigint;
  /** Two-sided coverage in 0..1, default 0.95. */
  readonly level?: number;
}

/**
 * Returns the mean of one value a query with its percentile bootstrap interval: `resamples` draws of n queries with
 * replacement by numpy's `default_rng(seed).integers(0, n, (resamples, n))`, linear quantiles. Equal to numpy's own
 * result bit for bit. No values: all NaN. Source: Efron 1979; seed and count from ExecRetrieval.
 */
export function bootstrapMean(values: ArrayLike<number>, options: BootstrapOptions = {}): MeanInterval {
  return bootstrapMeans([values], options)[0] as MeanInterval;
}

/**
 * Returns {@link bootstrapMean} of several measures over the same queries, in their order. The drawn queries are
 * shared, which makes intervals comparable and twenty measures hardly dearer than one. All lists have equal length.
 */
export function bootstrapMeans(
  measures: readonly ArrayLike<number>[],
  options: BootstrapOptions = {},
): MeanInterval[] {
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  const n = measures[0]?.length ?? 0;
  return bootstrapReplicates(measures, options).map((replicates, m) => {
    replicates.sort();
    return {
      mean: mean(measures[m] as ArrayLike<number>),
      low: quantileOfSorted(replicates, lower),
      high: quantileOfSorted(replicates, upper),
      n,
    };
  });
}

/**
 * Returns the mean differences of pairs of measures over the same queries (first less second, by their places in
 * `measures`) with their percentile intervals. Equal to {@link bootstrapMean} of the differences, but each resample is summed
 * once a measure and not once a pair: ten systems have 45 pairs.
 */
export function bootstrapDifferences(
  measures: readonly ArrayLike<number>[],
  pairs: readonly (readonly [number, number])[],
  options: BootstrapOptions = {},
): MeanInterval[] {
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  const n = measures[0]?.length ?? 0;
  const sums = resampledSums(measures, options);
  return pairs.map(([a, b]) => {
    const first = measures[a] as ArrayLike<number>;
    const second = measures[b] as ArrayLike<number>;
    const other = sums[b] as Float64Array;
    const replicates = (sums[a] as Float64Array).map((sum, r) => (sum - (other[r] as number)) / n).sort();
    return {
      mean: mean(Float64Array.from(first, (value, i) => value - (second[i] as number))),
      low: quantileOfSorted(replicates, lower),
      high: quantileOfSorted(replicates, upper),
      n,
    };
  });
}

/**
 * Returns, for each measure, the mean of every resample in drawing order (length `resamples`; empty when there are
 * no queries). Throws RangeError when the lists differ in length or `resamples` is not a positive whole number.
 */
export function bootstrapReplicates(
  measures: readonly ArrayLike<number>[],
  options: BootstrapOptions = {},
): Float64Array[] {
  const n = measures[0]?.length ?? 0;
  return resampledSums(measures, options).map((sums) => sums.map((sum) => sum / n));
}

function resampledSums(measures: readonly ArrayLike<number>[], options: BootstrapOptions): Float64Array[] {
  const resamples = options.resamples ?? DEFAULT_RESAMPLES;
  if (!Number.isInteger(resamples) || resamples < 1)
    throw new RangeError(`The number of resamples is a whole number of at least 1, got ${resamples}.`);
  const n = measures[0]?.length ?? 0;
  const columns = measures.map((values) => {
    if (values.length !== n)
      throw new RangeError(
        `Measures over the same queries have equal length, got ${n} and ${values.length}.`,
      );
    return values instanceof Float64Array ? values : Float64Array.from(values);
  });
  if (n === 0) return columns.map(() => new Float64Array(0));
  const sums = columns.map(() => new Float64Array(resamples));
  const random = new Pcg64(options.seed ?? DEFAULT_SEED);
  const drawn = new Uint32Array(n);
  for (let r = 0; r < resamples; r++) {
    random.fillBelow(n, drawn);
    for (let m = 0; m < columns.length; m++)
      (sums[m] as Float64Array)[r] = pairwiseGatherSum(columns[m] as Float64Array, drawn);
  }
  return sums;
}

/** The two quantiles of a two-sided interval. In percent first: 0.025 and not 1 - 0.975, as one asks numpy for it. */
export function tailFractions(level: number): [number, number] {
  if (!(level > 0 && level < 1))
    throw new RangeError(`The level of an interval lies between 0 and 1, got ${level}.`);
  const tailPercent = (100 - level * 100) / 2;
  return [tailPercent / 100, (100 - tailPercent) / 100];
}
