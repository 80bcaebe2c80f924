import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NamedFile } from '../../../src/contracts/data.ts';
import { openMemoryStore } from '../../../src/store/open-store.ts';
import { readAnchors, readQrels } from '../../../src/store/read-benchmark.ts';
import { DataService } from '../../../workers/data/data.ts';
import { coreBenchDataset, corebDataset, mtebDataset, parquetFile } from '../../fake-hub/datasets.ts';
import { execDataset, jsonLines } from '../../fake-hub/exec-dataset.ts';
import { FakeHub } from '../../fake-hub/fake-hub.ts';

let hub: FakeHub;
beforeAll(async () => {
  hub = await FakeHub.start([execDataset(), corebDataset(), coreBenchDataset(), mtebDataset()]);
});
afterAll(() => hub.stop());

async function freshService(): Promise<DataService> {
  const service = new DataService({
    obstacle: () => undefined,
    openDisk: () => Promise.resolve(openMemoryStore().store),
  });
  await service.open({ baseUrl: 'http://localhost/', hubUrl: hub.url });
  return service;
}

function files(contents: Readonly<Record<string, string | Uint8Array>>): NamedFile[] {
  return Object.entries(contents).map(([name, content]) => ({
    path: name,
    body: new File([content as Uint8Array<ArrayBuffer>], name, { lastModified: 1 }),
  }));
}

