import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/codecs/byte-source.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { execRetrievalLayout } from '../../../src/sources/layouts/exec-retrieval.ts';
import type { BlockStore } from '../../../src/store/block-store.ts';
import { openIndexedDbStore } from '../../../src/store/open-store.ts';
import { loadFromSource, type OpenedSource } from '../../../workers/data/load-benchmark.ts';

let counter = 0;
const freshStore = (): Promise<BlockStore> => openIndexedDbStore(`resume-${counter++}`);

const DOCUMENTS = 60;
const corpus = Array.from({ length: DOCUMENTS }, (_, i) =>
  JSON.stringify({
    corpus_id: `c_${i}`,
    code: `def f():\n    return "${'中'.repeat(i)}"\n`,
    label: 'correct',
  }),
).join('\n');
const queries = Array.from({ length: 5 }, (_, i) =>
  JSON.stringify({
    query_id: `q_${i}`,
    query: `query ${i}`,
    test_suite: ['assert True'],
    correct_corpus_ids: [`c_${i}`],
  }),
).join('\n');

interface Fault {
  /** Bytes that a stream gives before it fails; afterwards it works. */
  after: number;
  error: Error;
}

/** A file in memory that counts what was read and may fail once. */
function file(name: string, text: string, fingerprint: string | undefined, fault?: Fault) {
  const bytes = new TextEncoder().encode(text);
  const read: { from: number; bytes: number }[] = [];
  const source: ByteSource = {
    name,
    size: () => Promise.resolve(bytes.byteLength),
    fingerprint: () => Promise.resolve(fingerprint),
    slice: (from, to) => Promise.resolve(bytes.slice(from, to)),
    async *stream(from) {
      const log = { from, bytes: 0 };
      read.push(log);
      for (let at = from; at < bytes.byteLength; at += 100) {
        const piece = bytes.slice(at, at + 100);
        if (fault !== undefined && (fault.after -= piece.byteLength) < 0) {
          fault.after = Infinity;
          throw fault.error;
        }
        log.bytes += piece.byteLength;
        yield piece;
        // The loader may be killed between any two pieces.
        await Promise.resolve();
      }
    },
  };
  return { source, read };
}

function sourceOf(files: ByteSource[]): OpenedSource {
  const set = { name: 'test', files: new Map(files.map((one) => [one.name, one])) };
  const reader = execRetrievalLayout(set);
  return {
    key: 'test',
    id: 'test',
    name: 'test',
    description: 'test',
    protocolId: reader.protocolId,
    reader,
  };
}

const BLOCK = { blockBytes: 600 };

async function undisturbed(): Promise<string> {
  const source = sourceOf([
    file('corpus.jsonl', corpus, 'v1').source,
    file('queries.jsonl', queries, 'v1').source,
  ]);
  return (await loadFromSource(await freshStore(), source, BLOCK)).digest;
}

