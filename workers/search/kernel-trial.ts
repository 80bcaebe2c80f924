import type { KernelKind } from '../../src/contracts/search.ts';
import type { KernelExports, Tile } from './kernel-module.ts';
import { WasmHeap } from './wasm-heap.ts';

const PANELS = 64;
const QUADS = 64;
const BLOCKS = 8;
const ROWS = PANELS * 8;

/** Addresses of a made-up problem for one tile function. */
interface Bench {
  readonly heap: WasmHeap;
  readonly docs: number;
  readonly side: number;
  readonly starts: number;
  readonly thresholds: number;
  readonly zeros: number;
  readonly counts: number;
  readonly candidates: number;
  readonly queries: number;
  readonly scratch: number;
}

/** Deterministic bytes: a linear congruential stream is enough to tell right from wrong. */
function fill(bytes: Int8Array, low: number, high: number): void {
  let state = 12_345;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = low + ((state >> 12) % (high - low + 1));
  }
}

function makeBench(kernel: KernelExports): Bench {
  const heap = new WasmHeap(kernel.memory);
  const docs = heap.allocate(ROWS * QUADS * 4);
  const side = heap.allocate(PANELS * 80);
  const starts = heap.allocate(PANELS * (QUADS / 16) * 32);
  const places = BLOCKS * 6 + 1;
  const thresholds = heap.allocate(places * 4);
  const zeros = heap.allocate(places * 4);
  const counts = heap.allocate(places * 4);
  const candidates = heap.allocate(BLOCKS * 6 * 8 * 8);
  const queries = heap.allocate(BLOCKS * 6 * QUADS * 4);
  const scratch = heap.allocate(1_024);
  // Levels of at most 40 keep every 16-bit lane inside its bounds whatever the signs: 32 x 40 x 25 = 32,000.
  const documents = new Int8Array(heap.memory.buffer, docs, ROWS * QUADS * 4);
  fill(documents, -40, 40);
  fill(new Int8Array(heap.memory.buffer, queries, BLOCKS * 6 * QUADS * 4), 64 - 25, 64 + 25);
  heap.u8(zeros, places * 4).fill(0);
  const sums = heap.i32(side, PANELS * 20);
  const scales = heap.f32(side, PANELS * 20);
  for (let panel = 0; panel < PANELS; panel++) {
    for (let lane = 0; lane < 8; lane++) {
      let sum = 0;
      for (let i = 0; i < QUADS * 4; i++) sum += levelOf(documents, panel * 8 + lane, i);
      sums[panel * 20 + lane] = -sum;
      scales[panel * 20 + 8 + lane] = 1;
    }
    scales.fill(0, panel * 20 + 16, panel * 20 + 20);
  }
  kernel.prepareWrapping(docs, PANELS, QUADS, starts);
  return { heap, docs, side, starts, thresholds, zeros, counts, candidates, queries, scratch };
}

function levelOf(documents: Int8Array, row: number, i: number): number {
  return documents[(row >> 3) * QUADS * 32 + (i >> 2) * 32 + (row & 7) * 4 + (i & 3)] as number;
}

function call(bench: Bench, tile: Tile, panels: number, blocks: number): void {
  tile(
    bench.docs,
    panels,
    QUADS,
    0,
    bench.queries,
    0,
    blocks,
    bench.side,
    bench.starts,
    bench.thresholds,
    bench.zeros,
    bench.zeros,
    bench.candidates,
    8,
    bench.counts,
    bench.zeros,
    bench.zeros,
    bench.scratch,
  );
}

/** Whether a tile of `width` queries gives the integers that plain arithmetic gives, on one panel. */
function isRight(bench: Bench, tile: Tile, width: number): boolean {
  const { heap } = bench;
  heap.f32(bench.thresholds, width).fill(-Infinity);
  heap.i32(bench.counts, width).fill(0);
  call(bench, tile, 1, 1);
  const documents = new Int8Array(heap.memory.buffer, bench.docs, QUADS * 32);
  const queries = heap.u8(bench.queries, width * QUADS * 4);
  const scores = heap.f32(bench.candidates, width * 16);
  for (let query = 0; query < width; query++) {
    if (heap.i32(bench.counts, width)[query] !== 8) return false;
    for (let row = 0; row < 8; row++) {
      let sum = 0;
      for (let i = 0; i < QUADS * 4; i++) {
        const level = (queries[(i >> 2) * width * 4 + query * 4 + (i & 3)] as number) - 64;
        sum += levelOf(documents, row, i) * level;
      }
      if (scores[query * 16 + row * 2 + 1] !== sum) return false;
    }
  }
  return true;
}

