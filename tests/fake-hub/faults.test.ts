import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { openHubDataset } from '../../src/sources/hub.ts';
import { execRetrievalLayout } from '../../src/sources/layouts/exec-retrieval.ts';
import { openMemoryStore } from '../../src/store/open-store.ts';
import { loadFromSource } from '../../workers/data/load-benchmark.ts';
import { readParquetRows } from '../../src/codecs/parquet.ts';
import { valuesOf } from '../codecs/memory-source.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { execDataset, execFiles } from './exec-dataset.ts';
import { FakeHub, type Fault } from './fake-hub.ts';

const parquet = new Uint8Array(
  readFileSync(path.join(import.meta.dirname, '../codecs/parquet-fixtures/many-indexed.parquet')),
);
const ID = 'lab/tables';
const REVISION = 'a'.repeat(40);
const RETRY = { firstWaitMs: 2 };
const CORPUS = /^cdn:GET .*corpus/;

let hub: FakeHub;
let expected: string;

beforeAll(async () => {
  hub = await FakeHub.start([
    execDataset(),
    { id: ID, revision: REVISION, files: new Map([['many.parquet', parquet]]) },
    { ...execDataset(2), id: 'lab/gated', revision: 'f'.repeat(40), token: 'secret' },
  ]);
  expected = await load();
});
beforeEach(() => hub.reset());
afterAll(() => hub.stop());

/** Loads ExecRetrieval from the fake hub into a fresh store and returns its digest. */
async function load(
  id = 'anonpapersubmission01/execretrieval',
  revision?: string,
  token?: string,
): Promise<string> {
  const { store } = openMemoryStore();
  const access = { hubUrl: hub.url, retry: RETRY, ...(token === undefined ? {} : { token }) };
  const { set } = await openHubDataset(id, revision === undefined ? {} : { revision }, access);
  const reader = execRetrievalLayout(set);
  const source = { key: id, id, name: id, description: id, protocolId: reader.protocolId, reader };
  return (await loadFromSource(store, source)).digest;
}

async function parquetRows(): Promise<unknown[]> {
  const { set } = await openHubDataset(ID, {}, { hubUrl: hub.url, retry: RETRY });
  const file = set.files.get('many.parquet');
  if (file === undefined) throw new Error('not listed');
  return valuesOf(readParquetRows(file));
}

