import type { ExecutionTask } from '../benchmarks/execution-task.ts';
import type { Digest } from '../domain/digest.ts';
import type { Verdict } from '../domain/verdict.ts';

export type { Distractor, ExecutionTask } from '../benchmarks/execution-task.ts';

/** No block is larger than this many bytes, so that every thread's memory stays bounded whatever the corpus. */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024;

/** Documents in corpus order. All arrays have the same length. */
export interface DocumentsBlock {
  readonly ids: readonly string[];
  /** As the source has them, leading blanks included; the protocol's template is applied where they are embedded. */
  readonly texts: readonly string[];
  /** Empty string where a document has none; absent when no document of the block has one. */
  readonly titles?: readonly string[];
  /** Programming language in lower case; empty string where unknown. */
  readonly languages?: readonly string[];
  /** What else a benchmark says of a document (bug type, pass rate …) as JSON text; empty string where nothing. */
  readonly extras?: readonly string[];
}

/** Queries in file order. All arrays have the same length. */
export interface QueriesBlock {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** Slice labels (domain, subtask, language …) and what else a benchmark says, as JSON text; empty string where nothing. */
  readonly extras?: readonly string[];
}

/** Judgements as parallel arrays: one entry for each (query, document) pair that has a grade. */
export interface QrelsBlock {
  readonly queryIds: readonly string[];
  readonly documentIds: readonly string[];
  readonly grades: Int32Array;
}

/** Which documents exist for each query: one bitmap a query over the corpus rows, bit `row & 7` of byte `row >> 3`. */
export interface VisibilityBlock {
  readonly queryIds: readonly string[];
  /** Bytes of one bitmap: ceil(documents / 8). */
  readonly bytesPerQuery: number;
  /** queryIds.length × bytesPerQuery bytes. */
  readonly bitmaps: Uint8Array;
}

/** Vectors of consecutive rows, row-major. */
export interface VectorsBlock {
  /** The corpus (or query) row of the first vector. */
  readonly firstRow: number;
  readonly rows: number;
  readonly dimensions: number;
  /** rows × dimensions float32 values. */
  readonly values: Float32Array;
}

/** Verdicts by what was run: SHA-256 of the code and of the suite. All arrays have the same length. */
export interface VerdictsBlock {
  readonly codeDigests: readonly Digest[];
  readonly suiteDigests: readonly Digest[];
  readonly verdicts: readonly Verdict[];
  /** Outcome of each test as JSON text; empty string where unknown. */
  readonly tests?: readonly string[];
}

/** Execution tasks in query order. */
export interface ExecutionBlock {
  readonly tasks: readonly ExecutionTask[];
}

/** A stretch of a file's bytes. */
export interface FileBlock {
  readonly bytes: Uint8Array;
}

/** Rankings as parallel arrays: query `i` owns entries offsets[i] up to offsets[i + 1], in rank order. */
export interface RankingsBlock {
  readonly queryIds: readonly string[];
  /** queryIds.length + 1 offsets. */
  readonly offsets: Uint32Array;
  readonly documentIds: readonly string[];
  readonly scores: Float64Array;
}

/** What a set's manifest says beside its blocks; digests are of canonical content, not of the block's bytes. */
export interface TextsMeta {
  /** SHA-256 over the rows' canonical JSON lines; known once the set is complete. */
  readonly digest?: Digest;
  /** Where the rows came from, in words a person can follow. */
  readonly source: string;
}

/** Everything that makes one set of vectors differ from another; its canonical JSON is the set's key. */
export interface VectorsMeta {
  readonly model: string;
  /** Digest over the model's files. */
  readonly modelDigest: Digest;
  readonly dtype: string;
  readonly device: string;
  /** The side's prompt or template, pooling, truncation: whatever else was applied. */
  readonly encoding: Readonly<Record<string, string | number | boolean | null>>;
  readonly side: 'query' | 'document';
  /** Digest of the encoded texts' set. */
  readonly textsDigest: Digest;
  readonly dimensions: number;
  readonly rows: number;
  /** What the encoder wants to keep beside the vectors (texts truncated, probe error …). */
  readonly notes?: Readonly<Record<string, string | number | boolean | null>>;
}

/** One file of a model, as it was served. */
export interface FileMeta {
  /** The group that the storage view shows, e.g. a model's id. */
  readonly group: string;
  readonly path: string;
  readonly contentType: string;
  /** SHA-256 of the whole file; known once complete. */
  readonly digest?: Digest;
  readonly source: string;
}

/** Where verdicts were made: two environments never share a set. */
export interface VerdictsMeta {
  readonly environment: string;
  readonly source: string;
}

/** What was ranked, with which vectors, under which protocol. */
export interface RankingsMeta {
  readonly benchmarkDigest: Digest;
  readonly description: Readonly<Record<string, string | number | boolean | null>>;
}

/** What each kind of set holds. */
export interface SetShapes {
  documents: { block: DocumentsBlock; meta: TextsMeta };
  queries: { block: QueriesBlock; meta: TextsMeta };
  qrels: { block: QrelsBlock; meta: TextsMeta };
  visibility: { block: VisibilityBlock; meta: TextsMeta };
  execution: { block: ExecutionBlock; meta: TextsMeta };
  vectors: { block: VectorsBlock; meta: VectorsMeta };
  verdicts: { block: VerdictsBlock; meta: VerdictsMeta };
  file: { block: FileBlock; meta: FileMeta };
  rankings: { block: RankingsBlock; meta: RankingsMeta };
}

/** The kinds of sets. */
export type SetKind = keyof SetShapes;

/** Names a set, e.g. `vectors:3f…`: its kind, a colon, and anything that is unique among that kind. */
export type SetKey<K extends SetKind = SetKind> = `${K}:${string}`;

/** One block as the manifest lists it. */
export interface BlockEntry {
  /** 0-based position in the set. */
  readonly index: number;
  /** Rows before this block. */
  readonly firstRow: number;
  /** Documents, queries, judgements, vectors, tasks …; for a file, its bytes. */
  readonly rows: number;
  /** Stored bytes. */
  readonly bytes: number;
  /** SHA-256 of the stored bytes (content part). */
  readonly digest: Digest;
  /** SHA-256 of the ids part, which is stored apart so that ids can be read without texts. */
  readonly idsDigest?: Digest;
  /** Where the writer goes on after this block (position in the source, hash state …), as plain data of its own making. */
  readonly resume?: unknown;
}

/** A set as the store knows it. Blocks that are not listed here do not exist. */
export interface Manifest<K extends SetKind = SetKind> {
  readonly key: SetKey<K>;
  readonly kind: K;
  /** In order of `index`, without gaps. */
  readonly blocks: readonly BlockEntry[];
  /** Only a complete set may be evaluated. */
  readonly complete: boolean;
  readonly meta: SetShapes[K]['meta'];
  /** Sum of the blocks' rows. */
  readonly rows: number;
  /** Sum of the blocks' bytes. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/**
 * Where a worker finds the store. `indexeddb` is reached by every thread on its own; `memory` lives in the data worker
 * (no IndexedDB, or plain http without Web Locks) and is reached through a port, which must be transferred.
 */
export type StorePlace =
  { readonly kind: 'indexeddb' } | { readonly kind: 'memory'; readonly port: MessagePort };
