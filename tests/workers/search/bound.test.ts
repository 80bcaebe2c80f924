import { describe, expect, it } from 'vitest';
import { chooseTile, type Kernel } from '../../../workers/search/kernel-module.ts';
import { passOver } from '../../../workers/search/pass.ts';
import { QueryTile } from '../../../workers/search/query-tile.ts';
import { RowArena } from '../../../workers/search/rows.ts';
import { WasmHeap } from '../../../workers/search/wasm-heap.ts';
import { makeCase, type SearchCase } from './adversaries.ts';
import { everyKernel } from './kernel-files.ts';
import { blocksOf } from './reference.ts';

/**
 * Runs the fast pass alone and returns, for every pair, |fast - exact| as a share of the bound (in the fast pass's own
 * scale). The exact side is float64, whose own error the bound's slack covers many times over.
 */
function sharesOfBound(kernel: Kernel, { corpus, request }: SearchCase): number[] {
  const exports = kernel.instantiate();
  const heap = new WasmHeap(exports.memory);
  const { queries, similarity } = request;
  const count = queries.ids.length;
  const rows = corpus.ids.length;
  const tile = chooseTile(exports, kernel.kind, count);
  const state = new QueryTile(
    exports,
    heap,
    tile,
    queries.values,
    queries.ids,
    queries.dimensions,
    similarity,
  );
  const arena = new RowArena(exports, heap, corpus.dimensions, rows);
  for (const block of blocksOf(corpus, [rows])) arena.load(block);
  arena.prepare(similarity, tile.wraps);
  const capacity = arena.rows;
  const candidates = heap.allocate(count * capacity * 8);
  const scratch = heap.allocate(4_096);
  state.resetThresholds(arena.unit);
  passOver(tile, state, arena, 0, arena.rows, { candidates, capacity, scratch });
  const near = heap.f32(arena.near, rows);
  const far = heap.f32(arena.far, rows);
  const shares: number[] = [];
  for (let query = 0; query < count; query++) {
    expect(heap.i32(state.counts, count)[query]).toBe(rows);
    const alpha = heap.f32(state.alphas, count)[query] as number;
    const beta = heap.f32(state.betas, count)[query] as number;
    const scores = heap.f32(candidates + query * capacity * 8, rows * 2);
    for (let row = 0; row < rows; row++) {
      let dot = 0;
      for (let i = 0; i < corpus.dimensions; i++) {
        dot +=
          (queries.values[query * corpus.dimensions + i] as number) *
          (corpus.values[row * corpus.dimensions + i] as number);
      }
      const norm = arena.normOf(row);
      const factor = similarity === 'dot' ? arena.unit : norm === 0 ? 0 : 1 / norm;
      // beta = |q| / step, so the step comes back from the norm.
      const step = (state.norms[query] as number) / beta;
      const exact = beta === 0 ? 0 : (dot * factor) / step;
      const bound = alpha * (near[row] as number) + beta * (far[row] as number);
      const error = Math.abs((scores[row * 2 + 1] as number) - exact);
      shares.push(error === 0 ? 0 : error / bound);
    }
  }
  return shares;
}

describe.each(await everyKernel())('the bound of the $kind kernel', (kernel) => {
  it('holds for every pair of 300 adversarial cases, and is nearly reached', () => {
    let worst = 0;
    for (let seed = 40_000; seed < 40_300; seed++) {
      const one = makeCase(seed);
      if (one.corpus.ids.length === 0) continue;
      for (const share of sharesOfBound(kernel, one)) {
        if (share > worst) worst = share;
        if (share > 1) expect.fail(`seed ${seed} (${one.kinds.join(' + ')}): error is ${share} of the bound`);
      }
    }
    // An attack that stays far below the bound would prove nothing.
    expect(worst).toBeGreaterThan(0.8);
    expect(worst).toBeLessThanOrEqual(1);
  });
});
