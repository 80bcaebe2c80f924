import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NamedFile, StoredBenchmark } from '../../../src/contracts/data.ts';
import type { Progress } from '../../../src/contracts/calls.ts';
import { openIndexedDbStore } from '../../../src/store/open-store.ts';
import { readExecutionTasks, readQrels } from '../../../src/store/read-benchmark.ts';
import { DataService } from '../../../workers/data/data.ts';

let counter = 0;

/** A data worker on a database of its own. */
async function freshService(name = `exec-${counter++}`): Promise<DataService> {
  const service = new DataService({ openDisk: () => openIndexedDbStore(name), obstacle: () => undefined });
  await service.open({ baseUrl: 'http://localhost/' });
  return service;
}

type Texts = Record<string, string>;

const corpus = [
  {
    corpus_id: 'c_1',
    code: 'def f(x):\n    return x + 1\n',
    label: 'correct',
    source_entry_id: 'exec_geometry_1',
  },
  { corpus_id: 'c_2', code: 'def f(x):\n    return x + 2\n', label: 'incorrect', bug_type: 'off_by_one' },
  {
    corpus_id: 'c_3',
    code: 'def g(x):\n    return -x\n',
    label: 'correct',
    source_entry_id: 'exec_date_time_2',
  },
];
const queries = [
  {
    query_id: 'q_1',
    query: 'add one',
    test_suite: ['assert f(1) == 2', 'assert f(0) == 1'],
    correct_corpus_ids: ['c_1'],
    paired_distractor_corpus_ids: ['c_2'],
    entry_id: 'exec_geometry_1',
  },
  {
    query_id: 'q_2',
    query: 'negate',
    test_suite: ['assert g(1) == -1'],
    correct_corpus_ids: ['c_3'],
    paired_distractor_corpus_ids: [],
    entry_id: 'Other/7',
    metadata: { domain: 'date_time' },
  },
];

const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function files(texts: Texts): NamedFile[] {
  return Object.entries(texts).map(([name, text]) => ({
    path: name,
    body: new File([text], name, { lastModified: 1 }),
  }));
}

const good = (): Texts => ({ 'corpus.jsonl': jsonl(corpus), 'queries.jsonl': jsonl(queries) });

const load = (service: DataService, texts: Texts, queryCount?: number): Promise<StoredBenchmark> =>
  service.loadBenchmark({
    kind: 'files',
    name: 'mine',
    files: files(texts),
    ...(queryCount === undefined ? {} : { queries: queryCount }),
  });

