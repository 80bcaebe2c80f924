import { DEFAULT_RESAMPLES, DEFAULT_SEED, tailFractions, type BootstrapOptions } from './bootstrap.ts';
import { Pcg64 } from './pcg64.ts';
import { quantileOfSorted } from './quantile.ts';
import { pairwiseGatherSum, pairwiseSum } from './summation.ts';
import { pairedRandomisation, type RandomisationOptions, type RandomisationResult } from './randomisation.ts';

/** Values that hang together: sum and number of observations of each cluster (repository, problem, query). */
export interface Clusters {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

/** Returns the clusters of observations, one for each distinct key, in order of appearance. */
export function clustersOf<K>(values: ArrayLike<number>, keys: readonly K[]): Clusters {
  if (values.length !== keys.length)
    throw new RangeError(
      `Every observation has a cluster, got ${values.length} values and ${keys.length} keys.`,
    );
  const index = new Map<K, number>();
  const sums: number[] = [];
  const sizes: number[] = [];
  keys.forEach((key, i) => {
    let cluster = index.get(key);
    if (cluster === undefined) {
      cluster = sums.length;
      index.set(key, cluster);
      sums.push(0);
      sizes.push(0);
    }
    sums[cluster] = (sums[cluster] as number) + (values[i] as number);
    sizes[cluster] = (sizes[cluster] as number) + 1;
  });
  return { sums: Float64Array.from(sums), sizes: Float64Array.from(sizes) };
}

/** The mean of all observations with the interval that comes from resampling whole clusters. */
export interface ClusterInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Observations. */
  readonly n: number;
  readonly clusters: number;
}

/**
 * Returns the mean over observations with its cluster bootstrap interval: clusters are drawn with replacement, and a
 * resample's mean is its sum over its size. All NaN without observations. Source: Cameron, Gelbach and Miller 2008.
 */
export function clusterBootstrap(clusters: Clusters, options: BootstrapOptions = {}): ClusterInterval {
  return clusterBootstraps([clusters.sums], clusters.sizes, options)[0] as ClusterInterval;
}

/** Returns {@link clusterBootstrap} of several measures over the same observations, from the same resamples. */
export function clusterBootstraps(
  sumsOfMeasures: readonly Float64Array[],
  sizes: Float64Array,
  options: BootstrapOptions = {},
): ClusterInterval[] {
  const clusters = sizes.length;
  const n = sizes.reduce((sum, size) => sum + size, 0);
  if (n === 0) return sumsOfMeasures.map(() => ({ mean: NaN, low: NaN, high: NaN, n: 0, clusters }));
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  const resamples = options.resamples ?? DEFAULT_RESAMPLES;
  const random = new Pcg64(options.seed ?? DEFAULT_SEED);
  const drawn = new Uint32Array(clusters);
  const replicates = sumsOfMeasures.map(() => new Float64Array(resamples));
  let kept = 0;
  for (let r = 0; r < resamples; r++) {
    random.fillBelow(clusters, drawn);
    const size = pairwiseGatherSum(sizes, drawn);
    // A resample of empty clusters alone has no mean; there are such only where clusters may be empty.
    if (size === 0) continue;
    sumsOfMeasures.forEach((sums, m) => {
      (replicates[m] as Float64Array)[kept] = pairwiseGatherSum(sums, drawn) / size;
    });
    kept++;
  }
  return sumsOfMeasures.map((sums, m) => {
    const sorted = (replicates[m] as Float64Array).subarray(0, kept).sort();
    return {
      mean: pairwiseSum(sums) / n,
      low: quantileOfSorted(sorted, lower),
      high: quantileOfSorted(sorted, upper),
      n,
      clusters,
    };
  });
}

/**
 * Returns the mean of `a`'s observations less that of `b`'s over the same clusters, with the interval that comes from
 * resampling clusters (each with its observations of both kinds). NaN where one kind has no observation.
 * Throws RangeError when the two have different numbers of clusters.
 */
export function clusterDifference(a: Clusters, b: Clusters, options: BootstrapOptions = {}): ClusterInterval {
  const clusters = a.sizes.length;
  if (b.sizes.length !== clusters)
    throw new RangeError(`Both kinds have the same clusters, got ${clusters} and ${b.sizes.length}.`);
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  const n = pairwiseSum(a.sizes) + pairwiseSum(b.sizes);
  const difference = pairwiseSum(a.sums) / pairwiseSum(a.sizes) - pairwiseSum(b.sums) / pairwiseSum(b.sizes);
  if (Number.isNaN(difference)) return { mean: NaN, low: NaN, high: NaN, n, clusters };
  const resamples = options.resamples ?? DEFAULT_RESAMPLES;
  const random = new Pcg64(options.seed ?? DEFAULT_SEED);
  const drawn = new Uint32Array(clusters);
  const replicates: number[] = [];
  for (let r = 0; r < resamples; r++) {
    random.fillBelow(clusters, drawn);
    const meanA = pairwiseGatherSum(a.sums, drawn) / pairwiseGatherSum(a.sizes, drawn);
    const meanB = pairwiseGatherSum(b.sums, drawn) / pairwiseGatherSum(b.sizes, drawn);
    // A resample without any observation of one kind has no difference.
    if (!Number.isNaN(meanA - meanB)) replicates.push(meanA - meanB);
  }
  const sorted = Float64Array.from(replicates).sort();
  return {
    mean: difference,
    low: quantileOfSorted(sorted, lower),
    high: quantileOfSorted(sorted, upper),
    n,
    clusters,
  };
}

/**
 * Returns the sign-flip test on whole clusters of paired differences: the two-sided p when all differences of a cluster
 * change sign together, so that what hangs together is not counted as independent evidence.
 */
export function clusterSignFlip(
  differences: Clusters,
  options: RandomisationOptions = {},
): RandomisationResult {
  return pairedRandomisation(differences.sums, options);
}

/**
 * Returns a sentence when the query-level and the cluster-level result disagree (one significant at `alpha`, the other
 * not), null when they agree. `unit` names the cluster, e.g. `repository`.
 */
export function clusterRemark(queryP: number, clusterP: number, unit: string, alpha = 0.05): string | null {
  if (queryP <= alpha === clusterP <= alpha) return null;
  const [found, lost] = queryP <= alpha ? ['query', unit] : [unit, 'query'];
  return (
    `Significant by ${found} (p = ${(found === 'query' ? queryP : clusterP).toPrecision(2)}) but not by ${lost} ` +
    `(p = ${(lost === 'query' ? queryP : clusterP).toPrecision(2)}): queries of one ${unit} are not independent; trust the ${unit} level.`
  );
}
