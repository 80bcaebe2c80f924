import type { Suite, SuiteResult } from '../contracts/judge.ts';
import type { Similarity } from '../contracts/search.ts';
import type { Ranking } from '../domain/ranking.ts';
import type { Side } from '../domain/texts.ts';

/** Vectors with the id of each row. */
export interface NamedVectors {
  readonly ids: readonly string[];
  readonly dimensions: number;
  /** Row-major, `ids.length` × `dimensions`. */
  readonly values: Float32Array;
}

/** Vectors that were encoded here and now. */
export interface EncodedAgain extends NamedVectors {
  /** SHA-256 of each of the model's files that were used. */
  readonly fileDigests: Readonly<Record<string, string>>;
  /** Largest change of a margin that the numerics check measured on this device; null when unchecked. */
  readonly probeError: number | null;
}

/** What levels 2 to 4 need done: by the page's workers, from wherever they are driven. */
export interface VerifyServices {
  search(
    documents: NamedVectors,
    queries: NamedVectors,
    request: { readonly k: number; readonly similarity: Similarity },
  ): Promise<readonly Ranking[]>;
  encode(texts: readonly { readonly id: string; readonly text: string }[], side: Side): Promise<EncodedAgain>;
  judge(suites: readonly Suite[]): Promise<readonly SuiteResult[]>;
}
