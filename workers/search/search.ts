import {
  MAX_K,
  type QueryVectors,
  type RefusedRow,
  type Restrictions,
  type SearchAnswer,
  type SearchBlock,
  type SearchRequest,
  type Similarity,
  type WantedScores,
} from '../../src/contracts/search.ts';
import { abortedError, type CallOptions } from '../../src/contracts/calls.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { compareRanked, type Ranking } from '../../src/domain/ranking.ts';
import { chooseTile, type Kernel, type KernelExports, type TileChoice } from './kernel-module.ts';
import { cosineOf, Pass, type ThresholdBoard } from './pass.ts';
import { QueryTile } from './query-tile.ts';
import { writeRestrictions, type ExclusionIndex, indexExclusions } from './restrictions.ts';
import { RowArena } from './rows.ts';
import { TopK } from './top-k.ts';
import { WasmHeap } from './wasm-heap.ts';

/** Queries whose candidates are in memory at once; more are searched tile by tile, block by block. */
const TILE_QUERIES = 1_024;

/** Blocks in any order, each document in exactly one of them. */
export type Blocks = AsyncIterable<SearchBlock> | Iterable<SearchBlock>;

/** What may be set for tests and for threads; no ranking depends on any of it. */
export interface SearchSettings {
  readonly board?: ThresholdBoard;
  /** Rows that pass between two looks at the candidates; a multiple of 8. */
  readonly groupRows?: number;
  readonly options?: CallOptions;
}

interface TileState {
  readonly first: number;
  readonly queries: QueryTile;
  readonly best: TopK[];
}

/**
 * Searches blocks as they come: each is copied into the kernel's memory, searched by every query, and forgotten.
 * Returns rankings equal, bit for bit, to a float64 scan in the total order, for every order and size of blocks.
 * Throws AppError for k out of range, queries that are not finite, and blocks of other dimensions.
 */
export async function searchBlocks(
  kernel: Kernel,
  blocks: Blocks,
  request: SearchRequest,
  settings: SearchSettings = {},
): Promise<SearchAnswer> {
  const search = new BlockSearch(kernel, request, settings);
  const signal = settings.options?.signal;
  for await (const block of blocks) {
    if (signal?.aborted) throw abortedError();
    search.add(block);
    settings.options?.onProgress?.({ step: 'search', done: search.documents, unit: 'documents' });
  }
  return search.finish();
}

/** A streaming search in the making: `add` every block, then `finish`. */
export class BlockSearch {
  documents = 0;
  readonly #kernel: Kernel;
  readonly #exports: KernelExports;
  readonly #request: SearchRequest;
  readonly #settings: SearchSettings;
  readonly #exclusions: ExclusionIndex;
  readonly #tile: TileChoice;
  readonly #refused: RefusedRow[] = [];
  #heap: WasmHeap;
  #tiles: TileState[];
  #arena: RowArena | undefined;
  #pass: Pass | undefined;
  #afterQueries: number;
  #blocks = 0;
  #candidates = 0;
  #rescored = 0;

  constructor(kernel: Kernel, request: SearchRequest, settings: SearchSettings = {}) {
    checkRequest(request);
    this.#kernel = kernel;
    this.#exports = kernel.instantiate();
    this.#request = request;
    this.#settings = settings;
    this.#exclusions = indexExclusions(request.excluded);
    this.#heap = new WasmHeap(this.#exports.memory);
    this.#tile = chooseTile(this.#exports, kernel.kind, Math.min(TILE_QUERIES, request.queries.ids.length));
    this.#tiles = makeTiles(this.#exports, this.#heap, this.#tile, request);
    this.#afterQueries = this.#heap.mark();
  }

  /** Searches one block. Any number of rows, though memory is a few times its bytes. */
  add(block: SearchBlock): void {
    const arena = this.#arenaFor(block);
    arena.clear();
    arena.load(block);
    this.#refused.push(...arena.refused);
    this.#blocks++;
    this.documents += block.rows;
    runTiles(
      this.#heap,
      arena,
      this.#pass as Pass,
      this.#tiles,
      this.#request,
      this.#exclusions,
      this.#tile,
      this.#settings.board,
    );
  }

