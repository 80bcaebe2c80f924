/** How several p-values are corrected for one another. */
export type Correction = 'bonferroni' | 'holm' | 'holm-sidak' | 'benjamini-hochberg' | 'benjamini-yekutieli';

/**
 * Returns the adjusted p-values, in the given order: reject at level alpha where the adjusted p is at most alpha.
 * - `bonferroni`, `holm` (step-down, uniformly better), `holm-sidak` (needs independence): family-wise error rate.
 * - `benjamini-hochberg` (independent or positively dependent tests), `benjamini-yekutieli` (any): false discovery rate.
 * Throws RangeError for a p outside 0..1.
 */
export function adjustP(pValues: readonly number[], correction: Correction): number[] {
  const m = pValues.length;
  for (const p of pValues) if (!(p >= 0 && p <= 1)) throw new RangeError(`A p-value lies in 0..1, got ${p}.`);
  if (correction === 'bonferroni') return pValues.map((p) => Math.min(1, p * m));
  const order = pValues.map((_, i) => i).sort((i, j) => (pValues[i] as number) - (pValues[j] as number));
  const adjusted = new Array<number>(m).fill(1);
  if (correction === 'holm' || correction === 'holm-sidak') {
    let highest = 0;
    order.forEach((index, i) => {
      const p = pValues[index] as number;
      const left = m - i;
      // 1 - (1 - p)^left without cancellation for small p.
      const value = correction === 'holm' ? p * left : -Math.expm1(left * Math.log1p(-p));
      highest = Math.max(highest, Math.min(1, value));
      adjusted[index] = highest;
    });
    return adjusted;
  }
  let harmonic = 1;
  if (correction === 'benjamini-yekutieli') for (let i = 2; i <= m; i++) harmonic += 1 / i;
  let lowest = 1;
  for (let i = m - 1; i >= 0; i--) {
    const index = order[i] as number;
    // Divided by the share, as statsmodels does: p = alpha at the last place must give alpha and not a bit more.
    lowest = Math.min(lowest, (pValues[index] as number) / ((i + 1) / m / harmonic));
    adjusted[index] = lowest;
  }
  return adjusted;
}
