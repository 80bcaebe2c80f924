import type { Similarity } from '../../src/contracts/search.ts';
import type { KernelExports, TileChoice } from './kernel-module.ts';
import type { QueryTile } from './query-tile.ts';
import { PANEL_ROWS, type RowArena } from './rows.ts';
import type { TopK } from './top-k.ts';
import type { WasmHeap } from './wasm-heap.ts';

/** Packed rows that stay in the second-level cache while every query passes over them. */
const GROUP_BYTES = 384 * 1_024;
const MOST_GROUP_ROWS = 1_024;
/** As a k: more than there are candidates, so that tightening only drops what the threshold rules out. */
const NO_BAR = 0x7fffffff;
/** What the kernel counts in, at the start of its scratch; also holds the register tile of `wrap`. */
const BUCKET_BYTES = 2_048;

/** Thresholds that threads share: any value in it is a lower bound of that query's final bar, however stale. */
export interface ThresholdBoard {
  readonly read: (query: number) => number;
  readonly raise: (query: number, bar: number) => void;
}

/**
 * One tile of queries against the rows of an arena: the fast pass, its candidates, and their float64 scores.
 * Holds the candidates' memory; made once a search and used for every block.
 */
export class Pass {
  candidates = 0;
  rescored = 0;
  readonly #kernel: KernelExports;
  readonly #heap: WasmHeap;
  readonly #arena: RowArena;
  readonly #tile: TileChoice;
  readonly #similarity: Similarity;
  readonly #k: number;
  readonly #groupRows: number;
  readonly #watermark: number;
  readonly #capacity: number;
  readonly #candidates: number;
  readonly #scratch: number;
  readonly #scores: number;

  constructor(
    kernel: KernelExports,
    heap: WasmHeap,
    arena: RowArena,
    tile: TileChoice,
    queries: number,
    similarity: Similarity,
    k: number,
    groupRows = groupRowsFor(arena.quads),
  ) {
    this.#kernel = kernel;
    this.#heap = heap;
    this.#arena = arena;
    this.#tile = tile;
    this.#similarity = similarity;
    this.#k = k;
    this.#groupRows = groupRows;
    this.#watermark = 4 * k + 512;
    this.#capacity = this.#watermark + groupRows;
    this.#candidates = heap.allocate(queries * this.#capacity * 8);
    this.#scratch = heap.allocate(BUCKET_BYTES + (this.#capacity + 4) * 4);
    this.#scores = heap.allocate(this.#capacity * 8);
  }

  /** Runs over all rows of the arena. Afterwards every document that belongs among the best k is in `best`. */
  run(queries: QueryTile, best: readonly TopK[], board?: ThresholdBoard): void {
    const { rows, unit } = this.#arena;
    queries.resetThresholds(unit);
    const seedAt = Math.max(this.#groupRows, Math.ceil(rows / 8));
    let tightenAt = this.#groupRows;
    // Bars from earlier blocks are as good as a seed.
    let seeded = queries.bars.every((bar) => bar > -Infinity);
    for (let start = 0; start < rows; start += this.#groupRows) {
      if (board) this.#readBoard(queries, board);
      const count = Math.min(this.#groupRows, rows - start);
      this.#passOver(queries, start, count);
      const end = start + count;
      if (!seeded && end >= seedAt && end < rows) {
        // Exact bars from the first eighth keep most of the rest out, at the cost of k scores a query.
        seeded = true;
        this.#resolve(queries, best, everyQuery(queries.count), board, 'seed');
      } else if (!seeded && end >= tightenAt) {
        // Bars from bounds, each time the rows have doubled.
        tightenAt = 2 * end;
        this.#relieve(queries, best, board, this.#k);
      } else {
        this.#relieve(queries, best, board, this.#watermark);
      }
    }
    this.#resolve(queries, best, everyQuery(queries.count), board, 'all');
    const idOf = (row: number): string => this.#arena.idOf(row);
    for (const list of best) list.commit(idOf);
  }

  #passOver(queries: QueryTile, start: number, count: number): void {
    const { quads, panels, side, starts } = this.#arena;
    const panel = start / PANEL_ROWS;
    this.#tile.run(
      panels + start * quads * 4,
      Math.ceil(count / PANEL_ROWS),
      quads,
      start,
      queries.packed,
      0,
      queries.blocks,
      side + panel * 80,
      starts + panel * Math.ceil(quads / 16) * 32,
      queries.thresholds,
      queries.alphas,
      queries.betas,
      this.#candidates,
      this.#capacity,
      queries.counts,
      queries.masks,
      queries.exclusions,
      this.#scratch,
    );
  }

