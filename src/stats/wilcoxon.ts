import { midranks } from './midranks.ts';
import { normalUpperTail } from './normal.ts';

/**
 * What happens to pairs without a difference: `wilcox` drops them, `pratt` ranks them and drops their ranks,
 * `zsplit` gives half of their ranks to each side.
 */
export type ZeroMethod = 'wilcox' | 'pratt' | 'zsplit';

export interface WilcoxonOptions {
  /** Default `wilcox`. */
  readonly zeroMethod?: ZeroMethod;
  /** Whether 0.5 is taken off |W - mean| in the normal approximation; default false. */
  readonly continuity?: boolean;
  /** `exact` needs differences without zeros and without ties; default `normal`. */
  readonly method?: 'normal' | 'exact';
}

export interface WilcoxonResult {
  /** The smaller of the two rank sums; null when no difference is left. */
  readonly w: number | null;
  /** Two-sided. */
  readonly p: number | null;
}

/** Returns Wilcoxon's signed-rank test on paired differences, two-sided, as scipy's `wilcoxon`. */
export function wilcoxon(differences: ArrayLike<number>, options: WilcoxonOptions = {}): WilcoxonResult {
  const zeroMethod = options.zeroMethod ?? 'wilcox';
  const all = Array.from(differences);
  const kept = zeroMethod === 'wilcox' ? all.filter((difference) => difference !== 0) : all;
  const n = kept.length;
  const zeros = kept.filter((difference) => difference === 0).length;
  if (n === 0 || (zeros === n && zeroMethod !== 'zsplit')) return { w: null, p: null };
  const { ranks, ties } = midranks(kept.map(Math.abs));
  let plus = 0;
  let minus = 0;
  let zeroRanks = 0;
  kept.forEach((difference, i) => {
    const rank = ranks[i] as number;
    if (difference > 0) plus += rank;
    else if (difference < 0) minus += rank;
    else zeroRanks += rank;
  });
  if (zeroMethod === 'zsplit') {
    plus += zeroRanks / 2;
    minus += zeroRanks / 2;
  }
  const w = Math.min(plus, minus);
  if (options.method === 'exact') {
    if (all.some((difference) => difference === 0) || ties.length > 0)
      throw new RangeError('The exact signed-rank test is for differences without zeros and without ties.');
    return { w, p: exactP(n, w) };
  }
  let expected = (n * (n + 1)) / 4;
  let spread = n * (n + 1) * (2 * n + 1);
  let tieSum = ties.reduce((sum, t) => sum + t ** 3 - t, 0);
  if (zeroMethod === 'pratt') {
    expected -= (zeros * (zeros + 1)) / 4;
    spread -= zeros * (zeros + 1) * (2 * zeros + 1);
    tieSum -= zeros ** 3 - zeros;
  }
  const error = Math.sqrt((spread - tieSum / 2) / 24);
  if (error === 0) return { w, p: null };
  const deviation = plus - expected;
  const corrected = options.continuity === true ? deviation - 0.5 * Math.sign(deviation) : deviation;
  return { w, p: Math.min(1, 2 * normalUpperTail(Math.abs(corrected / error))) };
}

/** P(rank sum <= w or as far on the other side) under 2^n equally likely sign patterns. */
function exactP(n: number, w: number): number {
  const chance = new Float64Array(w + 1);
  chance[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = w; sum >= 0; sum--)
      chance[sum] = ((chance[sum] as number) + (sum >= rank ? (chance[sum - rank] as number) : 0)) / 2;
  }
  return Math.min(1, 2 * chance.reduce((sum, value) => sum + value, 0));
}
