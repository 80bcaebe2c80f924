import { midranks } from './midranks.ts';
import { pearson, type Correlation } from './pearson.ts';

/**
 * Returns Spearman's rho: Pearson's r of midranks, which is right with any number of ties, and its two-sided p by
 * Student's t (scipy's `spearmanr`). Null where one list is constant or holds fewer than two values.
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Correlation {
  if (x.length !== y.length)
    throw new RangeError(`Paired values have equal length, got ${x.length} and ${y.length}.`);
  return pearson(midranks(x).ranks, midranks(y).ranks);
}
