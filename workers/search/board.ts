import type { ThresholdBoard } from './pass.ts';

/** Int32 cells that a board needs. */
export function boardCells(threads: number, queries: number): number {
  return threads * queries;
}

/**
 * What thread `part` of `of` sees of a board in shared memory: for each thread one row of int32, one a query, that holds a
 * float32, rounded down. Each thread writes the score that its best ceil(k / of) documents reach; since no two threads have
 * a document in common, together they have k documents that reach the smallest of these, which is therefore a bar. Nobody
 * waits: what was ever written stays true, so a stale value costs time and never changes a ranking. Fresh memory must be
 * filled by {@link clearBoard}.
 */
export function boardOf(cells: Int32Array, part: number, of: number, k: number): ThresholdBoard {
  const queries = cells.length / of;
  const bits = new Int32Array(1);
  const float = new Float32Array(bits.buffer);
  return {
    share: Math.ceil(k / of),
    read(query) {
      let least = Infinity;
      for (let thread = 0; thread < of; thread++) {
        bits[0] = Atomics.load(cells, thread * queries + query);
        least = Math.min(least, float[0] as number);
      }
      return least;
    },
    publish(query, score) {
      float[0] = roundDown(score);
      Atomics.store(cells, part * queries + query, bits[0] as number);
    },
  };
}

/** Fills a board with -Infinity: nobody knows anything yet. */
export function clearBoard(cells: Int32Array): void {
  new Float32Array(cells.buffer, cells.byteOffset, cells.length).fill(-Infinity);
}

/** The largest float32 that is not above a float64. */
export function roundDown(value: number): number {
  const nearest = Math.fround(value);
  if (nearest <= value) return nearest;
  const bits = new Int32Array(1);
  const float = new Float32Array(bits.buffer);
  float[0] = nearest;
  // Towards -Infinity: bits go down for positive numbers, up for negative ones; from +0 to the smallest negative.
  if (nearest === 0) return -1.401298464324817e-45;
  bits[0] = (bits[0] as number) + (nearest > 0 ? -1 : 1);
  return float[0];
}
