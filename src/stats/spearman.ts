import { midranks } from './midranks.ts';
import { normalQuantile } from './normal.ts';
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

/**
 * Returns the two-sided interval of Spearman's rho by Fisher's z with Bonett and Wright's standard error
 * sqrt((1 + rho^2 / 2) / (n - 3)); null below four pairs, where it has none. Source: Bonett and Wright 2000.
 */
export function spearmanInterval(rho: number, n: number, level = 0.95): [number, number] | null {
  if (n < 4 || !(Math.abs(rho) <= 1)) return null;
  if (Math.abs(rho) === 1) return [rho, rho];
  const half = normalQuantile((1 + level) / 2) * Math.sqrt((1 + (rho * rho) / 2) / (n - 3));
  const z = Math.atanh(rho);
  return [Math.tanh(z - half), Math.tanh(z + half)];
}
