import { studentQuantile, studentTwoSided } from './student-t.ts';
import { mean } from './summation.ts';

/** Result of a paired t-test. `t`, `p` and the interval are null where the differences do not vary or are fewer than two. */
export interface PairedTResult {
  readonly meanDifference: number;
  readonly t: number | null;
  readonly p: number | null;
  readonly degrees: number;
  /** Two-sided interval of the mean difference. */
  readonly interval: readonly [number, number] | null;
}

/** Returns Student's paired t-test on differences, two-sided. `level` is the interval's coverage, default 0.95. */
export function pairedT(differences: ArrayLike<number>, level = 0.95): PairedTResult {
  const n = differences.length;
  const meanDifference = mean(differences);
  const degrees = n - 1;
  const nothing = { meanDifference, t: null, p: null, degrees, interval: null };
  if (n < 2) return nothing;
  const error = standardDeviation(differences) / Math.sqrt(n);
  // A constant difference of computed values varies by rounding alone; a t of 1e16 from that would be no finding.
  if (!(error > 1e-14 * Math.abs(meanDifference)) || error === 0) return nothing;
  const t = meanDifference / error;
  const half = studentQuantile(1 - (1 - level) / 2, degrees) * error;
  return {
    meanDifference,
    t,
    p: studentTwoSided(t, degrees),
    degrees,
    interval: [meanDifference - half, meanDifference + half],
  };
}

/** Returns the sample standard deviation (divisor n - 1); NaN below two values. */
export function standardDeviation(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values));
}

/** Returns the sample variance (divisor n - 1); NaN below two values. */
export function variance(values: ArrayLike<number>): number {
  const n = values.length;
  if (n < 2) return NaN;
  const centre = mean(values);
  return mean(Float64Array.from(values, (value) => (value - centre) ** 2)) * (n / (n - 1));
}
