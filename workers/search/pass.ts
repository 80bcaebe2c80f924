import type { Similarity } from '../../src/contracts/search.ts';
import type { KernelExports, Tile, TileChoice } from './kernel-module.ts';
import type { QueryTile } from './query-tile.ts';
import { PANEL_ROWS, type RowArena } from './rows.ts';
import type { TopK } from './top-k.ts';
import type { WasmHeap } from './wasm-heap.ts';

/** Packed rows that stay in the second-level cache while every query passes over them. */
const GROUP_BYTES = 384 * 1_024;
const MOST_GROUP_ROWS = 1_024;
/** Rows of the first group, unless k asks for more. */
const FIRST_GROUP_ROWS = 64;
/** How often a thread looks at what the others have reached. */
const GROUPS_BETWEEN_LOOKS = 4;
/** As a k: more than there are candidates, so that tightening only drops what the threshold rules out. */
const NO_BAR = 0x7fffffff;
/** What the kernel counts in, at the start of its scratch; also holds the register tile of `wrap`. */
const BUCKET_BYTES = 2_048;

/** What threads know of each other's scores; any value in it stays true, however stale. */
export interface ThresholdBoard {
  /** So many documents of each thread make k together. */
  readonly share: number;
  /** A lower bound of the query's k-th best score over all threads; -Infinity while nobody knows. */
  readonly read: (query: number) => number;
  /** Says which score this thread's best `share` documents reach. */
  readonly publish: (query: number, score: number) => void;
}

/**
 * One tile of queries against the rows of an arena: the fast pass, its candidates, and their float64 scores.
 * Holds the candidates' memory; made once a search and used for every block.
 */
