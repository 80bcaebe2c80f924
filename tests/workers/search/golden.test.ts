import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SearchRequest, Similarity } from '../../../src/contracts/search.ts';
import { searchBlocks } from '../../../workers/search/search.ts';
import { everyKernel } from './kernel-files.ts';
import { blocksOf, type Corpus } from './reference.ts';

interface Case {
  readonly name: string;
  readonly dims: number;
  readonly score: Similarity;
  readonly k: number;
  readonly ids: readonly string[];
  readonly queries: string;
  readonly docs: string;
  readonly queryCount: number;
  readonly docCount: number;
  readonly visible?: readonly string[];
  readonly excluded?: readonly (string | readonly string[] | null)[];
  readonly refused?: readonly string[];
  readonly errorQueries?: readonly { readonly vector: string }[];
  readonly tryShardSizes?: readonly (readonly number[])[];
  readonly results: readonly { readonly ids: readonly string[]; readonly scores: readonly number[] }[];
}

// Origin: golden values computed with numpy 2.4.6 from a restated float64 scan, seed 20260806; see tests/golden/README.md.
const { cases } = JSON.parse(readFileSync(new URL('../../golden/topk.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[];
};

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function requestOf(one: Case): SearchRequest {
  return {
    queries: {
      ids: Array.from({ length: one.queryCount }, (_, i) => `q${i}`),
      dimensions: one.dims,
      values: floats(one.queries),
    },
    similarity: one.score,
    k: one.k,
    ...(one.excluded
      ? { excluded: one.excluded.map((x) => (x === null ? [] : typeof x === 'string' ? [x] : x)) }
      : {}),
    ...(one.visible
      ? {
          visible: {
            bitmapOf: Int32Array.from(one.visible, (_, i) => i),
            bitmaps: one.visible.map((bits) => {
              const bitmap = new Uint8Array(Math.ceil(bits.length / 8));
              [...bits].forEach((bit, row) => {
                if (bit === '1') bitmap[row >> 3] = (bitmap[row >> 3] as number) | (1 << (row & 7));
              });
              return bitmap;
            }),
          },
        }
      : {}),
  };
}

describe.each(await everyKernel())('golden top-k with the $kind kernel', (kernel) => {
  it.each(cases)('$name', async (one) => {
    const corpus: Corpus = { ids: one.ids, dimensions: one.dims, values: floats(one.docs) };
    const request = requestOf(one);
    for (const sizes of [[one.docCount], [1], [3, 7], [64], ...(one.tryShardSizes ?? [])]) {
      for (const reverse of [false, true]) {
        const answer = await searchBlocks(kernel, blocksOf(corpus, sizes, reverse), request, {
          gatherRows: 1,
        });
        answer.rankings.forEach((ranking, query) => {
          const expected = one.results[query] as Case['results'][number];
          expect(ranking.documentIds).toEqual(expected.ids);
          ranking.scores.forEach((score, i) => {
            const wanted = expected.scores[i] as number;
            if (one.score === 'dot') expect(score).toBe(wanted);
            else expect(Math.abs(score - wanted)).toBeLessThanOrEqual(1e-15 * Math.abs(wanted));
          });
        });
        expect(answer.refused.map(({ id }) => id).sort()).toEqual([...(one.refused ?? [])].sort());
      }
    }
    for (const { vector } of one.errorQueries ?? []) {
      const queries = { ids: ['bad'], dimensions: one.dims, values: floats(vector) };
      await expect(searchBlocks(kernel, blocksOf(corpus, [9]), { ...request, queries })).rejects.toThrow(
        /Query 0 \(id bad\).*component \d+ is/,
      );
    }
  });
});
