import { normalQuantile } from './normal.ts';

/** Error rates behind a minimum detectable difference. */
export interface PowerOptions {
  /** Two-sided significance level, default 0.05. */
  readonly alpha?: number;
  /** Default 0.80. */
  readonly power?: number;
}

/**
 * Returns the smallest true difference of two success rates that an exact paired comparison of `n` queries would find
 * with the wanted power, given that a share `discordantRate` of queries is solved by one system only. Null when not
 * even a wholly one-sided discordance of that size would be found. Source: Connor 1987 (normal approximation).
 */
export function detectableRateDifference(
  discordantRate: number,
  n: number,
  options: PowerOptions = {},
): number | null {
  if (!(discordantRate >= 0 && discordantRate <= 1))
    throw new RangeError(`The discordant rate lies in 0..1, got ${discordantRate}.`);
  const { alpha, beta } = normalDeviates(options);
  // Positive while a difference is too small to be found.
  const lack = (difference: number): number =>
    alpha * Math.sqrt(discordantRate) +
    beta * Math.sqrt(Math.max(0, discordantRate - difference * difference)) -
    difference * Math.sqrt(n);
  if (n <= 0 || discordantRate === 0 || lack(discordantRate) > 0) return null;
  let low = 0;
  let high = discordantRate;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (lack(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the smallest true mean difference that a paired test on `n` queries would find with the wanted power, given
 * the standard deviation of the per-query differences: (z(1 - alpha/2) + z(power)) * sd / sqrt(n). Null for n = 0.
 */
export function detectableMeanDifference(
  standardDeviation: number,
  n: number,
  options: PowerOptions = {},
): number | null {
  if (n <= 0 || !Number.isFinite(standardDeviation)) return null;
  const { alpha, beta } = normalDeviates(options);
  return ((alpha + beta) * standardDeviation) / Math.sqrt(n);
}

function normalDeviates({ alpha = 0.05, power = 0.8 }: PowerOptions): { alpha: number; beta: number } {
  if (!(alpha > 0 && alpha < 1 && power > 0 && power < 1))
    throw new RangeError(`Level and power lie between 0 and 1, got ${alpha} and ${power}.`);
  return { alpha: normalQuantile(1 - alpha / 2), beta: normalQuantile(power) };
}
