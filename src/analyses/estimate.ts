import { bootstrapMeans, type BootstrapOptions, type MeanInterval } from '../stats/bootstrap.ts';
import { clusterBootstraps } from '../stats/cluster.ts';
import { proportionInterval } from '../stats/proportion-interval.ts';

/**
 * A figure with its interval and the count behind it: what every cell of a table holds. Plain data, JSON-able:
 * `null` where there is nothing to average, never NaN. `low` and `high` are the ends of a 95 % interval.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** How many queries (or triples, where the table says so) the figure rests on. */
  readonly n: number;
}

/** A share with its counts; the interval is Wilson's unless the member says otherwise. */
export interface Share extends Estimate {
  readonly count: number;
}

/** An estimate of nothing. */
export const NO_ESTIMATE: Estimate = { value: null, low: null, high: null, n: 0 };

/** Returns NaN as null: tables travel as JSON, which has no NaN. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Returns the mean of one value a query with its percentile bootstrap interval. */
export function estimateMean(values: ArrayLike<number>, options: BootstrapOptions = {}): Estimate {
  return estimateMeans([values], options)[0] as Estimate;
}

/** Returns {@link estimateMean} of several lists over the same queries, from the same resamples. */
export function estimateMeans(
  lists: readonly ArrayLike<number>[],
  options: BootstrapOptions = {},
): Estimate[] {
  return bootstrapMeans(lists, options).map(fromInterval);
}

/**
 * Returns the means over all observations of several measures with the intervals that come from resampling whole
 * clusters; `sums` holds one list a measure, parallel to the clusters' sizes.
 */
export function estimateClusters(
  sums: readonly Float64Array[],
  sizes: Float64Array,
  options: BootstrapOptions = {},
): Estimate[] {
  return clusterBootstraps(sums, sizes, options).map(fromInterval);
}

/** Returns `count` of `n` with Wilson's interval. */
export function share(count: number, n: number): Share {
  if (n === 0) return { ...NO_ESTIMATE, count };
  const [low, high] = proportionInterval(count, n);
  return { value: count / n, low, high, n, count };
}

/**
 * Returns the share of `hits` among `members` (both 0/1, one a query; a hit is a member) with the interval that comes from
 * resampling all queries, members or not: how many queries are members varies with the sample as well.
 */
export function bootstrapShare(
  hits: ArrayLike<number>,
  members: ArrayLike<number>,
  options: BootstrapOptions = {},
): Share {
  const sums = Float64Array.from(hits);
  const [estimate] = estimateClusters([sums], Float64Array.from(members), options) as [Estimate];
  return { ...estimate, count: sums.reduce((total, hit) => total + hit, 0) };
}

/** Returns an interval of the statistics as a table's cell. */
export function fromInterval({ mean, low, high, n }: MeanInterval): Estimate {
  return { value: orNull(mean), low: orNull(low), high: orNull(high), n };
}

/**
 * Returns a sentence when the interval by cluster and the one by observation differ by more than a quarter of the wider
 * one, null otherwise. `observation` and `cluster` name them, e.g. `query` and `repository`.
 */
export function widthRemark(
  byCluster: Estimate,
  byObservation: Estimate,
  observation: string,
  cluster: string,
): string | null {
  const clustered = widthOf(byCluster);
  const plain = widthOf(byObservation);
  if (clustered === null || plain === null) return null;
  if (Math.abs(clustered - plain) <= 0.25 * Math.max(clustered, plain)) return null;
  return clustered > plain
    ? `What belongs to one ${cluster} hangs together: resampled by ${observation} the interval would be too narrow.`
    : `What belongs to one ${cluster} offsets itself: resampled by ${observation} the interval would be too wide.`;
}

function widthOf({ low, high }: Estimate): number | null {
  return low === null || high === null ? null : high - low;
}
