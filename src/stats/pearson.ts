import { studentTwoSided } from './student-t.ts';
import { mean } from './summation.ts';

/** A correlation with its two-sided p; both null where undefined (fewer than two pairs, or a constant list). */
export interface Correlation {
  readonly value: number | null;
  readonly p: number | null;
  readonly n: number;
}

/**
 * Returns Pearson's r with the p of Student's t on n - 2 degrees of freedom, as scipy's `pearsonr`; two pairs give p 1.
 * Throws RangeError when the lists differ in length.
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): Correlation {
  const n = x.length;
  if (y.length !== n) throw new RangeError(`Paired values have equal length, got ${n} and ${y.length}.`);
  const undefinedResult = { value: null, p: null, n };
  if (n < 2) return undefinedResult;
  const meanX = mean(x);
  const meanY = mean(y);
  let sumXX = 0;
  let sumYY = 0;
  let sumXY = 0;
  for (let i = 0; i < n; i++) {
    const dx = (x[i] as number) - meanX;
    const dy = (y[i] as number) - meanY;
    sumXX += dx * dx;
    sumYY += dy * dy;
    sumXY += dx * dy;
  }
  if (sumXX === 0 || sumYY === 0) return undefinedResult;
  const r = Math.max(-1, Math.min(1, sumXY / (Math.sqrt(sumXX) * Math.sqrt(sumYY))));
  return { value: r, p: correlationP(r, n), n };
}

/** Two-sided p of a correlation by Student's t; 1 for two pairs, where it tells nothing. */
export function correlationP(r: number, n: number): number {
  if (n <= 2) return 1;
  const degrees = n - 2;
  return studentTwoSided(r * Math.sqrt(degrees / ((1 + r) * (1 - r))), degrees);
}