describe('loading a folder in the layout of ExecRetrieval', () => {
  it('stores documents, queries, judgements and tasks', async () => {
    const service = await freshService();
    const benchmark = await load(service, good());
    const store = await service.store();
    expect(benchmark.counts).toEqual({ documents: 3, queries: 2, judgements: 2 });
    expect(benchmark.protocolId).toBe('execretrieval');
    expect(benchmark.warnings).toEqual([]);
    expect(await readQrels(store, benchmark.qrelsSet)).toEqual(
      new Map([
        ['q_1', new Map([['c_1', 1]])],
        ['q_2', new Map([['c_3', 1]])],
      ]),
    );
    const tasks = await readExecutionTasks(store, benchmark.execution?.tasksSet as never);
    expect(tasks).toEqual([
      {
        queryId: 'q_1',
        domain: 'geometry',
        tests: queries[0]?.test_suite,
        canonicalIds: ['c_1'],
        distractors: [{ documentId: 'c_2', bugType: 'off_by_one' }],
      },
      {
        queryId: 'q_2',
        domain: 'date_time',
        tests: queries[1]?.test_suite,
        canonicalIds: ['c_3'],
        distractors: [],
      },
    ]);
    expect(await service.rows(benchmark.documentsSet, 1, 5)).toMatchObject([
      { row: 1, id: 'c_2', language: 'python', extra: { label: 'incorrect', bugType: 'off_by_one' } },
      { row: 2, id: 'c_3' },
    ]);
    expect(await service.textsOf(benchmark.queriesSet, ['q_2', 'q_1'])).toMatchObject([
      { text: 'negate', extra: { domain: 'date_time' } },
      { text: 'add one' },
    ]);
    await expect(service.textsOf(benchmark.queriesSet, ['q_9'])).rejects.toMatchObject({
      code: 'unknown-id',
    });
    const manifests = await store.list();
    expect(manifests.every((manifest) => manifest.complete)).toBe(true);
  });

  it('gives the same digest whatever the line ends, the folder, and the order of members', async () => {
    const service = await freshService();
    const benchmark = await load(service, good());
    const reordered = queries.map(({ query_id, query, ...rest }) => ({ ...rest, query, query_id }));
    const other = await load(await freshService(), {
      'folder/data/corpus.jsonl': `\uFEFF${jsonl(corpus).replaceAll('\n', '\r\n').replaceAll('\\r\\n', '\\n')}`,
      'folder/data/queries.jsonl': jsonl(reordered).trimEnd(),
    });
    expect(other.digest).toBe(benchmark.digest);
    const changed = await load(await freshService(), {
      ...good(),
      'queries.jsonl': jsonl(queries.slice(0, 1)),
    });
    expect(changed.digest).not.toBe(benchmark.digest);
    expect(changed.parts.documents).toBe(benchmark.parts.documents);
  });

  it('cuts to the first queries with their own snippets, under a name and digest of its own', async () => {
    const service = await freshService();
    const whole = await load(service, good());
    const cut = await load(service, good(), 1);
    expect(cut.counts).toEqual({ documents: 2, queries: 1, judgements: 1 });
    expect(cut.digest).not.toBe(whole.digest);
    expect(cut.id).toBe('mine/queries=1');
    expect(cut.cutFrom).toEqual({ digest: whole.digest, queries: 1 });
    const store = await service.store();
    expect(await store.readAllIds(cut.documentsSet)).toEqual(['c_1', 'c_2']);
    expect(await load(service, good(), 1)).toEqual(cut);
    expect((await load(service, good(), 99)).digest).toBe(whole.digest);
  });

  it('reads recorded outcomes, one row a suite or one row a test', async () => {
    const { codeDigest, suiteDigestReadings } = await import('../../../src/benchmarks/execution-task.ts');
    const tests = queries[0]?.test_suite ?? [];
    const [own, python] = await suiteDigestReadings(tests);
    const code = await codeDigest(corpus[1]?.code ?? '');
    const rows = [
      { code_sha256: code, tests_sha256: python, test_index: 0, outcome: 'pass' },
      { code_sha256: code, tests_sha256: python, test_index: 1, outcome: 'FAIL:AssertionError' },
      { code_sha256: await codeDigest('other'), tests_sha256: own, outcomes: ['TIMEOUT', 'pass'] },
      { code_sha256: code, tests_sha256: '0'.repeat(64), outcomes: ['pass'] },
      { code_sha256: code, tests_sha256: own },
    ];
    const service = await freshService();
    const benchmark = await load(service, { ...good(), 'execution_cache.jsonl': jsonl(rows) });
    const block = await (
      await service.store()
    ).readBlock(benchmark.execution?.cacheSet as never as `verdicts:${string}`, 0);
    expect(block.verdicts).toEqual(['wrong', 'timeout']);
    expect(block.suiteDigests).toEqual([own, own]);
    expect(block.tests).toEqual(['["pass","wrong"]', '["timeout","pass"]']);
    expect(benchmark.warnings.map(({ code, count }) => [code, count])).toEqual([
      ['cache-row-without-outcome', 1],
      ['cached-suite-unknown', 1],
    ]);
  });

  it('reports bytes while it reads', async () => {
    const service = await freshService();
    const seen: Progress[] = [];
    await service.loadBenchmark(
      { kind: 'files', name: 'mine', files: files(good()) },
      { onProgress: (progress) => seen.push(progress) },
    );
    const total = good()['corpus.jsonl']?.length;
    expect(seen).toContainEqual({ step: 'corpus.jsonl', done: total, total, unit: 'bytes' });
  });
});

