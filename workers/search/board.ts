import type { ThresholdBoard } from './pass.ts';

/**
 * A threshold board over shared memory: one int32 a query that holds a float32, rounded down. Threads read and raise it
 * without waiting for each other: whatever was ever written is a lower bound of the final bar, so a stale or lost
 * value costs time and never changes a ranking. Fresh memory must be filled by {@link clearBoard}.
 */
export function boardOf(cells: Int32Array): ThresholdBoard {
  const bits = new Int32Array(1);
  const float = new Float32Array(bits.buffer);
  return {
    read(query) {
      bits[0] = Atomics.load(cells, query);
      return float[0] as number;
    },
    raise(query, bar) {
      float[0] = roundDown(bar);
      const next = bits[0] as number;
      const wanted = float[0];
      bits[0] = Atomics.load(cells, query);
      if (wanted > float[0]) Atomics.store(cells, query, next);
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
