import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../../src/store/open-store.ts';
import { DataService } from '../../../workers/data/data.ts';
import { coreBenchDataset, corebDataset } from '../../fake-hub/datasets.ts';
import { FakeHub } from '../../fake-hub/fake-hub.ts';

let hub: FakeHub;
let service: DataService;
beforeAll(async () => {
  hub = await FakeHub.start([corebDataset(), coreBenchDataset()]);
  service = new DataService({
    obstacle: () => undefined,
    openDisk: () => Promise.resolve(openMemoryStore().store),
  });
  await service.open({ baseUrl: 'http://localhost/', hubUrl: hub.url });
});
afterAll(() => hub.stop());

describe('statistics cards', () => {
  it('counts CoREB, beside what its paper states', async () => {
    const card = await service.statistics(await service.loadBenchmark({ kind: 'declared', id: 'coreb-t2c' }));
    expect(card.documents).toMatchObject({
      count: 60,
      tokenSample: 60,
      verifiedCorrect: { correct: 30, known: 60 },
    });
    expect(card.documents.languages).toHaveLength(5);
    expect(card.documents.languages[0]).toEqual({ label: 'python', count: 12 });
    expect(card.queries.labels).toEqual([
      { field: 'language_constraint', values: [{ label: 'python', count: 6 }] },
      { field: 'subtask', values: [{ label: 't2c_canonical_retro_python', count: 6 }] },
    ]);
    // "Solve problem 0": 15 characters, 5 tokens (Sol, ve, problem, blank, digit).
    expect(card.queries).toMatchObject({ meanCharacters: 15, meanTokens: 5 });
    expect(card.judgements).toEqual({
      count: 60,
      grades: [
        { grade: 2, count: 30, meanPerQuery: 5 },
        { grade: 1, count: 30, meanPerQuery: 5 },
      ],
      queriesWithout: 0,
    });
    expect(card.checks).toEqual([
      { what: 'documents', declared: 1744, counted: 60 },
      { what: 'queries', declared: 1123, counted: 6 },
      { what: 'judgements', declared: 5950, counted: 60 },
    ]);
  });

  it('counts what queries may see', async () => {
    const benchmark = await service.loadBenchmark({ kind: 'declared', id: 'core-bench-l2/grpc-go' });
    const card = await service.statistics(benchmark);
    expect(card.visibility).toEqual({ queries: 5, meanVisible: 20 });
    expect(card.checks).toEqual([]);
    expect(await service.statistics(benchmark)).toEqual(card);
  });

  it('counts code points, and takes control tokens as text', async () => {
    const file = (name: string, text: string) => ({
      path: name,
      body: new File([text], name, { lastModified: 1 }),
    });
    const benchmark = await service.loadBenchmark({
      kind: 'files',
      name: 'odd',
      files: [
        file('corpus.jsonl', '{"_id":"d","text":"😀<|endoftext|>"}\n'),
        file('queries.jsonl', '{"_id":"q","text":"x"}\n{"_id":"r","text":"y"}\n'),
        file('qrels.jsonl', '{"query_id":"q","corpus_id":"d","score":-1}\n'),
      ],
    });
    const card = await service.statistics(benchmark);
    expect(card.documents.meanCharacters).toBe(14);
    expect(card.documents.meanTokens).toBeGreaterThan(5);
    expect(card.judgements).toEqual({
      count: 1,
      grades: [{ grade: -1, count: 1, meanPerQuery: 0.5 }],
      queriesWithout: 1,
    });
  });
});