  /** Returns the answer; the search must not be used afterwards. */
  finish(): SearchAnswer {
    this.#collect();
    const rankings = rankingsOf(this.#tiles, this.#request.queries);
    return {
      rankings,
      refused: this.#refused,
      counts: {
        documents: this.documents,
        queries: rankings.length,
        blocks: this.#blocks,
        candidates: this.#candidates,
        rescored: this.#rescored,
        emptyRankings: rankings.filter((ranking) => ranking.documentIds.length === 0).length,
        kernel: this.#kernel.kind,
        threads: 1,
      },
    };
  }

  #collect(): void {
    if (this.#pass === undefined) return;
    this.#candidates += this.#pass.candidates;
    this.#rescored += this.#pass.rescored;
  }

  /** The arena is made for the first block and again only for a larger one. */
  #arenaFor(block: SearchBlock): RowArena {
    if (this.#arena !== undefined && block.rows <= this.#arena.capacity) return this.#arena;
    this.#collect();
    this.#heap.release(this.#afterQueries);
    const { queries, similarity, k } = this.#request;
    this.#arena = new RowArena(this.#exports, this.#heap, queries.dimensions, block.rows);
    this.#pass = new Pass(
      this.#exports,
      this.#heap,
      this.#arena,
      this.#tile,
      Math.min(TILE_QUERIES, queries.ids.length),
      similarity,
      k,
      this.#settings.groupRows,
    );
    return this.#arena;
  }
}

/**
 * Documents that stay in the kernel's memory under a stated budget, for search after search (one query at a time
 * over the same corpus). Holds memory until it is garbage: drop the reference to dispose of it.
 */
export class ResidentSearch {
  readonly #kernel: Kernel;
  readonly #exports: KernelExports;
  readonly #heap: WasmHeap;
  readonly #arena: RowArena;

  /** Room for `rows` rows, each block rounded up to 8. */
  constructor(kernel: Kernel, dimensions: number, rows: number) {
    this.#kernel = kernel;
    this.#exports = kernel.instantiate();
    this.#heap = new WasmHeap(this.#exports.memory);
    this.#arena = new RowArena(this.#exports, this.#heap, dimensions, rows);
  }

  /** Adds a block; throws `arena-full` when there is no room. */
  load(block: SearchBlock): void {
    this.#arena.load(block);
  }

  /** Bytes of the kernel's memory. */
  get memoryBytes(): number {
    return this.#heap.memory.buffer.byteLength;
  }

