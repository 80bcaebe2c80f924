import { AppError } from '../domain/app-error.ts';
import { rank, type Ranking } from '../domain/ranking.ts';

/** How scores of different systems are made comparable before they are added, within each query's own list. */
export type ScoreNormalisation = 'min-max' | 'z-score' | 'rank';

/** A system's list for one query with its weight. */
export interface WeightedRanking {
  readonly ranking: Ranking;
  readonly weight: number;
}

/**
 * Returns the reciprocal rank fusion of lists: the sum over lists of 1 / (k + rank), rank from 1; documents outside a list
 * add nothing; summed in the order of the lists. Cormack et al. 2009, k = 60.
 */
export function fuseReciprocalRanks(queryId: string, lists: readonly Ranking[], k = 60): Ranking {
  const sums = new Map<string, number>();
  for (const { documentIds } of lists)
    documentIds.forEach((id, i) => sums.set(id, (sums.get(id) ?? 0) + 1 / (k + i + 1)));
  return rank(queryId, [...sums.keys()], [...sums.values()]);
}

/**
 * Returns the weighted sum of normalised scores. A document that a list does not hold gets the least that the
 * normalisation gives there: 0 for min-max and rank, the lowest z-score of the list for z-score.
 * Errors (`fusion-weights`): a weight that is negative or not a number.
 */
export function fuseWeighted(
  queryId: string,
  lists: readonly WeightedRanking[],
  normalisation: ScoreNormalisation,
): Ranking {
  const wrong = lists.find(({ weight }) => !(weight >= 0 && weight < Infinity));
  if (wrong)
    throw new AppError('input', 'fusion-weights', `a weight of ${wrong.weight}: weights are numbers from 0`);
  const sums = new Map<string, number>();
  for (const { ranking } of lists) for (const id of ranking.documentIds) sums.set(id, 0);
  for (const { ranking, weight } of lists) {
    const normalised = normaliseScores(ranking.scores, normalisation);
    const least = normalisation === 'z-score' && normalised.length > 0 ? Math.min(...normalised) : 0;
    const own = new Map(ranking.documentIds.map((id, i) => [id, normalised[i] as number]));
    for (const [id, sum] of sums) sums.set(id, sum + weight * (own.get(id) ?? least));
  }
  return rank(queryId, [...sums.keys()], [...sums.values()]);
}

/**
 * Returns scores of one list made comparable. min-max: 0 for the lowest, 1 for the highest, 1 for all when they are equal.
 * z-score: distance from the mean in standard deviations (over all of the list, n in the denominator), 0 when all are equal.
 * rank: 1 for the first, falling evenly to 1/n for the last, places as ranked.
 */
export function normaliseScores(scores: ArrayLike<number>, normalisation: ScoreNormalisation): number[] {
  const values = Array.from(scores);
  const n = values.length;
  if (n === 0) return [];
  if (normalisation === 'rank') return values.map((_, i) => (n - i) / n);
  if (normalisation === 'min-max') {
    const low = Math.min(...values);
    const range = Math.max(...values) - low;
    return values.map((value) => (range === 0 ? 1 : (value - low) / range));
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n);
  return values.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
}
