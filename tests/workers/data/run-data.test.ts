import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../../src/codecs/run-reader.ts';
import { openIndexedDbStore } from '../../../src/store/open-store.ts';
import { createRunData } from '../../../workers/data/run-data.ts';

const KEY = 'rankings:run';

async function withRankings(name: string, documentIds: readonly string[]) {
  const store = await openIndexedDbStore(name);
  const data = createRunData(() => Promise.resolve(store));
  const description = { model: 'm', dtype: 'fp32', protocol: 'p', depth: 10 };
  await data.putRankings(
    KEY,
    { benchmarkDigest: 'a'.repeat(64), description },
    {
      queryIds: ['q 1', '__proto__'],
      offsets: Uint32Array.of(0, documentIds.length, documentIds.length + 1),
      documentIds: [...documentIds, '7'],
      scores: Float64Array.from([...documentIds.map((_, i) => 0.1 * (documentIds.length - i)), -1e-7]),
    },
  );
  return data;
}

describe('kept rankings as files', () => {
  it('are refused as a TREC run when an id holds blanks', async () => {
    const data = await withRankings('blank-trec', ['c 1', 'c2']);
    await expect(data.rankingsAsTrec(KEY, 'tag')).rejects.toMatchObject({ code: 'run-id-blank' });
  });

  it('come back from JSON with every id, order and score', async () => {
    const data = await withRankings('blank-json', ['c 1', '"2"', '10', '9']);
    const bytes = new Uint8Array(await (await data.rankingsAsJson(KEY)).arrayBuffer());
    async function* stream() {
      yield await Promise.resolve(bytes);
    }
    const { run } = await readRun({ name: 'run.json', stream });
    expect([...run.keys()]).toEqual(['q 1', '__proto__']);
    expect(run.get('q 1')?.documentIds).toEqual(['c 1', '"2"', '10', '9']);
    expect([...(run.get('q 1')?.scores ?? [])]).toEqual([0.4, 0.30000000000000004, 0.2, 0.1]);
    expect([...(run.get('__proto__')?.scores ?? [])]).toEqual([-1e-7]);
  });
});