describe('declared benchmarks from the hub', () => {
  it('loads ExecRetrieval', async () => {
    const benchmark = await (await freshService()).loadBenchmark({ kind: 'declared', id: 'execretrieval' });
    expect(benchmark).toMatchObject({
      protocolId: 'execretrieval',
      counts: { documents: 300, queries: 60, judgements: 60 },
    });
    expect(benchmark.execution).toBeDefined();
  });

  it('loads the three tasks of CoREB with grades, subtasks and anchors', async () => {
    const service = await freshService();
    const store = await service.store();
    const t2c = await service.loadBenchmark({ kind: 'declared', id: 'coreb-t2c' });
    expect(t2c).toMatchObject({
      protocolId: 'coreb-paper',
      counts: { documents: 60, queries: 6, judgements: 60 },
      warnings: [],
    });
    const grades = [...((await readQrels(store, t2c.qrelsSet)).get('q_t2c_canonical_retro_python_0') ?? [])];
    expect(grades.slice(0, 2)).toEqual([
      ['code_v202603_00000', 2],
      ['code_v202603_00001', 1],
    ]);
    const [document] = await service.rows(t2c.documentsSet, 0, 1);
    expect(document).toMatchObject({
      language: 'python',
      extra: { model: 'a-model', source_problem_id: 'lcb_0', passed: true },
    });
    const [query] = await service.rows(t2c.queriesSet, 0, 1);
    expect(query?.extra).toEqual({ subtask: 't2c_canonical_retro_python', language_constraint: 'python' });

    const c2c = await service.loadBenchmark({ kind: 'declared', id: 'coreb-c2c' });
    expect((await readAnchors(store, c2c.queriesSet)).get('q_c2c_cross_lang_code_v202603_00000')).toEqual([
      'code_v202603_00000',
    ]);
    // The same corpus is stored once.
    expect(c2c.documentsSet).toBe(t2c.documentsSet);
    const c2t = await service.loadBenchmark({ kind: 'declared', id: 'coreb-c2t' });
    expect(c2t.counts).toEqual({ documents: 12, queries: 6, judgements: 12 });
    expect((await service.rows(c2t.queriesSet, 0, 1))[0]).toMatchObject({
      text: 'code of code_v202603_00000',
      extra: { subtask: 'c2t_match' },
    });
  });

  it('loads a repository of CORE-Bench with its visibility, in both forms of qrels, and a rewrite', async () => {
    const service = await freshService();
    const store = await service.store();
    const django = await service.loadBenchmark({ kind: 'declared', id: 'core-bench-l2/django__django' });
    expect(django).toMatchObject({
      protocolId: 'core-bench',
      counts: { documents: 40, queries: 6, judgements: 6 },
      warnings: [],
    });
    const visibility = await store.readBlock(django.visibilitySet as `visibility:${string}`, 0);
    // The query without a list sees everything and has no bitmap.
    expect(visibility.queryIds).toEqual(['pr_0', 'pr_1', 'pr_2', 'pr_3', 'pr_4']);
    expect([...visibility.bitmaps.slice(5, 10)]).toEqual([0b11111110, 255, 0b00011111, 0, 0]);
    const grpc = await service.loadBenchmark({
      kind: 'declared',
      id: 'core-bench-l2',
      part: 'Multi-SWE-bench/grpc-go',
    });
    expect(grpc.counts.judgements).toBe(6);
    const rewrite = await service.loadBenchmark({
      kind: 'declared',
      id: 'core-bench-l2-rewrite/django__django',
    });
    expect(rewrite.documentsSet).toBe(django.documentsSet);
    expect((await service.rows(rewrite.queriesSet, 0, 1))[0]?.text).toBe('please fix 0');
    await expect(service.loadBenchmark({ kind: 'declared', id: 'core-bench-l2' })).rejects.toMatchObject({
      code: 'part-needed',
    });
    await expect(service.loadBenchmark({ kind: 'declared', id: 'core-bench-l2/djagno' })).rejects.toThrow(
      /has no "djagno"/,
    );
  });

  it('lists the repositories of a level', async () => {
    const service = await freshService();
    expect(await service.listParts('core-bench-l2')).toEqual([
      { part: 'Multi-SWE-bench/grpc-go', subdataset: 'Multi-SWE-bench' },
      { part: 'SWE-bench Verified/django__django', subdataset: 'SWE-bench Verified' },
    ]);
    expect(await service.listParts('exec-mini')).toEqual([]);
  });

  it('takes what is stored when the hub is gone', async () => {
    const own = await FakeHub.start([execDataset(3)]);
    const { store } = openMemoryStore();
    const service = new DataService({ obstacle: () => undefined, openDisk: () => Promise.resolve(store) });
    await service.open({ baseUrl: 'http://localhost/', hubUrl: own.url });
    const benchmark = await service.loadBenchmark({ kind: 'declared', id: 'execretrieval' });
    await own.stop();
    expect(await service.loadBenchmark({ kind: 'declared', id: 'execretrieval' })).toEqual(benchmark);
  });

  it('loads a part of any data set of the hub, of its test split', async () => {
    const service = await freshService();
    await expect(service.loadBenchmark({ kind: 'hub', dataset: 'lab/mteb-like' })).rejects.toThrow(
      /go, python/,
    );
    const python = await service.loadBenchmark({ kind: 'hub', dataset: 'lab/mteb-like', part: 'python' });
    expect(python).toMatchObject({
      id: 'lab/mteb-like/python',
      protocolId: 'mteb',
      counts: { documents: 3, queries: 2 },
    });
    expect((await readQrels(await service.store(), python.qrelsSet)).get('q1')).toEqual(new Map([['1', 1]]));
    expect((await service.rows(python.documentsSet, 0, 2)).map((row) => row.title)).toEqual(['A', undefined]);
  });
});

