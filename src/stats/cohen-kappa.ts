import { normalQuantile } from './normal.ts';

/** How far apart two categories count: all alike, by distance, or by its square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

export interface CohenKappaResult {
  /** In -1..1; null where chance agreement is complete. */
  readonly kappa: number | null;
  /** Large-sample standard error (Fleiss, Cohen and Everitt 1969); unweighted only. */
  readonly standardError: number | null;
  /** kappa -+ 1.96 standard errors, not clipped. */
  readonly interval: readonly [number, number] | null;
  readonly n: number;
}

/**
 * Returns Cohen's kappa of a square table of counts, `table[i][j]` = items that the first rater put into category i and
 * the second into j. Throws RangeError when the table is not square.
 */
export function cohenKappa(
  table: readonly (readonly number[])[],
  weights: KappaWeights = 'none',
): CohenKappaResult {
  const size = table.length;
  if (table.some((row) => row.length !== size))
    throw new RangeError(
      `A table of two raters is square, got rows of ${table.map((row) => row.length).join(', ')}.`,
    );
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const share = table.map((row) => row.map((count) => count / n));
  const cell = (i: number, j: number): number => (share[i] as number[])[j] as number;
  const rows = share.map((row) => row.reduce((sum, value) => sum + value, 0));
  const columns = share.map((_, j) => share.reduce((sum, row) => sum + (row[j] as number), 0));
  const row = (i: number): number => rows[i] as number;
  const column = (j: number): number => columns[j] as number;
  const disagreement = (i: number, j: number): number => {
    if (weights === 'none') return i === j ? 0 : 1;
    return weights === 'linear' ? Math.abs(i - j) : (i - j) ** 2;
  };
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      observed += disagreement(i, j) * cell(i, j);
      expected += disagreement(i, j) * row(i) * column(j);
    }
  }
  if (n === 0 || !(expected > 0)) return { kappa: null, standardError: null, interval: null, n };
  const kappa = 1 - observed / expected;
  if (weights !== 'none') return { kappa, standardError: null, interval: null, n };
  const chance = 1 - expected;
  let spread = -((kappa - chance * (1 - kappa)) ** 2);
  for (let i = 0; i < size; i++) {
    spread += cell(i, i) * (1 - (row(i) + column(i)) * (1 - kappa)) ** 2;
    for (let j = 0; j < size; j++)
      if (i !== j) spread += cell(i, j) * (column(i) + row(j)) ** 2 * (1 - kappa) ** 2;
  }
  const standardError = Math.sqrt(Math.max(0, spread) / n) / expected;
  const half = normalQuantile(0.975) * standardError;
  return { kappa, standardError, interval: [kappa - half, kappa + half], n };
}

/** Returns the table of {@link cohenKappa} for two raters' labels of the same items; categories in order of appearance. */
export function ratingTable<T>(
  first: readonly T[],
  second: readonly T[],
): { categories: T[]; table: number[][] } {
  if (first.length !== second.length)
    throw new RangeError(`Two raters label the same items, got ${first.length} and ${second.length} labels.`);
  const categories = [...new Set([...first, ...second])];
  const index = new Map(categories.map((category, i) => [category, i]));
  const table = categories.map(() => categories.map(() => 0));
  first.forEach((label, k) => {
    const row = table[index.get(label) as number] as number[];
    const j = index.get(second[k] as T) as number;
    row[j] = (row[j] as number) + 1;
  });
  return { categories, table };
}
