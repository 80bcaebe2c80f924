/** Numbers of a BM25 formula. */
export interface Bm25Parameters {
  /** How fast repeated terms stop counting. */
  readonly k1: number;
  /** How much longer documents are held back: 0 to 1. */
  readonly b: number;
  /** What a document gets beyond the lower bound (BM25+, BM25L). */
  readonly delta: number;
}

/** Of a corpus: how many documents have a term, how many documents there are, and the mean of all terms' plain idf. */
export interface TermStatistics {
  readonly documentFrequency: number;
  readonly documents: number;
  /** Mean over the vocabulary of ln(N - df + .5) - ln(df + .5); only rank-bm25's Okapi needs it. */
  readonly meanIdf: () => number;
}

/** One of the formulas called BM25. */
export interface Bm25Variant {
  /** Unique; what `--variant` takes and records say. */
  readonly id: string;
  readonly about: string;
  readonly formula: string;
  readonly parameters: Bm25Parameters;
  readonly idf: (statistics: TermStatistics) => number;
  /** Weight of a term that occurs `tf` times (0 included) in a document; norm = 1 - b + b × length / mean length. */
  readonly weight: (tf: number, norm: number, parameters: Bm25Parameters) => number;
}

const BM25S: Bm25Parameters = { k1: 1.5, b: 0.75, delta: 0.5 };

const saturated = (tf: number, norm: number, { k1 }: Bm25Parameters): number => tf / (tf + k1 * norm);
const scaled = (tf: number, norm: number, { k1 }: Bm25Parameters): number =>
  (tf * (k1 + 1)) / (tf + k1 * norm);
const shifted = (c: number, { k1, delta }: Bm25Parameters): number =>
  ((k1 + 1) * (c + delta)) / (k1 + c + delta);

/** What rank-bm25's Okapi gives terms of negative idf: this share of the mean. */
const EPSILON = 0.25;

/** Plain idf of Robertson and Sparck Jones, negative for terms in more than half of the documents. */
export function plainIdf(documentFrequency: number, documents: number): number {
  return Math.log(documents - documentFrequency + 0.5) - Math.log(documentFrequency + 0.5);
}

/** Every variant, the default first. The first five as bm25s computes them, the last three as rank-bm25 does. */
export const BM25_VARIANTS: readonly Bm25Variant[] = [
  {
    id: 'lucene',
    about: 'Lucene: idf never negative, no factor (k1 + 1)',
    formula: 'ln(1 + (N - df + .5) / (df + .5)) × tf / (tf + k1 × norm)',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log(1 + (n - df + 0.5) / (df + 0.5)),
    weight: saturated,
  },
  {
    id: 'robertson',
    about: 'Robertson: terms in half of the documents or more weigh nothing',
    formula: 'ln(max(1, (N - df + .5) / (df + .5))) × tf / (tf + k1 × norm)',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log(Math.max(1, (n - df + 0.5) / (df + 0.5))),
    weight: saturated,
  },
  {
    id: 'atire',
    about: 'ATIRE: idf ln(N / df)',
    formula: 'ln(N / df) × tf × (k1 + 1) / (tf + k1 × norm)',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log(n / df),
    weight: scaled,
  },
  {
    id: 'bm25+',
    about: 'BM25+: every document gets delta for every term of the query',
    formula: 'ln((N + 1) / df) × (tf × (k1 + 1) / (tf + k1 × norm) + delta)',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log((n + 1) / df),
    weight: (tf, norm, parameters) => scaled(tf, norm, parameters) + parameters.delta,
  },
  {
    id: 'bm25l',
    about: 'BM25L: long documents are held back less',
    formula: 'ln((N + 1) / (df + .5)) × (k1 + 1)(c + delta) / (k1 + c + delta), c = tf / norm',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log((n + 1) / (df + 0.5)),
    weight: (tf, norm, parameters) => shifted(tf / norm, parameters),
  },
  {
    id: 'rank-bm25-okapi',
    about: "rank-bm25's Okapi: a negative idf becomes a quarter of the mean idf",
    formula:
      'idf × tf × (k1 + 1) / (tf + k1 × norm), idf = ln(N - df + .5) - ln(df + .5) or .25 × mean where negative',
    parameters: BM25S,
    idf: ({ documentFrequency, documents, meanIdf }) => {
      const idf = plainIdf(documentFrequency, documents);
      return idf < 0 ? EPSILON * meanIdf() : idf;
    },
    weight: scaled,
  },
  {
    id: 'rank-bm25-plus',
    about: "rank-bm25's Plus: as bm25+ with delta 1",
    formula: 'ln((N + 1) / df) × (delta + tf × (k1 + 1) / (tf + k1 × norm))',
    parameters: { ...BM25S, delta: 1 },
    idf: ({ documentFrequency: df, documents: n }) => Math.log((n + 1) / df),
    weight: (tf, norm, parameters) => parameters.delta + scaled(tf, norm, parameters),
  },
  {
    id: 'rank-bm25-l',
    about: "rank-bm25's L: as bm25l, times tf once more",
    formula: 'ln((N + 1) / (df + .5)) × tf × (k1 + 1)(c + delta) / (k1 + c + delta), c = tf / norm',
    parameters: BM25S,
    idf: ({ documentFrequency: df, documents: n }) => Math.log(n + 1) - Math.log(df + 0.5),
    weight: (tf, norm, parameters) => tf * shifted(tf / norm, parameters),
  },
];
