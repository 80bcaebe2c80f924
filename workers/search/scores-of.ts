import { abortedError, type CallOptions } from '../../src/contracts/calls.ts';
import type { QueryVectors, Similarity, WantedScores } from '../../src/contracts/search.ts';
import { chooseTile, type Kernel } from './kernel-module.ts';
import { cosineOf } from './pass.ts';
import { QueryTile } from './query-tile.ts';
import { checkQueries } from './request-checks.ts';
import { RowArena } from './rows.ts';
import type { Blocks } from './search.ts';
import { WasmHeap } from './wasm-heap.ts';

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
