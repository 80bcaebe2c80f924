const at = (name: string, cutoffs: readonly number[]): string[] =>
  cutoffs.map((cutoff) => `${name}@${cutoff}`);

/** What CoREB's A.6 lists, nDCG@10 in front; the protocol's level applies to all but nDCG. */
export const COREB_MEASURES: readonly string[] = [
  ...at('nDCG', [10, 1, 3, 5]),
  ...at('AP', [10, 100]),
  ...at('R', [1, 3, 5, 10, 100]),
  ...at('RR', [10]),
  ...at('P', [1, 3, 5, 10]),
];