  /** Tightens queries with more candidates than `level`, and resolves those that stay over the watermark: makes room. */
  #relieve(
    queries: QueryTile,
    best: readonly TopK[],
    board: ThresholdBoard | undefined,
    level: number,
  ): void {
    const counts = this.#heap.i32(queries.counts, queries.count);
    const full: number[] = [];
    for (let query = 0; query < queries.count; query++) {
      if ((counts[query] as number) <= level) continue;
      this.#tighten(queries, query, this.#k);
      if ((counts[query] as number) > this.#watermark) full.push(query);
    }
    if (full.length > 0) this.#resolve(queries, best, full, board, 'all');
  }

  /** Tightens one query by the bounds of its candidates from place `first` on, of which `counts` says how many. */
  #tighten(queries: QueryTile, query: number, k: number, first = 0): void {
    const heap = this.#heap;
    const threshold = heap.f32(queries.thresholds + query * 4, 1);
    threshold[0] = this.#kernel.tighten(
      this.#candidatesOf(query) + first * 8,
      heap.i32(queries.counts + query * 4, 1)[0] as number,
      k,
      threshold[0] as number,
      heap.f32(queries.alphas + query * 4, 1)[0] as number,
      heap.f32(queries.betas + query * 4, 1)[0] as number,
      this.#arena.near,
      this.#arena.far,
      this.#scratch,
      queries.counts + query * 4,
    );
  }

  #candidatesOf(query: number): number {
    return this.#candidates + query * this.#capacity * 8;
  }

  /**
   * Computes float64 scores. Two rounds: the k largest of the fast pass give a bar that few others reach, so most
   * candidates are never scored. `seed` stops after the first round and keeps the others that reach the bar as
   * candidates; `all` leaves none.
   */
  #resolve(
    queries: QueryTile,
    best: readonly TopK[],
    which: readonly number[],
    board: ThresholdBoard | undefined,
    extent: 'seed' | 'all',
  ): void {
    const counts = this.#heap.i32(queries.counts, queries.count);
    const touched: number[] = [];
    const open: { readonly query: number; readonly scored: number }[] = [];
    for (const query of which) {
      const count = counts[query] as number;
      if (count === 0) continue;
      touched.push(query);
      let scored = count;
      if (count > this.#k + (this.#k >> 2)) {
        scored = this.#kernel.frontLargest(this.#candidatesOf(query), count, this.#k, this.#scratch);
      }
      this.candidates += extent === 'seed' ? scored : count;
      this.#score(queries, best, query, 0, scored);
      counts[query] = count - scored;
      if (count > scored) open.push({ query, scored });
    }
    this.#settle(queries, best, touched, board);
    for (const { query, scored } of open) {
      // Of those not scored yet, only what reaches the bar stays.
      this.#tighten(queries, query, NO_BAR, scored);
      const count = counts[query] as number;
      if (extent === 'seed') {
        this.#heap.u8(this.#candidatesOf(query), (scored + count) * 8).copyWithin(0, scored * 8);
      } else {
        this.#score(queries, best, query, scored, count);
        counts[query] = 0;
      }
    }
    if (extent === 'seed') return;
    this.#settle(
      queries,
      best,
      open.map(({ query }) => query),
      board,
    );
  }

  #settle(
    queries: QueryTile,
    best: readonly TopK[],
    which: readonly number[],
    board: ThresholdBoard | undefined,
  ): void {
    const idOf = (row: number): string => this.#arena.idOf(row);
    for (const query of which) {
      const bar = (best[query] as TopK).settle(idOf);
      if (bar === -Infinity) continue;
      queries.bars[query] = bar;
      queries.raiseThreshold(query, bar, this.#arena.unit);
      board?.raise(query, bar);
    }
  }

  /** Scores `count` candidates of a query from place `from` on. By query, not by row: eight rows are read side by side. */
  #score(queries: QueryTile, best: readonly TopK[], query: number, from: number, count: number): void {
    if (count === 0) return;
    const { values, dimensions, facts, rows } = this.#arena;
    const candidates = this.#candidatesOf(query) + from * 8;
    const wide = queries.wide + query * dimensions * 8;
    this.#kernel.rescore(values, dimensions, wide, candidates, count, this.#scores);
    const scores = this.#heap.f64(this.#scores, count);
    const places = this.#heap.u32(candidates, count * 2);
    if (this.#similarity === 'cosine') {
      const norm = queries.norms[query] as number;
      const factsView = this.#heap.f64(facts, rows * 4);
      for (let i = 0; i < count; i++) {
        const row = places[2 * i] as number;
        scores[i] = cosineOf(scores[i] as number, norm, factsView[row * 4 + 1] as number);
      }
    }
    (best[query] as TopK).add(places, scores);
    this.rescored += count;
  }

  #readBoard(queries: QueryTile, board: ThresholdBoard): void {
    for (let query = 0; query < queries.count; query++) {
      const bar = board.read(query);
      if (bar > (queries.bars[query] as number)) {
        queries.bars[query] = bar;
        queries.raiseThreshold(query, bar, this.#arena.unit);
      }
    }
  }
}

/** dot / (|q| · |d|) in float64; 0 (positive) when either is a zero vector. */
export function cosineOf(dot: number, queryNorm: number, documentNorm: number): number {
  return queryNorm === 0 || documentNorm === 0 ? 0 : dot / (queryNorm * documentNorm);
}

function groupRowsFor(quads: number): number {
  const rows = Math.floor(GROUP_BYTES / (quads * 4) / PANEL_ROWS) * PANEL_ROWS;
  return Math.max(64, Math.min(MOST_GROUP_ROWS, rows));
}

function everyQuery(count: number): number[] {
  return Array.from({ length: count }, (_, query) => query);
}
