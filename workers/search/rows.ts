import type { PackedRows, RefusedRow, SearchBlock, Similarity } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { KernelExports } from './kernel-module.ts';
import { WasmHeap } from './wasm-heap.ts';

/** Rows side by side in one panel of the packed form. */
export const PANEL_ROWS = 8;
const FACT_BYTES = 32;
const SIDE_BYTES = 80;
const WRAP_QUADS = 16;
const PACK_SCRATCH_BYTES = 64;

/**
 * What is added to every bound, relative to |q|·|d|: covers all float32 roundings of the fast pass and the float64
 * rounding of the final score with room to spare (docs/decisions/0031).
 */
export const BOUND_SLACK = 2 ** -18;

/** Norms outside of this range are brought near 1 by a power of two, so that float32 neither overflows nor vanishes. */
const PLAIN_NORMS = { least: 2 ** -40, most: 2 ** 40 };

/** Bytes per row that {@link RowArena} takes in the kernel's memory. */
export function arenaBytesPerRow(dimensions: number): number {
  const quads = Math.ceil(dimensions / 4);
  return dimensions * 4 + quads * 4 + FACT_BYTES + 4 + SIDE_BYTES / 8 + 8 + Math.ceil(quads / WRAP_QUADS) * 4;
}

/**
 * Document rows in the kernel's memory: one block when a corpus streams by, or a whole corpus that stays. Each block
 * starts at a multiple of 8, so arena rows have gaps, which no search can see.
 */
export class RowArena {
  readonly dimensions: number;
  readonly capacity: number;
  readonly quads: number;
  readonly values: number;
  readonly panels: number;
  readonly near: number;
  readonly far: number;
  readonly side: number;
  readonly starts: number;
  readonly facts: number;
  readonly #sums: number;
  readonly #scratch: number;
  readonly #kernel: KernelExports;
  readonly #heap: WasmHeap;
  #blocks: { readonly start: number; readonly firstRow: number; readonly ids: readonly string[] }[] = [];
  #rows = 0;
  #refused: RefusedRow[] = [];
  #preparedFor: Similarity | undefined;
  #startsReady = false;
  #unit = 1;

  /** `capacity` in rows; blocks are rounded up to 8 rows each. */
  constructor(kernel: KernelExports, heap: WasmHeap, dimensions: number, capacity: number) {
    this.#kernel = kernel;
    this.#heap = heap;
    this.dimensions = dimensions;
    this.quads = Math.ceil(dimensions / 4);
    this.capacity = Math.ceil(capacity / PANEL_ROWS) * PANEL_ROWS;
    const panels = this.capacity / PANEL_ROWS;
    this.values = heap.allocate(this.capacity * dimensions * 4);
    this.panels = heap.allocate(panels * this.quads * 32);
    this.facts = heap.allocate(this.capacity * FACT_BYTES);
    this.#sums = heap.allocate(this.capacity * 4);
    this.#scratch = heap.allocate(PACK_SCRATCH_BYTES);
    this.side = heap.allocate(panels * SIDE_BYTES);
    this.near = heap.allocate(this.capacity * 4);
    this.far = heap.allocate(this.capacity * 4);
    this.starts = heap.allocate(panels * Math.ceil(this.quads / WRAP_QUADS) * 32);
  }

  /** Arena rows in use, gaps included. */
  get rows(): number {
    return this.#rows;
  }

  /** The power of two by which scores are scaled under `dot`; 1 under cosine. */
  get unit(): number {
    return this.#unit;
  }

  /** Rows of the blocks loaded since {@link clear} that hold NaN or an infinity. */
  get refused(): readonly RefusedRow[] {
    return this.#refused;
  }

  get blocks(): readonly {
    readonly start: number;
    readonly firstRow: number;
    readonly ids: readonly string[];
  }[] {
    return this.#blocks;
  }

  clear(): void {
    this.#blocks = [];
    this.#rows = 0;
    this.#refused = [];
    this.#preparedFor = undefined;
    this.#startsReady = false;
  }

  /** Copies a block in, packing it when it is not packed. Throws when its shape is wrong or there is no room. */
  load(block: SearchBlock): void {
    checkBlock(block, this.dimensions);
    const start = this.#rows;
    if (start + block.rows > this.capacity) {
      throw new AppError(
        'search',
        'arena-full',
        `The search has room for ${this.capacity} rows of ${this.dimensions} dimensions; a block brings row ${start + block.rows}.`,
      );
    }
    const { dimensions, quads } = this;
    const values = this.values + start * dimensions * 4;
    const panels = this.panels + start * quads * 4;
    const facts = this.facts + start * FACT_BYTES;
    const sums = this.#sums + start * 4;
    const padded = Math.ceil(block.rows / PANEL_ROWS) * PANEL_ROWS;
    this.#heap.f32(values, block.rows * dimensions).set(block.values);
    if (block.packed === undefined) {
      this.#heap.u8(panels, padded * quads * 4).fill(0);
      this.#kernel.packDocuments(values, block.rows, dimensions, panels, facts, sums, this.#scratch);
    } else {
      this.#heap.u8(panels, padded * quads * 4).set(block.packed.panels);
      this.#heap.f64(facts, block.rows * 4).set(block.packed.facts);
      this.#heap.i32(sums, block.rows).set(block.packed.sums);
    }
    const factsView = this.#heap.f64(facts, padded * 4);
    for (let row = 0; row < padded; row++) {
      if (row >= block.rows) {
        factsView.set([1, NaN, 0, 0], row * 4);
      } else if (Number.isNaN(factsView[row * 4 + 1])) {
        this.#refused.push(refusalOf(block, row));
      }
    }
    this.#blocks.push({ start, firstRow: block.firstRow, ids: block.ids });
    this.#rows = start + padded;
    this.#preparedFor = undefined;
    this.#startsReady = false;
  }

