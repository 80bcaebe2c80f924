/** From what a published number can be computed again. Plain data: src/verify does the arithmetic. */
export type Derivation =
  /** `of` / `in` × `scale` (default 1): a rate from published counts. */
  | { readonly kind: 'ratio'; readonly of: number; readonly in: number; readonly scale?: number }
  | { readonly kind: 'sum'; readonly of: readonly number[] }
  | { readonly kind: 'mean'; readonly of: readonly number[]; readonly weights?: readonly number[] }
  /** a - b. */
  | { readonly kind: 'difference'; readonly a: number; readonly b: number }
  /** a × b. */
  | { readonly kind: 'product'; readonly of: readonly number[] }
  /** Exact two-sided McNemar from discordant pairs. */
  | { readonly kind: 'mcnemar'; readonly aOnly: number; readonly bOnly: number }
  | { readonly kind: 'spearman'; readonly x: readonly number[]; readonly y: readonly number[] }
  /** A metric of a released results file of ExecRetrieval. */
  | {
      readonly kind: 'released-metric';
      readonly system: string;
      readonly metric: string;
      readonly part?: 'value' | 'low' | 'high';
    }
  /** Of the rank-1 misses of a released file. */
  | {
      readonly kind: 'released-near-clones';
      readonly system: string;
      readonly part: 'count' | 'misses' | 'share';
    }
  /** Two released systems on a 0/1 metric: a less b, or exact McNemar's p. */
  | {
      readonly kind: 'released-pair';
      readonly a: string;
      readonly b: string;
      readonly metric: string;
      readonly part: 'difference' | 'low' | 'high' | 'p';
    }
  /** Over all released systems. */
  | {
      readonly kind: 'released-board';
      readonly part: 'systems' | 'median-systems' | 'solved-by-none' | 'date-time';
    }
  /** Neither our copy of the paper nor the released files hold what it takes. */
  | { readonly kind: 'not-here'; readonly why: string };

/** One number that a paper states. */
export interface PaperClaim {
  /** Unique within the paper. */
  readonly id: string;
  /** Where it stands: `Table 3`, `Main findings 1`, `section 4.2` …: one of the paper's places. */
  readonly place: string;
  readonly statement: string;
  readonly value: number;
  /** Decimals to which the paper rounds; p-values: see `significant`. */
  readonly decimals: number;
  /** Significant digits instead of decimals, for p-values in powers of ten. */
  readonly significant?: number;
  readonly from: Derivation;
  /** How far the result may be off because its inputs are rounded themselves; default 0. */
  readonly inputError?: number;
}

/** A paper with all numbers that it states, and the places (tables, findings, figures) that must have a claim. */
export interface PaperClaims {
  readonly id: 'execretrieval' | 'coreb' | 'core-bench';
  readonly title: string;
  readonly places: readonly string[];
  readonly claims: readonly PaperClaim[];
}

/** Shorthand for a claim that cannot be recomputed here. */
export function notHere(why: string): Derivation {
  return { kind: 'not-here', why };
}
