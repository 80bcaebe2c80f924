import { midranks } from './midranks.ts';
import { normalUpperTail } from './normal.ts';

/** Kendall's tau-b with its p-values; null where undefined. */
export interface KendallResult {
  readonly tau: number | null;
  /** Normal approximation with the variance under ties; null below three pairs. */
  readonly pAsymptotic: number | null;
  /** From the exact distribution; null when there are ties or more than 170 pairs. */
  readonly pExact: number | null;
  readonly n: number;
}

/** Returns Kendall's tau-b (ties in either list allowed), by counting pairs: quadratic, meant for lists of systems. */
export function kendallTauB(x: ArrayLike<number>, y: ArrayLike<number>): KendallResult {
  const n = x.length;
  if (y.length !== n) throw new RangeError(`Paired values have equal length, got ${n} and ${y.length}.`);
  let concordant = 0;
  let discordant = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const sign = Math.sign(((x[i] as number) - (x[j] as number)) * ((y[i] as number) - (y[j] as number)));
      // A product may underflow to 0: compare signs instead where it is 0.
      const direction =
        sign !== 0
          ? sign
          : Math.sign((x[i] as number) - (x[j] as number)) * Math.sign((y[i] as number) - (y[j] as number));
      if (direction > 0) concordant++;
      else if (direction < 0) discordant++;
    }
  }
  const tiesX = midranks(x).ties;
  const tiesY = midranks(y).ties;
  const pairs = (n * (n - 1)) / 2;
  const tiedPairs = (ties: readonly number[]): number => sumOf(ties, (t) => (t * (t - 1)) / 2);
  const pairsX = pairs - tiedPairs(tiesX);
  const pairsY = pairs - tiedPairs(tiesY);
  if (pairsX === 0 || pairsY === 0) return { tau: null, pAsymptotic: null, pExact: null, n };
  const difference = concordant - discordant;
  const tau = Math.max(-1, Math.min(1, difference / Math.sqrt(pairsX) / Math.sqrt(pairsY)));
  const untied = tiesX.length === 0 && tiesY.length === 0;
  return {
    tau,
    pAsymptotic: n > 2 ? asymptoticP(difference, n, tiesX, tiesY) : null,
    pExact: untied && n <= 170 ? exactP(n, Math.min(concordant, discordant)) : null,
    n,
  };
}

function asymptoticP(
  difference: number,
  n: number,
  tiesX: readonly number[],
  tiesY: readonly number[],
): number {
  const m = n * (n - 1);
  const x0 = sumOf(tiesX, (t) => t * (t - 1) * (t - 2));
  const y0 = sumOf(tiesY, (t) => t * (t - 1) * (t - 2));
  const x1 = sumOf(tiesX, (t) => t * (t - 1) * (2 * t + 5));
  const y1 = sumOf(tiesY, (t) => t * (t - 1) * (2 * t + 5));
  const xPairs = sumOf(tiesX, (t) => (t * (t - 1)) / 2);
  const yPairs = sumOf(tiesY, (t) => (t * (t - 1)) / 2);
  const variance =
    (m * (2 * n + 5) - x1 - y1) / 18 + (2 * xPairs * yPairs) / m + (x0 * y0) / (9 * m * (n - 2));
  return Math.min(1, 2 * normalUpperTail(Math.abs(difference) / Math.sqrt(variance)));
}

/** Share of permutations with at most `inversions` inversions or at least as many the other way. */
function exactP(n: number, inversions: number): number {
  const most = (n * (n - 1)) / 2;
  if (n < 2) return 1;
  if (2 * inversions === most) return 1;
  // chance[k] = P(k inversions) among permutations of the first j values; dividing as we go keeps it in range.
  let chance = new Float64Array(inversions + 1);
  chance[0] = 1;
  for (let j = 2; j <= n; j++) {
    const next = new Float64Array(inversions + 1);
    let window = 0;
    for (let k = 0; k <= inversions; k++) {
      window += chance[k] as number;
      if (k >= j) window -= chance[k - j] as number;
      next[k] = window / j;
    }
    chance = next;
  }
  return Math.min(1, 2 * chance.reduce((sum, value) => sum + value, 0));
}

function sumOf(values: readonly number[], of: (value: number) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0);
}