  /** Makes everything ready for one similarity and, for tiles that wrap, their start values; free when it already is. */
  prepare(similarity: Similarity, wraps: boolean): void {
    const panels = this.#rows / PANEL_ROWS;
    if (this.#preparedFor !== similarity) {
      this.#unit = similarity === 'cosine' ? 1 : this.#unitOfNorms();
      this.#kernel.prepareRows(
        this.#rows,
        this.facts,
        this.#sums,
        similarity === 'cosine' ? 1 : 0,
        this.#unit,
        BOUND_SLACK,
        this.side,
        this.near,
        this.far,
      );
      this.#preparedFor = similarity;
    }
    if (wraps && !this.#startsReady) {
      this.#kernel.prepareWrapping(this.panels, panels, this.quads, this.starts);
      this.#startsReady = true;
    }
  }

  /** The corpus id of an arena row. */
  idOf(row: number): string {
    const block = this.#blockOf(row);
    return block.ids[row - block.start] as string;
  }

  /** |d| of an arena row. */
  normOf(row: number): number {
    return this.#heap.f64(this.facts + row * FACT_BYTES, 2)[1] as number;
  }

  #blockOf(row: number): { readonly start: number; readonly ids: readonly string[] } {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle] as { start: number }).start <= row) low = middle;
      else high = middle - 1;
    }
    return this.#blocks[low] as { start: number; ids: readonly string[] };
  }

  #unitOfNorms(): number {
    const facts = this.#heap.f64(this.facts, this.#rows * 4);
    let most = 0;
    for (let at = 1; at < facts.length; at += 4) {
      const norm = facts[at] as number;
      if (norm > most) most = norm;
    }
    if (most === 0 || (most >= PLAIN_NORMS.least && most <= PLAIN_NORMS.most)) return 1;
    return 2 ** -Math.round(Math.log2(most));
  }
}

/**
 * Returns the packed form of a block, to be kept beside its values. Pure: the same bytes on every machine.
 * `kernel` needs memory of its own for this; a fresh instance does.
 */
export function packRows(kernel: KernelExports, block: Omit<SearchBlock, 'ids' | 'packed'>): PackedRows {
  const heap = new WasmHeap(kernel.memory);
  const quads = Math.ceil(block.dimensions / 4);
  const padded = Math.ceil(block.rows / PANEL_ROWS) * PANEL_ROWS;
  const values = heap.allocate(block.values.byteLength);
  const panels = heap.allocate(padded * quads * 4);
  const facts = heap.allocate(block.rows * FACT_BYTES);
  const sums = heap.allocate(block.rows * 4);
  const scratch = heap.allocate(PACK_SCRATCH_BYTES);
  heap.f32(values, block.values.length).set(block.values);
  heap.u8(panels, padded * quads * 4).fill(0);
  kernel.packDocuments(values, block.rows, block.dimensions, panels, facts, sums, scratch);
  return {
    panels: heap.u8(panels, padded * quads * 4).slice(),
    facts: heap.f64(facts, block.rows * 4).slice(),
    sums: heap.i32(sums, block.rows).slice(),
  };
}

function checkBlock(block: SearchBlock, dimensions: number): void {
  if (block.dimensions !== dimensions) {
    throw new AppError(
      'search',
      'dimension-mismatch',
      `Documents from row ${block.firstRow} have ${block.dimensions} dimensions, the queries have ${dimensions}. Both must come from one model.`,
    );
  }
  if (block.values.length !== block.rows * dimensions || block.ids.length !== block.rows) {
    throw new AppError(
      'search',
      'block-shape',
      `The block from row ${block.firstRow} says ${block.rows} rows of ${dimensions} dimensions but holds ${block.values.length} values and ${block.ids.length} ids.`,
    );
  }
}

function refusalOf(block: SearchBlock, row: number): RefusedRow {
  const reason = nonFiniteComponent(block.values, row * block.dimensions, block.dimensions);
  return { row: block.firstRow + row, id: block.ids[row] as string, reason };
}

/** Returns e.g. `component 3 is NaN` for the first component that is not finite. */
export function nonFiniteComponent(values: Float32Array, start: number, dimensions: number): string {
  for (let i = 0; i < dimensions; i++) {
    const value = values[start + i] as number;
    if (!Number.isFinite(value)) return `component ${i} is ${value}`;
  }
  return 'a component is not finite';
}
