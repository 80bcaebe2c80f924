import type { Similarity } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { KernelExports, TileChoice } from './kernel-module.ts';
import { nonFiniteComponent } from './rows.ts';
import type { WasmHeap } from './wasm-heap.ts';

/** Rounded up: what multiplies the documents' bound factors must never be too small. */
const UP = 1 + 2 ** -20;
/** What the kernel says of a query: step, norm, norm of the quantised query, norm of the residual, sum of levels. */
const FACT_BYTES = 40;
const LARGEST_FLOAT32 = 3.4028234663852886e38;

/** A tile of queries in the kernel's memory, quantised for one tile function, with the state of each query. */
export class QueryTile {
  readonly count: number;
  /** Query blocks of the tile function; without tiles for the rest the last one is filled up with queries that let nothing pass. */
  readonly blocks: number;
  /** Queries after the last block, for a tile of just so many. */
  readonly rest: number;
  readonly packed: number;
  readonly wide: number;
  readonly thresholds: number;
  readonly alphas: number;
  readonly betas: number;
  readonly counts: number;
  readonly masks: number;
  readonly exclusions: number;
  readonly norms: Float64Array;
  /** The k-th best exact score so far; -Infinity before there are k. */
  readonly bars: Float64Array;
  readonly #heap: WasmHeap;
  readonly #steps: Float64Array;
  /** The thresholds, renewed where each block begins. */
  #view: Float32Array = new Float32Array(0);
  readonly #cosine: boolean;
  readonly #bytesPerQuery: number;

  constructor(
    kernel: KernelExports,
    heap: WasmHeap,
    tile: TileChoice,
    values: Float32Array,
    ids: readonly string[],
    dimensions: number,
    similarity: Similarity,
    firstQuery = 0,
  ) {
    const count = ids.length;
    this.count = count;
    this.#heap = heap;
    this.#cosine = similarity === 'cosine';
    this.blocks = tile.rest ? Math.floor(count / tile.queries) : Math.ceil(count / tile.queries);
    this.rest = Math.max(0, count - this.blocks * tile.queries);
    const padded = this.blocks * tile.queries + this.rest;
    const quads = Math.ceil(dimensions / 4);
    const bytesPerQuad = tile.form === 'seven' ? 4 : 8;
    this.#bytesPerQuery = quads * bytesPerQuad;
    this.packed = heap.allocate(padded * this.#bytesPerQuery);
    this.wide = heap.allocate(count * dimensions * 8);
    [this.thresholds, this.alphas, this.betas, this.counts, this.masks, this.exclusions] = [
      0, 0, 0, 0, 0, 4,
    ].map((extra) => heap.allocate(padded * 4 + extra)) as [number, number, number, number, number, number];
    const mark = heap.mark();
    const raw = heap.allocate(dimensions * 4);
    const facts = heap.allocate(FACT_BYTES);
    heap.u8(this.packed, padded * quads * bytesPerQuad).fill(0);
    heap.f32(this.thresholds, padded).fill(Infinity);
    for (const address of [this.alphas, this.betas, this.counts, this.masks])
      heap.u32(address, padded).fill(0);
    heap.u32(this.exclusions, padded + 1).fill(0);
    this.norms = new Float64Array(count);
    this.#steps = new Float64Array(count);
    this.bars = new Float64Array(count).fill(-Infinity);
    const alphas = heap.f32(this.alphas, padded);
    const betas = heap.f32(this.betas, padded);
    const factsView = heap.f64(facts, FACT_BYTES / 8);
    const rawView = heap.f32(raw, dimensions);
    // Levels so that the integer sum of any document stays inside 32 bits.
    const levels = Math.floor((2 ** 31 - 1) / (127 * dimensions));
    for (let query = 0; query < count; query++) {
      rawView.set(values.subarray(query * dimensions, (query + 1) * dimensions));
      const norm = kernel.widenQuery(raw, dimensions, this.wide + query * dimensions * 8);
      if (norm < 0) {
        throw new AppError(
          'search',
          'query-not-finite',
          `Query ${firstQuery + query} (id ${ids[query]}) cannot be searched: ${nonFiniteComponent(values, query * dimensions, dimensions)}.`,
        );
      }
      const block = Math.floor(query / tile.queries);
      const place = query % tile.queries;
      const width = block < this.blocks ? tile.queries : this.rest;
      const at = this.packed + block * tile.queries * quads * bytesPerQuad + place * bytesPerQuad;
      if (tile.form === 'seven') kernel.packQuery7(raw, dimensions, at, width, facts);
      else if (tile.form === 'planes')
        kernel.packQueryPlanes(raw, dimensions, at, Math.min(8_063, levels), facts);
      else kernel.packQuery16(raw, dimensions, at, width, Math.min(32_767, levels), facts);
      const step = factsView[0] as number;
      const residual = factsView[3] as number;
      this.norms[query] = norm;
      this.#steps[query] = step;
      alphas[query] = (residual / step) * UP;
      betas[query] = (norm / step) * UP;
    }
    heap.release(mark);
  }

  /** Where the block begins whose first query this is. */
  addressOf(query: number): number {
    return this.packed + query * this.#bytesPerQuery;
  }

  /** Takes an exact bar into the fast pass: the threshold that surely lies at or below it, in the scale of `unit`. */
  raiseThreshold(query: number, bar: number, unit: number): void {
    const threshold = this.#scaled(query, bar, unit);
    if (threshold > (this.#view[query] as number)) this.#view[query] = threshold;
  }

  /** Sets every threshold from the exact bars: where each block of rows begins. */
  resetThresholds(unit: number): void {
    // The memory may have grown since the last block.
    const view = this.#heap.f32(this.thresholds, this.count);
    this.#view = view;
    for (let query = 0; query < this.count; query++) {
      view[query] = this.#scaled(query, this.bars[query] as number, unit);
    }
  }

  #scaled(query: number, bar: number, unit: number): number {
    if (bar === -Infinity) return -Infinity;
    const factor = this.#cosine ? (this.norms[query] as number) : unit;
    const scaled = (bar * factor) / (this.#steps[query] as number);
    const lower = scaled - Math.abs(scaled) * 2 ** -22 - 1e-44;
    return Math.max(-LARGEST_FLOAT32, Math.min(LARGEST_FLOAT32, lower));
  }
}