export class Pass {
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
  readonly #room: CandidateRoom;
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
    this.#room = { candidates: this.#candidates, capacity: this.#capacity, scratch: this.#scratch };
    this.#scores = heap.allocate(this.#capacity * 8);
  }

  /** Runs over all rows of the arena. Afterwards every document that belongs among the best k is in `best`. */
  run(queries: QueryTile, best: readonly TopK[], board?: ThresholdBoard): void {
    const { rows, unit, facts } = this.#arena;
    queries.resetThresholds(unit);
    // Nothing is allocated while the rows pass, so these views stay valid.
    const heap = this.#heap;
    const run: Run = {
      queries,
      best,
      board,
      counts: heap.i32(queries.counts, queries.count),
      places: heap.u32(this.#candidates, queries.count * this.#capacity * 2),
      scores: heap.f64(this.#scores, this.#capacity),
      facts: heap.f64(facts, rows * 4),
    };
    const seedAt = Math.ceil(rows / 4);
    // The first rows all become candidates, for want of a bar: few at first, then twice as many each time.
    let step = Math.min(
      this.#groupRows,
      Math.max(FIRST_GROUP_ROWS, Math.ceil((4 * this.#k) / PANEL_ROWS) * PANEL_ROWS),
    );
    let tightenAt = step;
    // Bars from earlier blocks are as good as a seed.
    let seeded = queries.bars.every((bar) => bar > -Infinity);
    for (let end = 0, group = 0; end < rows; group++) {
      if (board && group % GROUPS_BETWEEN_LOOKS === 0) readBoard(queries, board, unit);
      const count = Math.min(step, rows - end);
      passOver(this.#tile, queries, this.#arena, end, count, this.#room);
      end += count;
      step = Math.min(this.#groupRows, 2 * step);
      if (!seeded && end >= seedAt && end < rows) {
        // Exact bars from the first quarter keep most of the rest out, at the cost of k scores a query.
        seeded = true;
        for (let query = 0; query < queries.count; query++) this.#scoreFirst(run, query);
      } else if (!seeded && end >= tightenAt) {
        // Bars from bounds, each time the rows have doubled.
        tightenAt = 2 * end;
        this.#relieve(run, this.#k);
      } else {
        this.#relieve(run, this.#watermark);
      }
    }
    // All first rounds before all last ones: by then other threads have published theirs.
    for (let query = 0; query < queries.count; query++) this.#scoreFirst(run, query);
    if (board) readBoard(queries, board, unit);
    for (let query = 0; query < queries.count; query++) {
      this.#scoreRest(run, query);
      const list = best[query] as TopK;
      list.dropBelow(queries.bars[query] as number);
      list.commit(this.#idOf);
    }
  }

  /** Tightens queries with more candidates than `level`, and resolves those that stay over the watermark: makes room. */
  #relieve(run: Run, level: number): void {
    const { counts } = run;
    for (let query = 0; query < run.queries.count; query++) {
      if ((counts[query] as number) <= level) continue;
      this.#tighten(run, query, this.#k);
      if ((counts[query] as number) <= this.#watermark) continue;
      this.#scoreFirst(run, query);
      this.#scoreRest(run, query);
    }
  }

  /** Tightens one query by the bounds of its candidates. */
  #tighten({ queries }: Run, query: number, k: number): void {
    this.#kernel.tighten(
      this.#candidates + query * this.#capacity * 8,
      k,
      query * 4,
      queries.counts,
      queries.thresholds,
      queries.alphas,
      queries.betas,
      this.#arena.near,
      this.#arena.far,
      this.#scratch,
    );
  }

  /**
   * The first of two rounds of float64 scores for one query: its k most promising candidates (its share of k, beside other
   * threads) give a bar that few others reach, so most of them are never scored. The others stay candidates.
   */
  #scoreFirst(run: Run, query: number): void {
    const { counts, places, board } = run;
    const count = counts[query] as number;
    const wanted = board?.share ?? this.#k;
    let first = count;
    if (count > wanted + (wanted >> 2)) {
      const candidates = this.#candidates + query * this.#capacity * 8;
      first = this.#kernel.frontLargest(candidates, count, wanted, this.#scratch);
    }
    this.#score(run, query, first);
    const from = query * this.#capacity * 2;
    places.copyWithin(from, from + 2 * first, from + 2 * count);
    counts[query] = count - first;
  }

  /** The last round: scores every candidate that still reaches the bar. None is left. */
  #scoreRest(run: Run, query: number): void {
    const { counts } = run;
    if (counts[query] === 0) return;
    this.#tighten(run, query, NO_BAR);
    this.#score(run, query, counts[query] as number);
    counts[query] = 0;
  }

  /**
   * Scores the first `count` candidates of a query and raises its bar. By query, not by row: eight rows are read side by
   * side.
   */
  #score(run: Run, query: number, count: number): void {
    if (count === 0) return;
    const { queries, best, board, places, scores, facts } = run;
    const { values, dimensions, unit } = this.#arena;
    const place = query * this.#capacity;
    const wide = queries.wide + query * dimensions * 8;
    this.#kernel.rescore(values, dimensions, wide, this.#candidates + place * 8, count, this.#scores);
    if (this.#similarity === 'cosine') {
      const norm = queries.norms[query] as number;
      for (let i = 0; i < count; i++) {
        const row = places[2 * (place + i)] as number;
        scores[i] = cosineOf(scores[i] as number, norm, facts[row * 4 + 1] as number);
      }
    }
    this.rescored += count;
    const list = best[query] as TopK;
    list.add(places, 2 * place, scores, count);
    let bar = list.settle(this.#idOf, board?.share ?? this.#k);
    if (board) {
      board.publish(query, list.shareBar);
      bar = Math.max(bar, board.read(query));
    }
    if (bar <= (queries.bars[query] as number)) return;
    queries.bars[query] = bar;
    queries.raiseThreshold(query, bar, unit);
  }

  readonly #idOf = (row: number): string => this.#arena.idOf(row);
}

/** What one run works on. */
interface Run {
  readonly queries: QueryTile;
  readonly best: readonly TopK[];
  readonly board: ThresholdBoard | undefined;
  /** Candidates a query. */
  readonly counts: Int32Array;
  /** All candidates: row, then score, for each place. */
  readonly places: Uint32Array;
  readonly scores: Float64Array;
  /** Four numbers a row, the second is its norm. */
  readonly facts: Float64Array;
}

function readBoard(queries: QueryTile, board: ThresholdBoard, unit: number): void {
  for (let query = 0; query < queries.count; query++) {
    const bar = board.read(query);
    if (bar > (queries.bars[query] as number)) {
      queries.bars[query] = bar;
      queries.raiseThreshold(query, bar, unit);
    }
  }
}

/** Where the fast pass puts what passes: `capacity` places a query. */
export interface CandidateRoom {
  readonly candidates: number;
  readonly capacity: number;
  readonly scratch: number;
}

/** The fast pass of a tile of queries over `count` arena rows from `start` (a multiple of 8) on. */
export function passOver(
  tile: TileChoice,
  queries: QueryTile,
  arena: RowArena,
  start: number,
  count: number,
  room: CandidateRoom,
): void {
  const { quads } = arena;
  const panel = start / PANEL_ROWS;
  const run = (tileRun: Tile, firstQuery: number, blocks: number): void =>
    tileRun(
      arena.panels + start * quads * 4,
      Math.ceil(count / PANEL_ROWS),
      quads,
      start,
      queries.addressOf(firstQuery),
      firstQuery,
      blocks,
      arena.side + panel * 80,
      arena.starts + panel * Math.ceil(quads / 16) * 32,
      queries.thresholds,
      queries.alphas,
      queries.betas,
      room.candidates,
      room.capacity,
      queries.counts,
      queries.masks,
      queries.exclusions,
      room.scratch,
    );
  if (queries.blocks > 0) run(tile.run, 0, queries.blocks);
  const rest = tile.rest?.[queries.rest];
  if (rest) run(rest, queries.blocks * tile.queries, 1);
}

/** dot / (|q| · |d|) in float64; 0 (positive) when either is a zero vector. */
export function cosineOf(dot: number, queryNorm: number, documentNorm: number): number {
  return queryNorm === 0 || documentNorm === 0 ? 0 : dot / (queryNorm * documentNorm);
}

function groupRowsFor(quads: number): number {
  const rows = Math.floor(GROUP_BYTES / (quads * 4) / PANEL_ROWS) * PANEL_ROWS;
  return Math.max(64, Math.min(MOST_GROUP_ROWS, rows));
}