  /** Searches everything loaded. Same answers as {@link searchBlocks}. */
  search(request: SearchRequest, settings: SearchSettings = {}): SearchAnswer {
    checkRequest(request);
    const arena = this.#arena;
    if (request.queries.dimensions !== arena.dimensions) {
      throw dimensionMismatch(request.queries.dimensions, arena.dimensions);
    }
    const mark = this.#heap.mark();
    try {
      const queries = Math.min(TILE_QUERIES, request.queries.ids.length);
      const tile = chooseTile(this.#exports, this.#kernel.kind, queries);
      const tiles = makeTiles(this.#exports, this.#heap, tile, request);
      const { similarity, k } = request;
      const pass = new Pass(
        this.#exports,
        this.#heap,
        arena,
        tile,
        queries,
        similarity,
        k,
        settings.groupRows,
      );
      const exclusions = indexExclusions(request.excluded);
      runTiles(this.#heap, arena, pass, tiles, request, exclusions, tile, settings.board);
      const rankings = rankingsOf(tiles, request.queries);
      return {
        rankings,
        refused: arena.refused,
        counts: {
          documents: arena.blocks.reduce((sum, block) => sum + block.ids.length, 0),
          queries: rankings.length,
          blocks: arena.blocks.length,
          candidates: pass.candidates,
          rescored: pass.rescored,
          emptyRankings: rankings.filter((ranking) => ranking.documentIds.length === 0).length,
          kernel: this.#kernel.kind,
          threads: 1,
        },
      };
    } finally {
      this.#heap.release(mark);
    }
  }
}

/** Returns the rankings of all shares merged by the total order and cut to k: the answer of one search over all. */
export function mergeAnswers(answers: readonly SearchAnswer[], k: number): SearchAnswer {
  const [first, ...others] = answers;
  if (first === undefined) throw new AppError('internal', 'no-answers', 'There is nothing to merge.');
  if (others.length === 0) return first;
  const rankings = first.rankings.map((ranking, query) =>
    others.reduce((merged, answer) => mergeRankings(merged, answer.rankings[query] as Ranking, k), ranking),
  );
  const sum = (key: 'documents' | 'blocks' | 'candidates' | 'rescored'): number =>
    answers.reduce((total, answer) => total + answer.counts[key], 0);
  return {
    rankings,
    refused: answers.flatMap((answer) => answer.refused).sort((a, b) => a.row - b.row),
    counts: {
      ...first.counts,
      documents: sum('documents'),
      blocks: sum('blocks'),
      candidates: sum('candidates'),
      rescored: sum('rescored'),
      emptyRankings: rankings.filter((ranking) => ranking.documentIds.length === 0).length,
      threads: answers.length,
    },
  };
}

/** Merges two rankings of different documents in one walk along both. */
function mergeRankings(a: Ranking, b: Ranking, k: number): Ranking {
  const length = Math.min(k, a.documentIds.length + b.documentIds.length);
  const documentIds = new Array<string>(length);
  const scores = new Float64Array(length);
  let i = 0;
  let j = 0;
  for (let at = 0; at < length; at++) {
    const idA = a.documentIds[i];
    const idB = b.documentIds[j];
    const takeA =
      idB === undefined ||
      (idA !== undefined && compareRanked(a.scores[i] as number, idA, b.scores[j] as number, idB) < 0);
    documentIds[at] = (takeA ? idA : idB) as string;
    scores[at] = (takeA ? a.scores[i++] : b.scores[j++]) as number;
  }
  return { queryId: a.queryId, documentIds, scores };
}

/**
 * Returns the float64 scores of wanted documents, one array a query, in the order wanted: the very numbers by which
 * they are ranked. NaN where the blocks hold no such document or its row was refused. Restrictions do not matter here.
 */
export async function scoresOf(
  kernel: Kernel,
  blocks: Blocks,
  request: { readonly queries: QueryVectors; readonly similarity: Similarity },
  wanted: WantedScores,
  options?: CallOptions,
): Promise<Float64Array[]> {
  checkQueries(request.queries);
  const { queries, similarity } = request;
  const exports = kernel.instantiate();
  const heap = new WasmHeap(exports.memory);
  const tile = chooseTile(exports, kernel.kind, queries.ids.length);
  const state = new QueryTile(
    exports,
    heap,
    tile,
    queries.values,
    queries.ids,
    queries.dimensions,
    similarity,
  );
  const places = new Map<string, { query: number; place: number }[]>();
  const scores = wanted.map((ids, query) => {
    ids.forEach((id, place) => {
      const list = places.get(id);
      if (list) list.push({ query, place });
      else places.set(id, [{ query, place }]);
    });
    return new Float64Array(ids.length).fill(NaN);
  });
  const afterQueries = heap.mark();
  for await (const block of blocks) {
    if (options?.signal?.aborted) throw abortedError();
    const hits = block.ids.flatMap((id, row) =>
      (places.get(id) ?? []).map(({ query, place }) => ({ row, query, place })),
    );
    if (hits.length === 0) continue;
    heap.release(afterQueries);
    const arena = new RowArena(exports, heap, queries.dimensions, block.rows);
    arena.load(block);
    const rows = heap.allocate(hits.length * 8);
    const out = heap.allocate(hits.length * 8);
    const rowsView = heap.u32(rows, hits.length * 2);
    hits.sort((a, b) => a.query - b.query);
    hits.forEach(({ row }, i) => (rowsView[2 * i] = row));
    for (let first = 0, next = 0; first < hits.length; first = next) {
      const { query } = hits[first] as { query: number };
      while (next < hits.length && hits[next]?.query === query) next++;
      const wide = state.wide + query * queries.dimensions * 8;
      exports.rescore(arena.values, arena.dimensions, wide, rows + first * 8, next - first, out + first * 8);
    }
    const outView = heap.f64(out, hits.length);
    hits.forEach(({ row, query, place }, i) => {
      const norm = arena.normOf(row);
      if (Number.isNaN(norm)) return;
      const dot = outView[i] as number;
      (scores[query] as Float64Array)[place] =
        similarity === 'cosine' ? cosineOf(dot, state.norms[query] as number, norm) : dot;
    });
  }
  return scores;
}

function makeTiles(
  exports: KernelExports,
  heap: WasmHeap,
  tile: TileChoice,
  request: SearchRequest,
): TileState[] {
  const { queries, similarity, k } = request;
  const tiles: TileState[] = [];
  for (let first = 0; first < queries.ids.length; first += TILE_QUERIES) {
    const ids = queries.ids.slice(first, first + TILE_QUERIES);
    const values = queries.values.subarray(
      first * queries.dimensions,
      (first + ids.length) * queries.dimensions,
    );
    tiles.push({
      first,
      queries: new QueryTile(exports, heap, tile, values, ids, queries.dimensions, similarity, first),
      best: ids.map(() => new TopK(k)),
    });
  }
  return tiles;
}

function runTiles(
  heap: WasmHeap,
  arena: RowArena,
  pass: Pass,
  tiles: readonly TileState[],
  request: Restrictions & { readonly similarity: Similarity },
  exclusions: ExclusionIndex,
  tile: TileChoice,
  board: ThresholdBoard | undefined,
): void {
  arena.prepare(request.similarity, tile.wraps);
  for (const { first, queries, best } of tiles) {
    const mark = heap.mark();
    writeRestrictions(heap, arena, queries, first, request, exclusions);
    const shifted: ThresholdBoard | undefined = board && {
      read: (query) => board.read(first + query),
      raise: (query, bar) => board.raise(first + query, bar),
    };
    pass.run(queries, best, shifted);
    heap.release(mark);
  }
}

function rankingsOf(tiles: readonly TileState[], queries: QueryVectors): Ranking[] {
  return tiles.flatMap(({ first, best }) =>
    best.map((list, query) => list.ranking(queries.ids[first + query] as string)),
  );
}

function checkRequest(request: SearchRequest): void {
  const { k, visible } = request;
  if (!Number.isInteger(k) || k < 1 || k > MAX_K) {
    throw new AppError(
      'search',
      'k-out-of-range',
      `k is ${k}; it must be a whole number from 1 to ${MAX_K}.`,
    );
  }
  checkQueries(request.queries);
  const count = request.queries.ids.length;
  if (visible !== undefined && visible.bitmapOf.length !== count) {
    throw new AppError(
      'search',
      'visibility-shape',
      `Visibility is given for ${visible.bitmapOf.length} queries, the search has ${count}.`,
    );
  }
  if (request.excluded !== undefined && request.excluded.length !== count) {
    throw new AppError(
      'search',
      'exclusions-shape',
      `Exclusions are given for ${request.excluded.length} queries, the search has ${count}.`,
    );
  }
}

function checkQueries(queries: QueryVectors): void {
  const { ids, dimensions, values } = queries;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new AppError(
      'search',
      'dimensions-out-of-range',
      `Vectors have ${dimensions} dimensions; 1 to 65,536 are allowed.`,
    );
  }
  if (values.length !== ids.length * dimensions) {
    throw new AppError(
      'search',
      'query-shape',
      `${ids.length} queries of ${dimensions} dimensions need ${ids.length * dimensions} values; ${values.length} are there.`,
    );
  }
}

function dimensionMismatch(queries: number, documents: number): AppError {
  return new AppError(
    'search',
    'dimension-mismatch',
    `Documents have ${documents} dimensions, the queries have ${queries}. Both must come from one model.`,
  );
}
