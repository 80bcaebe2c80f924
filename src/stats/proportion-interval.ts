import { betaQuantile } from './beta-function.ts';
import { normalQuantile } from './normal.ts';

/** How the interval of a share is made. Wilson's is the default everywhere. */
export type ProportionMethod = 'wilson' | 'clopper-pearson' | 'agresti-coull' | 'jeffreys' | 'normal';

/**
 * Returns the two-sided interval [low, high] of a share of `successes` among `n`, within 0..1; [0, 1] for n = 0.
 * Throws RangeError unless 0 <= successes <= n are whole numbers. Source: Brown, Cai and DasGupta 2001.
 */
export function proportionInterval(
  successes: number,
  n: number,
  method: ProportionMethod = 'wilson',
  level = 0.95,
): [number, number] {
  if (!Number.isInteger(n) || !Number.isInteger(successes) || successes < 0 || successes > n)
    throw new RangeError(`A share needs whole counts with 0 <= successes <= n, got ${successes} of ${n}.`);
  if (!(level > 0 && level < 1))
    throw new RangeError(`The level of an interval lies between 0 and 1, got ${level}.`);
  if (n === 0) return [0, 1];
  const tail = (1 - level) / 2;
  const failures = n - successes;
  switch (method) {
    case 'wilson': {
      const z = normalQuantile(1 - tail);
      const square = z * z;
      const centre = (successes + square / 2) / (n + square);
      const half = (z / (n + square)) * Math.sqrt((successes * failures) / n + square / 4);
      return clip(successes === 0 ? 0 : centre - half, failures === 0 ? 1 : centre + half);
    }
    case 'agresti-coull': {
      const z = normalQuantile(1 - tail);
      const total = n + z * z;
      const centre = (successes + (z * z) / 2) / total;
      const half = z * Math.sqrt((centre * (1 - centre)) / total);
      return clip(centre - half, centre + half);
    }
    case 'normal': {
      const share = successes / n;
      const half = normalQuantile(1 - tail) * Math.sqrt((share * (1 - share)) / n);
      return clip(share - half, share + half);
    }
    case 'clopper-pearson':
      return [
        successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
        failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
      ];
    case 'jeffreys':
      return [
        betaQuantile(tail, successes + 0.5, failures + 0.5),
        betaQuantile(1 - tail, successes + 0.5, failures + 0.5),
      ];
  }
}

function clip(low: number, high: number): [number, number] {
  return [Math.max(0, low), Math.min(1, high)];
}
