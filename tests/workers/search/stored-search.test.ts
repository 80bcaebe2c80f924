import { describe, expect, it } from 'vitest';
import type { SetKey, VectorsMeta } from '../../../src/contracts/blocks.ts';
import { openMemoryStore, portTo } from '../../../src/store/open-store.ts';
import { mergeAnswers } from '../../../workers/search/merge-answers.ts';
import { createStoredSearch } from '../../../workers/search/stored-search.ts';
import { seeded } from './adversaries.ts';
import { kernelSources } from './kernel-files.ts';
import { scan } from './reference.ts';

const DIMENSIONS = 12;

function metaOf(side: 'document' | 'query', rows: number): VectorsMeta {
  return {
    model: 'test',
    modelDigest: '',
    dtype: 'fp32',
    device: 'none',
    encoding: {},
    side,
    textsDigest: '',
    dimensions: DIMENSIONS,
    rows,
  };
}

/** A store with 250 documents in blocks of texts and of vectors whose borders differ, and 9 queries. */
async function filledStore() {
  const random = seeded(11);
  const { store, backend } = openMemoryStore();
  const rows = (count: number) => Float32Array.from({ length: count * DIMENSIONS }, () => random() - 0.5);
  const ids = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  const documents = { ids: ids('d', 250), dimensions: DIMENSIONS, values: rows(250) };
  const queries = { ids: ids('q', 9), dimensions: DIMENSIONS, values: rows(9) };
  const write = async (
    key: SetKey<'vectors'>,
    values: Float32Array,
    size: number,
    side: 'document' | 'query',
  ) => {
    const count = values.length / DIMENSIONS;
    const blocks = [];
    for (let firstRow = 0; firstRow < count; firstRow += size) {
      const end = Math.min(count, firstRow + size);
      blocks.push({
        firstRow,
        rows: end - firstRow,
        dimensions: DIMENSIONS,
        values: values.slice(firstRow * DIMENSIONS, end * DIMENSIONS),
      });
    }
    await store.writeSet(key, metaOf(side, count), blocks);
  };
  const texts = (list: readonly string[]) => ({ ids: list, texts: list.map(() => '') });
  await store.writeSet('documents:c', { source: 'test' }, [
    texts(documents.ids.slice(0, 40)),
    texts(documents.ids.slice(40, 177)),
    texts(documents.ids.slice(177)),
  ]);
  await store.writeSet('queries:q', { source: 'test' }, [texts(queries.ids)]);
  await write('vectors:d', documents.values, 64, 'document');
  await write('vectors:q', queries.values, 4, 'query');
  return { store, backend, documents, queries };
}

const STORED = {
  documentsSet: 'documents:c',
  documentVectors: 'vectors:d',
  queriesSet: 'queries:q',
  queryVectors: 'vectors:q',
  similarity: 'cosine',
} as const;

describe('search over the store', () => {
  it('reads vectors and ids itself: shares merged equal a scan, scores are those of the ranking', async () => {
    const { backend, documents, queries } = await filledStore();
    const worker = createStoredSearch();
    await worker.open({ kind: 'memory', port: await portTo(backend, 'search') }, kernelSources);
    const expected = scan(documents, { queries, similarity: 'cosine', k: 20 });
    const shares = [];
    for (let part = 0; part < 3; part++) {
      shares.push(await worker.searchStored(STORED, { k: 20 }, { part, of: 3 }));
    }
    const { rankings, counts } = mergeAnswers(shares, 20);
    expect(rankings).toEqual(expected);
    expect(counts).toMatchObject({ documents: 250, queries: 9, threads: 3 });
    const wanted = rankings.map((ranking) => ranking.documentIds);
    const scores = await worker.scoresStored(STORED, wanted);
    expect(scores).toEqual(rankings.map((ranking) => ranking.scores));
  });

  it('refuses to work before it was opened, and vectors that do not belong to the texts', async () => {
    const { store, backend } = await filledStore();
    const worker = createStoredSearch();
    await expect(worker.searchStored(STORED, { k: 1 }, { part: 0, of: 1 })).rejects.toThrow(
      /before it was opened/,
    );
    await worker.open({ kind: 'memory', port: await portTo(backend, 'search') }, kernelSources);
    await store.writeSet('documents:c', { source: 'test' }, [{ ids: ['d0'], texts: [''] }]);
    await expect(worker.searchStored(STORED, { k: 1 }, { part: 0, of: 1 })).rejects.toThrow(
      /250 vectors.*1 texts/,
    );
  });
});