/** Whether the two-plane tile is right: the bytes of one query read as high and low planes. */
function planesAreRight(bench: Bench, tile: Tile): boolean {
  const { heap } = bench;
  heap.f32(bench.thresholds, 1).fill(-Infinity);
  heap.i32(bench.counts, 1).fill(0);
  call(bench, tile, 1, 1);
  const documents = new Int8Array(heap.memory.buffer, bench.docs, QUADS * 32);
  const queries = heap.u8(bench.queries, QUADS * 8);
  const scores = heap.f32(bench.candidates, 16);
  for (let row = 0; row < 8; row++) {
    let sum = 0;
    for (let i = 0; i < QUADS * 4; i++) {
      const at = (i >> 2) * 8 + (i & 3);
      const level = ((queries[at] as number) << 7) + (queries[at + 4] as number) - 8_064;
      sum += levelOf(documents, row, i) * level;
    }
    if (scores[row * 2 + 1] !== Math.fround(sum)) return false;
  }
  return true;
}

/**
 * Returns the kinds that compute rightly in this very runtime, the fastest first; empty when none does. Each is
 * checked before and after the engine's optimising compiler has seen it: the baseline compiler of Node 20 gets the
 * accumulating dot product wrong, and a certificate must not rest on an engine's word. Takes a few milliseconds.
 */
export function trustedKinds(kernel: KernelExports): KernelKind[] {
  const { dot7x1, dot7x2, dot7x3, dot7x4, dot7x5, dot7x6, wrap4, planes1 } = kernel;
  if (!dot7x1 || !dot7x2 || !dot7x3 || !dot7x4 || !dot7x5 || !dot7x6 || !wrap4 || !planes1) return [];
  const byWidth = [dot7x1, dot7x2, dot7x3, dot7x4, dot7x5, dot7x6];
  const bench = makeBench(kernel);
  const tests: readonly { kind: KernelKind; tile: Tile; isRight: () => boolean }[] = [
    {
      kind: 'dot7',
      tile: dot7x4,
      isRight: () =>
        byWidth.every((tile, i) => isRight(bench, tile, i + 1)) && planesAreRight(bench, planes1),
    },
    { kind: 'wrap', tile: wrap4, isRight: () => isRight(bench, wrap4, 4) },
  ];
  const right = tests.filter((test) => test.isRight());
  const bestMs = trial(
    bench,
    right.map((test) => test.tile),
  );
  return right
    .map((test, i) => ({ ...test, ms: (bestMs[i] as number) * (test.kind === 'dot7' ? 1 : WRAP_HANDICAP) }))
    .filter((test) => test.isRight())
    .sort((a, b) => a.ms - b.ms)
    .map(({ kind }) => kind);
}

/** Long enough for the optimising compiler, which works in the background, to have replaced the baseline code. */
const TRIAL_MS = 30;
/** Without VNNI `wrap` is 1.8 times as fast, with it a little slower: nothing lies between, and noise must not decide. */
const WRAP_HANDICAP = 1.4;

/** Returns the best time of each tile, taken in turns. */
function trial(bench: Bench, tiles: readonly Tile[]): number[] {
  // A threshold above every sum: nothing passes, nothing is written.
  bench.heap.f32(bench.thresholds, BLOCKS * 6).fill(1e9);
  const best = tiles.map(() => Infinity);
  const until = performance.now() + TRIAL_MS;
  while (performance.now() < until) {
    tiles.forEach((tile, i) => {
      const from = performance.now();
      // Several calls between two looks at the clock, which browsers keep coarse.
      for (let repeat = 0; repeat < 8; repeat++) call(bench, tile, PANELS, BLOCKS);
      best[i] = Math.min(best[i] as number, performance.now() - from);
    });
  }
  return best;
}
