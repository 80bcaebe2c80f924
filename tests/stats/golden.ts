import { readFileSync } from 'node:fs';

/** Reads tests/golden/stats.json: values of numpy 2.4.6, scipy 1.17.1 and statsmodels 0.15.0, computed by running them. */
export const golden = JSON.parse(
  readFileSync(new URL('../golden/stats.json', import.meta.url), 'utf8'),
) as StatsGolden;

type Pair = [number, number];

export interface StatsGolden {
  stream: {
    seed: number;
    seedSequence: { pool32: number[]; stateWords64: string[] };
    pcg64: { state: string; inc: string; raw20: string[] };
    boundedIntegers: { first40: Record<string, number[]> };
    random10: number[];
    matrix5000x939: {
      sum: number;
      row0First10: number[];
      row4999Last10: number[];
      sumOfRow: Record<string, number>;
    };
  };
  mcnemar: {
    b: number;
    c: number;
    exact: number;
    log10Exact: number | null;
    midP: number;
    asymptotic: { chi2: number; p: number } | null;
    asymptoticCorrected: { chi2: number; p: number } | null;
    asymptoticEdwardsClamped?: { chi2: number; p: number };
  }[];
  bootstrap: {
    name: string;
    n: number;
    replicates: number;
    a: string | number[];
    b: string | number[];
    aMean: number;
    aCi95: Pair;
    aReplicates: { first5: number[]; standardError: number };
    bMean: number;
    bCi95: Pair;
    bReplicates: { first5: number[]; standardError: number };
    aMinusBMean: number;
    aMinusBCi95: Pair;
    aMinusBReplicates: { first5: number[]; standardError: number };
    ci90OfDifference: Pair;
  }[];
  correlation: {
    name: string;
    x: number[];
    y: number[];
    spearman: { rho: number | null; p: number | null };
    kendallTauB: { tau: number | null; pAsymptotic: number | null; pExact?: number };
    pearson: { r: number | null; p: number | null };
  }[];
  paired: {
    name: string;
    a: number[];
    b: number[];
    meanDifference: number;
    tTest: { t: number | null; p: number | null; df: number; ci95?: Pair };
    differencesRounded9: number[];
    wilcoxon: Record<string, { W: number | null; p: number | null }>;
    randomizationExact?: number;
    signTest: { positive: number; negative: number; p: number };
  }[];
  multiple: ({ p: number[] } & Record<
    'bonferroni' | 'holm' | 'benjaminiHochberg' | 'benjaminiYekutieli' | 'holmSidak',
    { adjusted: number[]; rejectAt05: boolean[] }
  >)[];
  agreement: {
    cohen: {
      table: number[][];
      kappa: number | null;
      standardError: number | null;
      ci95: [number | null, number | null];
      linearWeighted?: number | null;
      quadraticWeighted?: number | null;
    }[];
    fleiss: { subjectsByCategory: number[][]; kappa: number; randolph: number }[];
    krippendorffNominal: { unitsByRater: (number | null)[][]; alpha: number }[];
  };
  proportions: ({ successes: number; n: number } & Record<
    'wilson' | 'beta' | 'agresti_coull' | 'jeffreys' | 'normal' | 'wilson90',
    Pair
  >)[];
  quantiles: {
    values: number[];
    percent: number[];
    linear: number[];
    variance: number | null;
    median: number;
  }[];
  special: {
    normalQuantile: Pair[];
    normalSf: Pair[];
    chi2Sf1: Pair[];
    tSf: [number, number, number][];
    binomCdfHalf: [number, number, number][];
  };
}

/** |actual - expected| in units of |expected| (absolute where expected is 0). */
export function relativeError(actual: number, expected: number): number {
  if (Object.is(actual, expected) || actual === expected) return 0;
  return Math.abs(actual - expected) / (expected === 0 ? 1 : Math.abs(expected));
}