describe('folders, zips and addresses', () => {
  const beir = {
    'corpus.jsonl': '{"_id":7,"title":"Two Sum","text":"  def f(): pass\\n"}\n{"_id":"007","text":"b"}\n',
    'queries.jsonl': '{"_id":"q1","text":"x"}\n{"_id":"q2","text":"y"}\n',
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\t7\t1\nq2\tghost\t1\nq9\t7\t1\n',
  };

  it('loads a BEIR folder and counts what does not fit', async () => {
    const service = await freshService();
    const benchmark = await service.loadBenchmark({ kind: 'files', name: 'mine', files: files(beir) });
    expect(benchmark).toMatchObject({
      protocolId: 'beir',
      counts: { documents: 2, queries: 2, judgements: 2 },
    });
    expect(benchmark.warnings).toMatchObject([
      { code: 'judged-document-not-in-corpus', count: 1, samples: ['ghost'] },
      { code: 'judged-query-unknown', count: 1, samples: ['q9'] },
    ]);
    expect(await service.rows(benchmark.documentsSet, 0, 2)).toMatchObject([
      { id: '7', title: 'Two Sum', text: '  def f(): pass\n' },
      { id: '007' },
    ]);
  });

  it('gives the same digest for the folder, its zip, packed files and parquet', async () => {
    const service = await freshService();
    const load = async (contents: Readonly<Record<string, string | Uint8Array>>): Promise<string> =>
      (
        await service.loadBenchmark({
          kind: 'files',
          name: JSON.stringify(Object.keys(contents)),
          files: files(contents),
        })
      ).digest;
    const plain = await load(beir);
    const inFolder = Object.fromEntries(
      Object.entries(beir).map(([name, text]) => [`set/${name}`, strToU8(text)]),
    );
    expect(await load({ 'set.zip': zipSync(inFolder) })).toBe(plain);
    expect(
      await load({
        ...omit(beir, 'corpus.jsonl'),
        'corpus.jsonl.gz': gzipSync(strToU8(beir['corpus.jsonl'])),
      }),
    ).toBe(plain);
    const corpus = parquetFile({
      _id: ['7', '007'],
      title: ['Two Sum', null],
      text: ['  def f(): pass\n', 'b'],
    });
    expect(await load({ ...omit(beir, 'corpus.jsonl'), 'corpus.parquet': corpus })).toBe(plain);
    const qrels = parquetFile({
      'query-id': ['q1', 'q2', 'q9'],
      'corpus-id': ['7', 'ghost', '7'],
      score: [1, 1, 1],
    });
    expect(await load({ ...omit(beir, 'qrels/test.tsv'), 'qrels/test-00000-of-00001.parquet': qrels })).toBe(
      plain,
    );
  });

  it('joins int64 ids of parquet with those of JSON Lines', async () => {
    const service = await freshService();
    const benchmark = await service.loadBenchmark({
      kind: 'files',
      name: 'ints',
      files: files({
        'corpus.jsonl': '{"_id":9007199254740993,"text":"a"}\n{"_id":12,"text":"b"}\n',
        'queries.jsonl': '{"_id":"q","text":"x"}\n',
        'qrels.parquet': parquetFile({
          'query-id': ['q', 'q'],
          'corpus-id': [9007199254740993n, 12n],
          score: [1, 2],
        }),
      }),
    });
    expect(benchmark.warnings).toEqual([]);
    expect((await readQrels(await service.store(), benchmark.qrelsSet)).get('q')).toEqual(
      new Map([
        ['9007199254740993', 1],
        ['12', 2],
      ]),
    );
  });

  it('finds a duplicate id across shards', async () => {
    const shards = {
      ...omit(beir, 'corpus.jsonl'),
      'corpus/corpus-00000-of-00002.parquet': parquetFile({ _id: ['7', 'a'], text: ['x', 'y'] }),
      'corpus/corpus-00001-of-00002.parquet': parquetFile({ _id: ['b', 'a'], text: ['x', 'y'] }),
    };
    const attempt = (await freshService()).loadBenchmark({
      kind: 'files',
      name: 'shards',
      files: files(shards),
    });
    await expect(attempt).rejects.toThrow(/corpus-00001-of-00002\.parquet, line 2: .*"a".*document 2/);
  });

  const bad: [string, Record<string, string | Uint8Array>, string, RegExp][] = [
    [
      'a grade that is no number',
      { ...beir, 'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\t7\tyes\n' },
      'bad-row',
      /test\.tsv, line 2: "score".*"yes"/,
    ],
    [
      'two grades for one pair',
      { ...beir, 'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\t7\t1\nq1\t7\t2\n' },
      'conflicting-grades',
      /line 3: .*2 here and 1 before/,
    ],
    [
      'no id in common',
      { ...beir, 'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq.1\t7\t1\n' },
      'no-judgements',
      /"q1"/,
    ],
    [
      'an unknown column',
      { ...beir, 'corpus.jsonl': '{"name":1,"body":"a"}\n' },
      'missing-column',
      /line 1: needs an id.*it has name, body/,
    ],
    ['no qrels', omit(beir, 'qrels/test.tsv'), 'bad-row', /queries\.jsonl, line 1|corpus\.jsonl, line 1/],
    [
      'only a corpus in parquet',
      { 'corpus.parquet': parquetFile({ _id: ['1'], text: ['a'] }) },
      'missing-file',
      /no file for queries and qrels/,
    ],
    [
      'visibility that is an exclusion list',
      {
        'corpus.jsonl': jsonLines([1, 2, 3].map((i) => ({ _id: `d${i}`, text: 'x' }))),
        'queries.jsonl': jsonLines([{ _id: 'q', text: 'x', filtered_corpus_id: ['d1', 'd2'] }]),
        'qrels.jsonl': jsonLines([{ query_id: 'q', corpus_id: 'd3', score: 1 }]),
      },
      'visibility-inverted',
      /1 of 1 relevant documents are not among those listed as visible/,
    ],
  ];
  it.each(bad)('%s: one message, nothing stored', async (_, contents, code, message) => {
    const service = await freshService();
    const attempt = service.loadBenchmark({ kind: 'files', name: 'bad', files: files(contents) });
    await expect(attempt).rejects.toMatchObject({ code });
    await expect(attempt).rejects.toThrow(message);
    expect(await (await service.store()).list()).toEqual([]);
  });

  it('leaves out rows without text in CoREB and counts them', async () => {
    const service = await freshService();
    const benchmark = await service.loadBenchmark({
      kind: 'files',
      name: 'coreb',
      part: 'c2c',
      files: files({
        'code_corpus_v2.jsonl': jsonLines([
          { code_id: 'a', code: 'x' },
          { code_id: 'b' },
          { id: 'c', content: 'y' },
        ]),
        'code2code_queries.jsonl': jsonLines([
          { query_id: 'q', query: 'x', meta: "{'anchor_code_id': 'a'}" },
        ]),
        'code2code_qrels.jsonl': jsonLines([{ query_id: 'q', doc_id: 'c', relevance: 2 }]),
      }),
    });
    expect(benchmark.counts.documents).toBe(2);
    expect(benchmark.warnings).toMatchObject([{ code: 'incomplete-row', count: 1 }]);
  });
});

