import {
  type QueryVectors,
  type RefusedRow,
  type Restrictions,
  type SearchAnswer,
  type SearchBlock,
  type SearchRequest,
  type Similarity,
} from '../../src/contracts/search.ts';
import { abortedError, type CallOptions } from '../../src/contracts/calls.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import { chooseTile, type Kernel, type KernelExports, type TileChoice } from './kernel-module.ts';
import { Pass, type ThresholdBoard } from './pass.ts';
import { QueryTile } from './query-tile.ts';
import { checkRequest, dimensionMismatch } from './request-checks.ts';
import { writeRestrictions, type ExclusionIndex, indexExclusions } from './restrictions.ts';
import { PANEL_ROWS, RowArena } from './rows.ts';
import { TopK } from './top-k.ts';
import { WasmHeap } from './wasm-heap.ts';

/** Queries whose candidates are in memory at once; more are searched tile by tile, block by block. */
const TILE_QUERIES = 1_024;

/** Float32 values that are gathered before the queries pass over them: enough that the exact scores at the end are few. */
const GATHER_BYTES = 12 * 1_024 * 1_024;

/** Blocks in any order, each document in exactly one of them. */
export type Blocks = AsyncIterable<SearchBlock> | Iterable<SearchBlock>;

/** What may be set for tests and for threads; no ranking depends on any of it. */
export interface SearchSettings {
  readonly board?: ThresholdBoard;
  /** Rows that pass between two looks at the candidates; a multiple of 8. */
  readonly groupRows?: number;
  /** Rows of small blocks that are gathered before the queries pass over them. */
  readonly gatherRows?: number;
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
  #runner: Pass | undefined;
  #afterQueries: number;
  #blocks = 0;
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

  /**
   * Takes one block in; its arrays may be given away afterwards. Small blocks are gathered before the queries pass over
   * them, since every pass ends with exact scores. Any number of rows, though memory is a little more than its bytes.
   */
  add(block: SearchBlock): void {
    const padded = Math.ceil(block.rows / PANEL_ROWS) * PANEL_ROWS;
    if (this.#arena !== undefined && this.#arena.rows + padded > this.#arena.capacity) this.#pass();
    const arena = this.#arenaFor(block);
    arena.load(block);
    this.#blocks++;
    this.documents += block.rows;
  }

  /** Returns the answer; the search must not be used afterwards. */
  finish(): SearchAnswer {
    this.#pass();
    this.#collect();
    const rankings = rankingsOf(this.#tiles, this.#request.queries);
    return {
      rankings,
      refused: this.#refused,
      counts: {
        documents: this.documents,
        queries: rankings.length,
        blocks: this.#blocks,
        rescored: this.#rescored,
        emptyRankings: rankings.filter((ranking) => ranking.documentIds.length === 0).length,
        kernel: this.#kernel.kind,
        threads: 1,
      },
    };
  }

  /** Lets the queries pass over what was gathered. */
  #pass(): void {
    const arena = this.#arena;
    if (arena === undefined || arena.rows === 0) return;
    this.#refused.push(...arena.refused);
    runTiles(
      this.#heap,
      arena,
      this.#runner as Pass,
      this.#tiles,
      this.#request,
      this.#exclusions,
      this.#tile,
      this.#settings.board,
    );
    arena.clear();
  }

  #collect(): void {
    if (this.#runner === undefined) return;
    this.#rescored += this.#runner.rescored;
  }

  /** The arena is made for the first block and again only for a larger one. */
  #arenaFor(block: SearchBlock): RowArena {
    if (this.#arena !== undefined && block.rows <= this.#arena.capacity) return this.#arena;
    this.#pass();
    this.#collect();
    this.#heap.release(this.#afterQueries);
    const { queries, similarity, k } = this.#request;
    const gathered = this.#settings.gatherRows ?? Math.floor(GATHER_BYTES / (4 * queries.dimensions));
    const capacity = Math.max(block.rows, gathered);
    this.#arena = new RowArena(this.#exports, this.#heap, queries.dimensions, capacity);
    this.#runner = new Pass(
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
      share: board.share,
      read: (query) => board.read(first + query),
      publish: (query, score) => board.publish(first + query, score),
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