describe('reading a whole file from the hub', () => {
  const survived: [string, RegExp, Fault, number][] = [
    ['a body that is cut at 40 %', CORPUS, { kind: 'cut', share: 0.4 }, 1],
    ['a body that is cut again and again', CORPUS, { kind: 'cut', share: 0.5 }, 6],
    ['a body that is cut at its first byte', CORPUS, { kind: 'cut', share: 0 }, 2],
    ['429 with Retry-After in seconds', CORPUS, { kind: 'rate-limited', retryAfter: '0' }, 2],
    ['429 without Retry-After', CORPUS, { kind: 'rate-limited' }, 2],
    ['429 while listing', /^hub:GET .*\/tree\//, { kind: 'rate-limited', retryAfter: '0' }, 1],
    ['500 on the hub', /^hub:GET .*resolve/, { kind: 'status', status: 500 }, 2],
    ['503 on the CDN', CORPUS, { kind: 'status', status: 503 }, 2],
    ['a packed body', CORPUS, { kind: 'gzip' }, 1],
    ['slow bytes', CORPUS, { kind: 'slow', msPerKilobyte: 1 }, 1],
  ];
  it.each(survived)('%s: the same digest', async (_, where, fault, times) => {
    hub.fault(where, fault, times);
    expect(await load()).toBe(expected);
  });

  const resumed: [string, Fault][] = [
    ['the range ignored', { kind: 'range-ignored' }],
    ['another range than asked for', { kind: 'wrong-range' }],
    ['no Content-Range', { kind: 'no-content-range' }],
    ['a packed part', { kind: 'gzip' }],
    ['416', { kind: 'status', status: 416 }],
  ];
  it.each(resumed)('a cut body, then %s: the same digest', async (_, fault) => {
    hub.fault(CORPUS, { kind: 'cut', share: 0.4 });
    hub.fault(CORPUS, fault);
    expect(await load()).toBe(expected);
  });

  it('goes on with one plain range and no header that would ask for leave first', async () => {
    hub.fault(CORPUS, { kind: 'cut', share: 0.4 });
    await load();
    const corpus = hub.requests.filter(({ host, path: at }) => host === 'cdn' && at.includes('corpus'));
    expect(corpus.map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
    expect(hub.requests.some(({ method }) => method === 'OPTIONS')).toBe(false);
  });

  const refused: [string, RegExp, Fault, number, string][] = [
    ['a login page', CORPUS, { kind: 'html' }, 9, 'html-instead-of-data'],
    ['404', CORPUS, { kind: 'status', status: 404 }, 9, 'not-found'],
    ['403', CORPUS, { kind: 'status', status: 403 }, 9, 'forbidden'],
    ['429 for ever', CORPUS, { kind: 'rate-limited', retryAfter: '0' }, 99, 'rate-limited'],
    [
      'a wait longer than anybody waits',
      CORPUS,
      { kind: 'rate-limited', retryAfter: '86400' },
      1,
      'rate-limited',
    ],
    ['500 for ever', CORPUS, { kind: 'status', status: 500 }, 99, 'server-error'],
    ['other bytes of the same length', CORPUS, { kind: 'damaged' }, 9, 'digest-mismatch'],
  ];
  it.each(refused)('%s: one sentence, nothing stored as complete', async (_, where, fault, times, code) => {
    hub.fault(where, fault, times);
    const attempt = load();
    await expect(attempt).rejects.toMatchObject({ code });
    await expect(attempt).rejects.toBeInstanceOf(AppError);
  });

  it('waits as long as the server asks', async () => {
    hub.fault(CORPUS, { kind: 'rate-limited', retryAfter: '1' });
    const start = performance.now();
    expect(await load()).toBe(expected);
    expect(performance.now() - start).toBeGreaterThan(950);
  });
});

describe('reading parts of a file', () => {
  const survived: [string, RegExp, Fault, number][] = [
    ['the range ignored', /^cdn:GET .*parquet/, { kind: 'range-ignored' }, 99],
    ['another range than asked for', /^cdn:GET .*parquet/, { kind: 'wrong-range' }, 1],
    ['no Content-Range', /^cdn:GET .*parquet/, { kind: 'no-content-range' }, 99],
    ['a packed part', /^cdn:GET .*parquet/, { kind: 'gzip' }, 2],
    ['a cut part', /^cdn:GET .*parquet/, { kind: 'cut', share: 0.5 }, 2],
    ['HEAD forbidden', /HEAD/, { kind: 'head-forbidden' }, 99],
    ['429', /^cdn:GET .*parquet/, { kind: 'rate-limited', retryAfter: '0' }, 2],
  ];
  it.each(survived)('%s: the same rows', async (_, where, fault, times) => {
    const plain = await parquetRows();
    hub.fault(where, fault, times);
    const rows = await parquetRows();
    expect(rows).toHaveLength(3000);
    expect(rows).toEqual(plain);
  });
});

describe('listing', () => {
  it('follows the pages of a long list', async () => {
    const files = new Map(Array.from({ length: 130 }, (_, i) => [`a b/ü${i}.jsonl`, Uint8Array.of(i)]));
    hub.publish({ id: 'lab/many', revision: 'b'.repeat(40), files });
    const { set } = await openHubDataset('lab/many', {}, { hubUrl: hub.url, retry: RETRY });
    expect(set.files.size).toBe(130);
    // Each segment of a path is encoded on its own.
    expect(await set.files.get('a b/ü7.jsonl')?.slice(0, 1)).toEqual(Uint8Array.of(7));
    const { set: under } = await openHubDataset(
      'lab/many',
      { under: 'a b' },
      { hubUrl: hub.url, retry: RETRY },
    );
    expect(under.files.size).toBe(130);
  });

  it('stays at the commit that it began with while the branch moves on', async () => {
    const first = { id: 'lab/moves', revision: 'c'.repeat(40), files: execFiles(3) };
    hub.publish(first);
    const { set, revision } = await openHubDataset(
      'lab/moves',
      { revision: 'main' },
      { hubUrl: hub.url, retry: RETRY },
    );
    hub.publish({ id: 'lab/moves', revision: 'd'.repeat(40), files: execFiles(9) });
    expect(revision).toBe(first.revision);
    const corpus = set.files.get('data/corpus.jsonl');
    expect(await corpus?.slice(0, 99)).toEqual(first.files.get('data/corpus.jsonl')?.slice(0, 99));
    expect(await load('lab/moves')).not.toBe(await load('lab/moves', 'ccccccc'));
  });

  it('asks for a token where a data set is gated, and sends it to the hub only', async () => {
    await expect(load('lab/gated')).rejects.toMatchObject({ code: 'forbidden' });
    hub.reset();
    await load('lab/gated', undefined, 'secret');
    const { requests } = hub;
    expect(
      requests
        .filter(({ host }) => host === 'hub')
        .every(({ authorization }) => authorization === 'Bearer secret'),
    ).toBe(true);
    expect(
      requests.filter(({ host }) => host === 'cdn').some(({ authorization }) => authorization !== undefined),
    ).toBe(false);
  });

  it('says what does not exist', async () => {
    await expect(load('lab/nothing')).rejects.toMatchObject({ code: 'not-found' });
    await expect(load(ID, 'eeeeeee')).rejects.toMatchObject({ code: 'not-found' });
    const gone = openHubDataset(
      ID,
      {},
      { hubUrl: 'http://127.0.0.1:1', retry: { attempts: 2, firstWaitMs: 1 } },
    );
    await expect(gone).rejects.toMatchObject({ code: 'unreachable' });
  });
});