describe('columns that a person assigns', () => {
  it('shows samples and a guess', async () => {
    const service = await freshService();
    const { samples, guess } = await service.inspectFiles(
      files({
        'corpus.csv': 'id,text\n1,"a, b"\n',
        'queries.jsonl': '{"_id":"q","text":"x"}\n',
        'qrels.tsv': 'query-id\tcorpus-id\tscore\nq\t1\t1\n',
        'readme.md': '# nothing',
      }),
    );
    expect(samples).toMatchObject([
      { path: 'corpus.csv', format: 'csv', columns: ['id', 'text'], rows: [{ id: '1', text: 'a, b' }] },
      { path: 'queries.jsonl', format: 'jsonl' },
      { path: 'qrels.tsv', format: 'tsv' },
      { path: 'readme.md', problem: 'no known format' },
    ]);
    expect(guess).toMatchObject({
      documents: { file: 'corpus.csv', id: 'id', text: 'text' },
      qrels: { grade: 'score' },
    });
  });

  const folder = path.resolve(import.meta.dirname, '../../../../shared/data');
  const present = existsSync(path.join(folder, 'cosqa-test.json'));
  it.skipIf(!present)(
    `loads the real CoSQA (${present ? 'found' : 'skipped: ../shared/data is not here'})`,
    async () => {
      const service = await freshService();
      const named = ['cosqa-test.json', 'cosqa_code_idx_map.txt'];
      const contents = Object.fromEntries(
        named.map((name) => [name, new Uint8Array(readFileSync(path.join(folder, name)))]),
      );
      const { samples } = await service.inspectFiles(files(contents));
      expect(samples.map((sample) => sample.columns.slice(0, 3))).toEqual([
        ['idx', 'doc', 'code'],
        ['key', 'value'],
      ]);
      const benchmark = await service.loadBenchmark({
        kind: 'files',
        name: 'CoSQA',
        files: files(contents),
        columns: {
          documents: { file: 'cosqa_code_idx_map.txt', id: 'value', text: 'key' },
          queries: { file: 'cosqa-test.json', id: 'idx', text: 'doc' },
          qrels: { file: 'cosqa-test.json', query: 'idx', document: 'retrieval_idx' },
        },
      });
      expect(benchmark.counts).toEqual({ documents: 6267, queries: 500, judgements: 500 });
      expect(benchmark.warnings).toEqual([]);
    },
  );
});

function omit<T extends object, K extends keyof T>(value: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = value;
  return rest;
}
