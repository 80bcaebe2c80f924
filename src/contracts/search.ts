/** The search worker's contract: vectors of documents and queries in, certified exact rankings out. Plain data only. */
import type { Ranking } from '../domain/ranking.ts';
import type { SetKey, StorePlace, VectorsBlock } from './blocks.ts';
import type { CallOptions } from './calls.ts';

/** `dot` of the vectors as they are, or their cosine (a zero vector has cosine 0 to everything). */
export type Similarity = 'cosine' | 'dot';

/** The largest k that a search takes. */
export const MAX_K = 1_000;

/**
 * The 8-bit form of a block's rows, made once by `packRows` and kept beside the float32 values. Independent of the
 * similarity. Layout: [panel of 8 rows][4 dimensions][row][4 bytes]; dimensions are padded with zeros to a multiple
 * of 4, rows to a multiple of 8.
 */
export interface PackedRows {
  readonly panels: Uint8Array;
  /** Four numbers a row: step between levels, norm, norm of the quantised row, norm of the residual. Norm NaN = refused. */
  readonly facts: Float64Array;
  /** Sum of the levels of each row. */
  readonly sums: Int32Array;
}

/** Consecutive documents as the search reads them: never more than one block a thread is in memory. */
export interface SearchBlock extends VectorsBlock {
  /** Document ids, one a row, distinct over the whole corpus. */
  readonly ids: readonly string[];
  /** Absent: packed when the block is loaded. */
  readonly packed?: PackedRows;
}

/** Query vectors, row-major, with one id a row. */
export interface QueryVectors {
  readonly ids: readonly string[];
  readonly dimensions: number;
  readonly values: Float32Array;
}

/** Which documents exist for which query. All of it acts before the cut to k. */
export interface Restrictions {
  /**
   * Bitmaps over corpus rows (bit `row & 7` of byte `row >> 3`). Several queries may share one: `bitmapOf` gives each
   * query's number, or -1 for a query that sees everything. A bitmap without a bit set leaves an empty ranking.
   */
  readonly visible?: { readonly bitmaps: readonly Uint8Array[]; readonly bitmapOf: Int32Array };
  /** Per query row: ids of documents that are taken out (anchors). Ids that no document has change nothing. */
  readonly excluded?: readonly (readonly string[])[];
}

/** What to search for. */
export interface SearchRequest extends Restrictions {
  readonly queries: QueryVectors;
  readonly similarity: Similarity;
  /** 1..1,000. Fewer documents than k: all of them are ranked. */
  readonly k: number;
}

/** A document row that was refused: named and never ranked. */
export interface RefusedRow {
  readonly row: number;
  readonly id: string;
  /** E.g. `component 3 is NaN`. */
  readonly reason: string;
}

/** What the search did, for people and for tests; no ranking depends on it. */
export interface SearchCounts {
  readonly documents: number;
  readonly queries: number;
  readonly blocks: number;
  /** Pairs whose score was computed in float64. */
  readonly rescored: number;
  /** Queries whose ranking is empty since no document is visible to them. */
  readonly emptyRankings: number;
  readonly kernel: KernelKind;
  readonly threads: number;
}

/** The certified rankings, one a query in the order of the request. */
export interface SearchAnswer {
  readonly rankings: readonly Ranking[];
  readonly refused: readonly RefusedRow[];
  readonly counts: SearchCounts;
}

/**
 * The fast pass: `dot7` (8 x 7 bit, one instruction a step), `wrap` (the same numbers in wrapping 16-bit sums, for
 * processors without that instruction), `wide` (8 x 16 bit in plain SIMD128). All give the same rankings.
 */
export type KernelKind = 'dot7' | 'wrap' | 'wide';

/** The compiled-from-AssemblyScript modules; each may be a URL to fetch or the bytes themselves. */
export interface KernelSources {
  readonly plain: string | Uint8Array;
  readonly relaxed: string | Uint8Array;
}

/** What is searched: complete sets of the store, which the worker reads itself. */
export interface StoredSearch {
  /** Set of documents blocks that holds the ids, in the row order of the vectors. */
  readonly documentsSet: SetKey<'documents'>;
  readonly documentVectors: SetKey<'vectors'>;
  /** Set of queries blocks that holds the ids, in the row order of the vectors. */
  readonly queriesSet: SetKey<'queries'>;
  readonly queryVectors: SetKey<'vectors'>;
  readonly similarity: Similarity;
  /** Which documents exist for which query; absent: all for all. */
  readonly visibilitySet?: SetKey<'visibility'>;
  /** Take each query's own anchor out of its ranking (CoREB's code-to-code). */
  readonly withoutAnchors?: boolean;
}

/** One thread's share of a search. */
export interface SearchShare {
  /** Of the blocks, this thread takes those with `index % of === part`. */
  readonly part: number;
  readonly of: number;
  /** What all threads know of each other's scores, in shared memory (`boardCells` int32); absent without cross-origin isolation. */
  readonly board?: Int32Array;
}

/** Wanted scores: per query row, ids of documents. */
export type WantedScores = readonly (readonly string[])[];

/** What the worker exposes. */
export interface SearchWorkerApi {
  /** Opens the store and compiles the kernel; must be called first. `kernel` forces one kind (tests, benchmarks). */
  open(place: StorePlace, sources: KernelSources, kernel?: KernelKind): Promise<KernelKind>;
  /** Searches this thread's share of the stored blocks. */
  searchStored(
    stored: StoredSearch,
    request: { readonly k: number } & Restrictions,
    share: SearchShare,
    options?: CallOptions,
  ): Promise<SearchAnswer>;
  /** float64 scores for wanted (query, document) pairs; NaN where there is no such document or it was refused. */
  scoresStored(stored: StoredSearch, wanted: WantedScores, options?: CallOptions): Promise<Float64Array[]>;
}
