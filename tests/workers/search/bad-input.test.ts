import { describe, expect, it } from 'vitest';
import type { SearchBlock, SearchRequest } from '../../../src/contracts/search.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { loadKernel } from '../../../workers/search/kernel-module.ts';
import { packRows } from '../../../workers/search/rows.ts';
import { mergeAnswers } from '../../../workers/search/merge-answers.ts';
import { ResidentSearch, searchBlocks } from '../../../workers/search/search.ts';
import { kernelSources } from './kernel-files.ts';

const kernel = await loadKernel(kernelSources, 'wide');

function block(values: readonly number[], dimensions: number, firstRow = 0): SearchBlock {
  const rows = values.length / dimensions;
  const ids = Array.from({ length: rows }, (_, i) => `d${firstRow + i}`);
  return { firstRow, rows, dimensions, values: Float32Array.from(values), ids };
}

function request(
  values: readonly number[],
  dimensions: number,
  more: Partial<SearchRequest> = {},
): SearchRequest {
  const ids = Array.from({ length: values.length / dimensions }, (_, i) => `q${i}`);
  return {
    queries: { ids, dimensions, values: Float32Array.from(values) },
    similarity: 'cosine',
    k: 2,
    ...more,
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('bad and odd input', () => {
  it('ranks [1,0], [.5,.5], [0,0] against [1,0] as 1, 0.70711 (pitfall 37)', async () => {
    const { rankings } = await searchBlocks(kernel, [block([1, 0, 0.5, 0.5, 0, 0], 2)], request([1, 0], 2));
    expect(rankings[0]?.documentIds).toEqual(['d0', 'd1']);
    expect(rankings[0]?.scores[0]).toBe(1);
    expect(rankings[0]?.scores[1]).toBeCloseTo(0.70711, 5);
  });

  it('names a document that is not finite and ranks the others', async () => {
    const answer = await searchBlocks(
      kernel,
      [block([NaN, NaN, 0.5, 0.5, 0, 0], 2), block([1, -Infinity], 2, 3)],
      request([1, 0], 2, { k: 10 }),
    );
    expect(answer.rankings[0]?.documentIds).toEqual(['d1', 'd2']);
    expect(answer.refused).toEqual([
      { row: 0, id: 'd0', reason: 'component 0 is NaN' },
      { row: 3, id: 'd3', reason: 'component 1 is -Infinity' },
    ]);
  });

  it('refuses a query that is not finite, by name', async () => {
    const search = searchBlocks(kernel, [block([1, 0], 2)], request([1, 0, 0, NaN], 2));
    await expect(search).rejects.toThrow(/Query 1 \(id q1\).*component 1 is NaN/);
  });

  it('gives cosine 0, and positive 0, to zero vectors on either side', async () => {
    const { rankings } = await searchBlocks(
      kernel,
      [block([0, 0, -0, -0, 3, 4], 2)],
      request([0, 0, -1, 0], 2, { k: 3 }),
    );
    expect([...(rankings[0]?.scores ?? [])]).toEqual([0, 0, 0]);
    expect(rankings[0]?.documentIds).toEqual(['d2', 'd1', 'd0']);
    expect(rankings[1]?.documentIds).toEqual(['d1', 'd0', 'd2']);
    expect(Object.is(rankings[1]?.scores[0], 0)).toBe(true);
  });

  it.each([0, -1, 1.5, NaN, 1_001])('refuses k = %d', async (k) => {
    expect(await codeOf(searchBlocks(kernel, [], request([1, 0], 2, { k })))).toBe('k-out-of-range');
  });

  it('refuses other dimensions, streamed and resident', async () => {
    const wrong = searchBlocks(kernel, [block([1, 0, 0], 3)], request([1, 0], 2));
    await expect(wrong).rejects.toThrow(/3 dimensions.*2/);
    const resident = new ResidentSearch(kernel, 3, 8);
    resident.load(block([1, 0, 0], 3));
    expect(() => resident.search(request([1, 0], 2))).toThrow(/3 dimensions.*2/);
    expect(() => resident.load(block([1, 0], 2))).toThrow(/2 dimensions.*3/);
  });

  it('refuses blocks and requests whose parts do not fit together', async () => {
    const short = { ...block([1, 0, 0, 1], 2), ids: ['d0'] };
    expect(await codeOf(searchBlocks(kernel, [short], request([1, 0], 2)))).toBe('block-shape');
    const queries = { ids: ['q0'], dimensions: 2, values: new Float32Array(3) };
    expect(await codeOf(searchBlocks(kernel, [], { ...request([1, 0], 2), queries }))).toBe('query-shape');
    const visible = { bitmaps: [], bitmapOf: new Int32Array(2) };
    expect(await codeOf(searchBlocks(kernel, [], request([1, 0], 2, { visible })))).toBe('visibility-shape');
    expect(await codeOf(searchBlocks(kernel, [], request([1, 0], 2, { excluded: [] })))).toBe(
      'exclusions-shape',
    );
  });

  it('counts queries that see nothing, and gives them an empty ranking', async () => {
    const visible = { bitmaps: [Uint8Array.of(0), Uint8Array.of(2)], bitmapOf: Int32Array.of(0, 1, -1) };
    const answer = await searchBlocks(
      kernel,
      [block([1, 0, 0, 1], 2)],
      request([1, 0, 1, 0, 1, 0], 2, { visible }),
    );
    expect(answer.rankings.map((ranking) => ranking.documentIds)).toEqual([[], ['d1'], ['d0', 'd1']]);
    expect(answer.counts.emptyRankings).toBe(1);
  });

  it('answers without documents and without queries', async () => {
    expect((await searchBlocks(kernel, [], request([1, 0], 2))).rankings[0]?.documentIds).toEqual([]);
    expect((await searchBlocks(kernel, [block([1, 0], 2)], request([], 2))).rankings).toEqual([]);
    const nobody = { ...block([], 2), rows: 0 };
    expect((await searchBlocks(kernel, [nobody], request([1, 0], 2))).rankings[0]?.documentIds).toEqual([]);
  });

  it('takes ids of any length: 300 ids of 1 MiB are never joined', async () => {
    const long = 'x'.repeat(1_048_576);
    const ids = Array.from({ length: 300 }, (_, i) => `${i}-${long}`);
    const values = new Float32Array(300).fill(1);
    const { rankings } = await searchBlocks(
      kernel,
      [{ firstRow: 0, rows: 300, dimensions: 1, values, ids }],
      request([1], 1, { k: 1 }),
    );
    expect(rankings[0]?.documentIds[0]?.startsWith('99-x')).toBe(true);
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    controller.abort();
    const search = searchBlocks(kernel, [block([1, 0], 2)], request([1, 0], 2), {
      options: { signal: controller.signal },
    });
    expect(await codeOf(search)).toBe('aborted');
  });

  it('refuses relaxed kernels by name where the runtime has none', async () => {
    const empty = new Uint8Array(8);
    expect(await codeOf(loadKernel({ ...kernelSources, relaxed: empty }, 'dot7'))).toBe('kernel-unsupported');
    expect((await loadKernel({ ...kernelSources, relaxed: empty })).kind).toBe('wide');
    expect(await codeOf(loadKernel({ plain: empty, relaxed: empty }))).toBe('simd-missing');
  });
});

describe('resident and packed', () => {
  it('a resident search, again and again, in both similarities, equals the streamed one', async () => {
    const values = Array.from({ length: 600 }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 7)));
    const blocks = [block(values.slice(0, 303), 3), block(values.slice(303), 3, 101)];
    const resident = new ResidentSearch(kernel, 3, 216);
    for (const one of blocks) resident.load(one);
    for (const similarity of ['dot', 'cosine', 'dot'] as const) {
      for (const count of [1, 2, 7]) {
        const wanted = request(values.slice(0, count * 3), 3, { similarity, k: 20 });
        const streamed = await searchBlocks(kernel, blocks, wanted);
        expect(resident.search(wanted).rankings).toEqual(streamed.rankings);
      }
    }
    expect(() => resident.load(blocks[0] as SearchBlock)).toThrow(/room for 216 rows/);
  });

  it('packed beforehand or on the way: the same answer', async () => {
    const values = Array.from({ length: 300 }, (_, i) => Math.cos(i * 2.3));
    const plain = block(values, 5);
    const packed = { ...plain, packed: packRows(kernel.instantiate(), plain) };
    const wanted = request(values.slice(0, 15), 5, { k: 7 });
    const [one, other] = await Promise.all([
      searchBlocks(kernel, [plain], wanted),
      searchBlocks(kernel, [packed], wanted),
    ]);
    expect(other).toEqual(one);
    expect(mergeAnswers([one], 7)).toBe(one);
  });
});
