import type { SearchBlock, SearchRequest } from '../../../src/contracts/search.ts';
import { rank, type Ranking } from '../../../src/domain/ranking.ts';

/** A corpus in one piece. */
export interface Corpus {
  readonly ids: readonly string[];
  readonly dimensions: number;
  readonly values: Float32Array;
}

/** The plain float64 scan, written for reading: sums from left to right, everything scored, everything sorted. */
export function scan(corpus: Corpus, request: SearchRequest): Ranking[] {
  const { queries, similarity, k } = request;
  const d = corpus.dimensions;
  return queries.ids.map((queryId, query) => {
    const ids: string[] = [];
    const scores: number[] = [];
    const bitmap = request.visible?.bitmapOf[query] ?? -1;
    for (let row = 0; row < corpus.ids.length; row++) {
      const id = corpus.ids[row] as string;
      if (bitmap >= 0) {
        const byte = request.visible?.bitmaps[bitmap]?.[row >> 3] ?? 0;
        if (((byte >> (row & 7)) & 1) === 0) continue;
      }
      if (request.excluded?.[query]?.includes(id)) continue;
      let dot = 0;
      let queryNorm = 0;
      let norm = 0;
      for (let i = 0; i < d; i++) {
        const a = queries.values[query * d + i] as number;
        const b = corpus.values[row * d + i] as number;
        dot += a * b;
        queryNorm += a * a;
        norm += b * b;
      }
      if (!Number.isFinite(norm)) continue;
      const product = Math.sqrt(queryNorm) * Math.sqrt(norm);
      ids.push(id);
      scores.push(similarity === 'dot' ? dot : product === 0 ? 0 : dot / product);
    }
    return rank(queryId, ids, scores, k);
  });
}

/** Cuts a corpus into blocks of the given sizes (the last size repeats), in the given order of blocks. */
export function blocksOf(corpus: Corpus, sizes: readonly number[], reverse = false): SearchBlock[] {
  const blocks: SearchBlock[] = [];
  for (let row = 0, i = 0; row < corpus.ids.length; i++) {
    const rows = Math.min(sizes[Math.min(i, sizes.length - 1)] as number, corpus.ids.length - row);
    blocks.push({
      firstRow: row,
      rows,
      dimensions: corpus.dimensions,
      values: corpus.values.slice(row * corpus.dimensions, (row + rows) * corpus.dimensions),
      ids: corpus.ids.slice(row, row + rows),
    });
    row += rows;
  }
  return reverse ? blocks.reverse() : blocks;
}