describe('bad folders', () => {
  const line = (row: object): string => JSON.stringify(row);
  const cases: [string, Texts, string, RegExp][] = [
    [
      'no queries.jsonl',
      { 'corpus.jsonl': jsonl(corpus) },
      'missing-file',
      /mine has no queries\.jsonl.*corpus\.jsonl/,
    ],
    ['no corpus.jsonl', { 'queries.jsonl': jsonl(queries) }, 'missing-file', /mine has no corpus\.jsonl/],
    [
      'a corpus line that is not JSON',
      { ...good(), 'corpus.jsonl': `${line(corpus[0] ?? {})}\n{"corpus_id": "c_2", "code": \n` },
      'not-json',
      /corpus\.jsonl, line 2: not JSON .*c_2/,
    ],
    [
      'a web page instead of data',
      { ...good(), 'corpus.jsonl': '<!DOCTYPE html><html><body>Sign in</body></html>' },
      'html-instead-of-data',
      /corpus\.jsonl is an HTML page/,
    ],
    [
      'a list instead of an object',
      { ...good(), 'corpus.jsonl': '[1, 2]\n' },
      'not-an-object',
      /corpus\.jsonl, line 1: expected a JSON object, found "\[1, 2\]"/,
    ],
    [
      'a document without code',
      { ...good(), 'corpus.jsonl': `${line({ corpus_id: 'c_1' })}\n` },
      'bad-row',
      /corpus\.jsonl, line 1: "code".*missing/,
    ],
    [
      'a duplicate document id',
      { ...good(), 'corpus.jsonl': jsonl([...corpus, corpus[0]]) },
      'duplicate-id',
      /corpus\.jsonl, line 4: .*"c_1".*document 1/,
    ],
    [
      'a duplicate query id',
      { ...good(), 'queries.jsonl': jsonl([...queries, queries[0]]) },
      'duplicate-id',
      /queries\.jsonl, line 3: .*"q_1".*query 1/,
    ],
    [
      'a query that names an unknown corpus id',
      { ...good(), 'queries.jsonl': jsonl([queries[0], { ...queries[1], correct_corpus_ids: ['c_77'] }]) },
      'unknown-corpus-id',
      /queries\.jsonl, line 2: .*"q_2".*"c_77"/,
    ],
    [
      'an unknown distractor',
      { ...good(), 'queries.jsonl': jsonl([{ ...queries[0], paired_distractor_corpus_ids: ['c_78'] }]) },
      'unknown-corpus-id',
      /queries\.jsonl, line 1: .*"c_78"/,
    ],
    [
      'an empty test list',
      { ...good(), 'queries.jsonl': jsonl([{ ...queries[0], test_suite: [] }]) },
      'bad-row',
      /queries\.jsonl, line 1: "test_suite" must hold at least one assert statement/,
    ],
    [
      'a test that is not text',
      { ...good(), 'queries.jsonl': jsonl([{ ...queries[0], test_suite: ['assert True', 7] }]) },
      'bad-row',
      /queries\.jsonl, line 1: "test_suite\.1" must be text; found 7/,
    ],
    [
      'no canonical',
      { ...good(), 'queries.jsonl': jsonl([{ ...queries[0], correct_corpus_ids: [] }]) },
      'bad-row',
      /"correct_corpus_ids" must name at least one corpus id/,
    ],
    [
      'an empty corpus',
      { ...good(), 'corpus.jsonl': '\n\n' },
      'empty-corpus',
      /corpus\.jsonl holds no documents/,
    ],
    ['no queries', { ...good(), 'queries.jsonl': '' }, 'empty-queries', /no queries/],
    [
      'an empty id',
      { ...good(), 'corpus.jsonl': jsonl([{ corpus_id: '', code: 'x' }]) },
      'bad-row',
      /must not be empty/,
    ],
  ];

  it.each(cases)('%s: one message, nothing stored', async (_, texts, code, message) => {
    const service = await freshService();
    const attempt = load(service, texts);
    await expect(attempt).rejects.toMatchObject({ code });
    await expect(attempt).rejects.toThrow(message);
    expect(await (await service.store()).list()).toEqual([]);
    expect(await service.listBenchmarks()).toEqual([]);
  });

  it('takes __proto__ and number ids as they are written', async () => {
    const service = await freshService();
    const benchmark = await load(service, {
      'corpus.jsonl':
        '{"corpus_id":9007199254740993,"code":"a"}\n{"corpus_id":"__proto__","code":"b"}\n{"corpus_id":7.0,"code":"c"}\n',
      'queries.jsonl': jsonl([
        {
          query_id: 'q',
          query: 'x',
          test_suite: ['assert 1'],
          correct_corpus_ids: ['9007199254740993', '__proto__'],
        },
      ]),
    });
    expect(await (await service.store()).readAllIds(benchmark.documentsSet)).toEqual([
      '9007199254740993',
      '__proto__',
      '7.0',
    ]);
  });
});

describe('the bundled benchmark', () => {
  it('loads with the counts that its declaration states', async () => {
    const { benchmarkById } = await import('../../../src/benchmarks/list.ts');
    const folder = path.resolve(import.meta.dirname, '../../../public/benchmarks/exec-mini/data');
    const texts = Object.fromEntries(
      ['corpus', 'queries', 'distractor_metadata', 'execution_cache'].map((name) => [
        `data/${name}.jsonl`,
        readFileSync(path.join(folder, `${name}.jsonl`), 'utf8'),
      ]),
    );
    const service = await freshService();
    const benchmark = await load(service, texts);
    const { documents, queries: queryCount } = benchmarkById('exec-mini');
    expect(benchmark.counts).toMatchObject({ documents, queries: queryCount });
    expect(benchmark.warnings).toEqual([]);
    const tasks = await readExecutionTasks(await service.store(), benchmark.execution?.tasksSet as never);
    const types = new Set(tasks.flatMap((task) => task.distractors.map((distractor) => distractor.bugType)));
    expect(types.has('unknown')).toBe(false);
    const cache = await (
      await service.store()
    ).readBlock(benchmark.execution?.cacheSet as never as `verdicts:${string}`, 0);
    expect(cache.verdicts.filter((verdict) => verdict === 'pass')).toHaveLength(tasks.length);
  });
});
