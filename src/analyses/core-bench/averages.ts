import {
  bootstrapReplicates,
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  tailFractions,
  type BootstrapOptions,
} from '../../stats/bootstrap.ts';
import { quantileOfSorted } from '../../stats/quantile.ts';
import { mean } from '../../stats/summation.ts';
import { NO_ESTIMATE, orNull, type Estimate } from '../estimate.ts';

/**
 * How a level's queries become one number. The paper does not say, and its table 3 cannot be the mean over queries:
 * `sub-datasets` (mean over sub-datasets of their means) is the default, marked as inferred.
 */
export const LEVEL_AVERAGES = ['sub-datasets', 'repositories', 'queries'] as const;
export type LevelAverage = (typeof LEVEL_AVERAGES)[number];

/** A level's average with what it rests on. */
export interface LevelEstimate extends Estimate {
  readonly average: LevelAverage;
  /** Groups that the average is over: sub-datasets, repositories, or queries. */
  readonly groups: number;
}

/**
 * Returns the mean over groups of the groups' means, with an interval from resampling queries within each group; `n`
 * counts queries. A single group gives the plain mean with the plain bootstrap.
 */
export function macroAverage(
  values: ArrayLike<number>,
  groups: readonly string[],
  options: BootstrapOptions = {},
): Estimate {
  return macroAverages([values], groups, options)[0] as Estimate;
}

/** Returns {@link macroAverage} of several measures over the same queries, from the same resamples. */
export function macroAverages(
  measures: readonly ArrayLike<number>[],
  groups: readonly string[],
  options: BootstrapOptions = {},
): Estimate[] {
  const strata = new Map<string, number[]>();
  groups.forEach((group, i) => {
    const stratum = strata.get(group);
    if (stratum === undefined) strata.set(group, [i]);
    else stratum.push(i);
  });
  if (strata.size === 0) return measures.map(() => NO_ESTIMATE);
  const resamples = options.resamples ?? DEFAULT_RESAMPLES;
  const sums = measures.map(() => new Float64Array(resamples));
  const means = measures.map(() => 0);
  const seed = BigInt(options.seed ?? DEFAULT_SEED);
  [...strata.values()].forEach((rows, g) => {
    const lists = measures.map((values) => Float64Array.from(rows, (row) => values[row] as number));
    // One seed a group: the same draws for two groups of equal size would tie them together.
    bootstrapReplicates(lists, { ...options, seed: seed + BigInt(g) }).forEach((replicates, m) => {
      const sum = sums[m] as Float64Array;
      for (let r = 0; r < resamples; r++) sum[r] = (sum[r] as number) + (replicates[r] as number);
      means[m] = (means[m] as number) + mean(lists[m] as Float64Array) / strata.size;
    });
  });
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  return measures.map((_, m) => {
    const sorted = (sums[m] as Float64Array).map((sum) => sum / strata.size).sort();
    return {
      value: means[m] as number,
      low: orNull(quantileOfSorted(sorted, lower)),
      high: orNull(quantileOfSorted(sorted, upper)),
      n: groups.length,
    };
  });
}

/** The scores of CORE-Bench's table 3; null = not run. */
export interface LevelScores {
  readonly L1: number | null;
  readonly L2: number | null;
  readonly L3: number | null;
  readonly 'L2-Rw': number | null;
  readonly 'L3-Rw': number | null;
}

/** Returns the table's two averages; an average that lacks a part is null, since a level that did not run is not a zero. */
export function levelAverages(scores: LevelScores): {
  readonly 'L1-L3 Avg': number | null;
  readonly 'Rewrite Avg': number | null;
} {
  return {
    'L1-L3 Avg': meanOfAll([scores.L1, scores.L2, scores.L3]),
    'Rewrite Avg': meanOfAll([scores['L2-Rw'], scores['L3-Rw']]),
  };
}

/**
 * Returns Level 1's score: the mean of its sets, each the mean of its subsets. Null when a set has no subset.
 * `sets` maps a set's name to the scores of its subsets.
 */
export function levelOneScore(sets: ReadonlyMap<string, readonly number[]>): number | null {
  return meanOfAll([...sets.values()].map((subsets) => orNull(mean(subsets))));
}

function meanOfAll(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 || known.length < parts.length ? null : mean(known);
}