describe('a load that is killed', () => {
  it('goes on from the last complete block and ends with the same digest, wherever it was killed', async () => {
    const expected = await undisturbed();
    const total = new TextEncoder().encode(corpus).byteLength;
    await fc.assert(
      fc.asyncProperty(fc.nat(total - 1), async (after) => {
        const store = await freshStore();
        const fault = { after, error: new Error('the tab was closed') };
        const first = file('corpus.jsonl', corpus, 'v1', fault);
        const rest = file('queries.jsonl', queries, 'v1');
        await expect(loadFromSource(store, sourceOf([first.source, rest.source]), BLOCK)).rejects.toThrow(
          'closed',
        );
        const stored = (await store.list()).find((manifest) => manifest.kind === 'documents');
        const second = file('corpus.jsonl', corpus, 'v1');
        const benchmark = await loadFromSource(store, sourceOf([second.source, rest.source]), BLOCK);
        expect(benchmark.digest).toBe(expected);
        expect(benchmark.counts.documents).toBe(DOCUMENTS);
        // What was stored is not read again.
        if ((stored?.rows ?? 0) > 0) expect(second.read[0]?.from).toBeGreaterThan(0);
        expect((await store.list()).every((manifest) => manifest.complete)).toBe(true);
      }),
      { numRuns: process.env['ASSAY_LONG'] === '1' ? 300 : 12 },
    );
  });

  it('starts anew when the source changed in between, and when nobody can tell', async () => {
    for (const prints of [
      ['v1', 'v2'],
      [undefined, undefined],
    ] as const) {
      const store = await freshStore();
      const rest = file('queries.jsonl', queries, 'v1');
      const killed = file('corpus.jsonl', corpus, prints[0], { after: 4000, error: new Error('closed') });
      await expect(loadFromSource(store, sourceOf([killed.source, rest.source]), BLOCK)).rejects.toThrow(
        'closed',
      );
      const again = file('corpus.jsonl', corpus, prints[1]);
      const benchmark = await loadFromSource(store, sourceOf([again.source, rest.source]), BLOCK);
      expect(again.read[0]?.from).toBe(0);
      expect(benchmark.digest).toBe(await undisturbed());
    }
  });

  it('keeps what is stored when the network breaks, forgets it when the data is bad', async () => {
    const store = await freshStore();
    const rest = file('queries.jsonl', queries, 'v1').source;
    const broken = file('corpus.jsonl', corpus, 'v1', {
      after: 4000,
      error: new AppError('source', 'unreachable', 'The network is gone.'),
    });
    await expect(loadFromSource(store, sourceOf([broken.source, rest]), BLOCK)).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect((await store.list()).some((manifest) => manifest.rows > 0)).toBe(true);
    const bad = file('corpus.jsonl', `${corpus}\n{"corpus_id":"c_3","code":"x"}\n`, 'v1').source;
    await expect(loadFromSource(store, sourceOf([bad, rest]), BLOCK)).rejects.toMatchObject({
      code: 'duplicate-id',
    });
    expect(await store.list()).toEqual([]);
  });

  it('lets a second tab wait for the first and find its result', async () => {
    const store = await freshStore();
    const one = file('corpus.jsonl', corpus, 'v1');
    const two = file('corpus.jsonl', corpus, 'v1');
    const rest = file('queries.jsonl', queries, 'v1').source;
    const [first, second] = await Promise.all([
      loadFromSource(store, sourceOf([one.source, rest]), BLOCK),
      loadFromSource(store, sourceOf([two.source, rest]), BLOCK),
    ]);
    expect(second).toEqual(first);
    expect(two.read).toEqual([]);
    expect((await store.list()).filter((manifest) => manifest.kind === 'documents')).toHaveLength(1);
  });

  it('loads again when the browser threw a set away', async () => {
    const store = await freshStore();
    const files = (): ByteSource[] => [
      file('corpus.jsonl', corpus, 'v1').source,
      file('queries.jsonl', queries, 'v1').source,
    ];
    const benchmark = await loadFromSource(store, sourceOf(files()), BLOCK);
    await store.remove(benchmark.documentsSet);
    const again = await loadFromSource(store, sourceOf(files()), BLOCK);
    expect(again).toEqual(benchmark);
    expect(await store.readAllIds(again.documentsSet)).toHaveLength(DOCUMENTS);
  });

  it('fetches a damaged block again, and what comes before it not', async () => {
    const name = `resume-${counter++}`;
    const store = await openIndexedDbStore(name);
    const rest = file('queries.jsonl', queries, 'v1').source;
    const first = file('corpus.jsonl', corpus, 'v1');
    const benchmark = await loadFromSource(store, sourceOf([first.source, rest]), BLOCK);
    const before = await store.manifest(benchmark.documentsSet);
    await damageBlocks(name, 3);
    await expect(store.isIntact(benchmark.documentsSet)).resolves.toBe(false);
    await expect(store.readAllIds(benchmark.documentsSet)).rejects.toMatchObject({ code: 'set-incomplete' });
    const again = file('corpus.jsonl', corpus, 'v1');
    expect(await loadFromSource(store, sourceOf([again.source, rest]), BLOCK)).toEqual(benchmark);
    expect(again.read[0]?.from).toBeGreaterThan(0);
    const after = await store.manifest(benchmark.documentsSet);
    expect(after?.blocks.map((block) => block.digest)).toEqual(before?.blocks.map((block) => block.digest));
    await expect(store.isIntact(benchmark.documentsSet)).resolves.toBe(true);
  });
});

/** Overwrites every block of this index with zeros, as a broken disk might. */
async function damageBlocks(name: string, index: number): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction('blocks', 'readwrite');
    const blocks = transaction.objectStore('blocks');
    const request = blocks.getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result as IDBValidKey[][])
        if (key[1] === index) blocks.put(new Uint8Array(99), key);
    };
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}
