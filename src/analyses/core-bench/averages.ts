import {
  bootstrapReplicates,
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
  const strata = new Map<string, number[]>();
  groups.forEach((group, i) => {
    const stratum = strata.get(group);
    if (stratum === undefined) strata.set(group, [values[i] as number]);
    else stratum.push(values[i] as number);
  });
  if (strata.size === 0) return NO_ESTIMATE;
  const lists = [...strata.values()];
  const seed = BigInt(options.seed ?? DEFAULT_SEED);
  // One seed a group: the same draws for two groups of equal size would tie them together.
  const replicates = lists.map(
    (list, i) => bootstrapReplicates([list], { ...options, seed: seed + BigInt(i) })[0] as Float64Array,
  );
  const combined = (replicates[0] as Float64Array).map((_, r) =>
    mean(replicates.map((replicate) => replicate[r] as number)),
  );
  combined.sort();
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  return {
    value: mean(lists.map((list) => mean(list))),
    low: orNull(quantileOfSorted(combined, lower)),
    high: orNull(quantileOfSorted(combined, upper)),
    n: values.length,
  };
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
