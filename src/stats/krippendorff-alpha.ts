/** How two labels differ: not at all or wholly, by the ranks between them, or by the square of their distance. */
export type AlphaMetric = 'nominal' | 'ordinal' | 'interval';

/**
 * Returns Krippendorff's alpha of any number of raters with missing labels (null): `units[u][r]` is rater r's label of
 * unit u. Null where fewer than two labels can be paired or all of them are equal. Labels are numbers; for `nominal`
 * only equality counts. Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | null)[])[],
  metric: AlphaMetric = 'nominal',
): number | null {
  const pairable = units
    .map((unit) => unit.filter((label): label is number => label !== null))
    .filter((labels) => labels.length > 1);
  const values = [...new Set(pairable.flat())].sort((a, b) => a - b);
  const index = new Map(values.map((value, i) => [value, i]));
  const size = values.length;
  const coincidence = new Float64Array(size * size);
  const totals = new Float64Array(size);
  for (const labels of pairable) {
    for (let i = 0; i < labels.length; i++) {
      const a = index.get(labels[i] as number) as number;
      totals[a] = (totals[a] as number) + 1;
      for (let j = 0; j < labels.length; j++) {
        if (i === j) continue;
        const b = index.get(labels[j] as number) as number;
        coincidence[a * size + b] = (coincidence[a * size + b] as number) + 1 / (labels.length - 1);
      }
    }
  }
  const n = totals.reduce((sum, count) => sum + count, 0);
  const distance = (a: number, b: number): number => {
    if (a === b) return 0;
    if (metric === 'nominal') return 1;
    if (metric === 'interval') return ((values[a] as number) - (values[b] as number)) ** 2;
    let between = -((totals[a] as number) + (totals[b] as number)) / 2;
    for (let i = Math.min(a, b); i <= Math.max(a, b); i++) between += totals[i] as number;
    return between ** 2;
  };
  let observed = 0;
  let expected = 0;
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      observed += (coincidence[a * size + b] as number) * distance(a, b);
      expected += (totals[a] as number) * (totals[b] as number) * distance(a, b);
    }
  }
  return expected > 0 ? 1 - ((n - 1) * observed) / expected : null;
}
