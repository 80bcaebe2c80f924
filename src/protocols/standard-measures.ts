const CUTOFFS = [1, 3, 5, 10, 100, 1_000];

/** nDCG, AP, recall, precision and reciprocal rank at 1, 3, 5, 10, 100, 1000, with nDCG@10 in front: what BEIR and its heirs report. */
export const GRADED_AT_STANDARD_CUTOFFS: readonly string[] = [
  'nDCG@10',
  ...['nDCG', 'AP', 'R', 'P', 'RR'].flatMap((name) => CUTOFFS.map((cutoff) => `${name}@${cutoff}`)),
].filter((name, i, all) => all.indexOf(name) === i);
