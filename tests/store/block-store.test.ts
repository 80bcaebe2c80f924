import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_BYTES, type DocumentsBlock } from '../../src/contracts/blocks.ts';
import { packBlock, unpackBlock } from '../../src/store/block-packing.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { openIndexedDbStore, openMemoryStore, openStore, portTo } from '../../src/store/open-store.ts';

let counter = 0;
const places: [string, () => Promise<BlockStore>][] = [
  ['IndexedDB', () => openIndexedDbStore(`test-${counter++}`)],
  ['memory', () => Promise.resolve(openMemoryStore().store)],
  [
    'memory through a port',
    async () => openStore({ kind: 'memory', port: await portTo(openMemoryStore().backend, 'encode') }),
  ],
];

const meta = { source: 'test' };
const documents = (from: number, rows: number): DocumentsBlock => ({
  ids: Array.from({ length: rows }, (_, i) => `d${from + i}`),
  texts: Array.from({ length: rows }, (_, i) => `  def f${from + i}(): pass\n中😀`),
});

describe.each(places)('a store in %s', (_, open) => {
  it('gives back what was appended, in order, and only once complete', async () => {
    const store = await open();
    const writer = await store.openWriter('documents:a', meta);
    await writer.append(documents(0, 3), { offset: 10 });
    await writer.append(documents(3, 2), { offset: 20 });
    await expect(store.readBlocks('documents:a').next()).rejects.toMatchObject({ code: 'set-incomplete' });
    expect(await store.readBlock('documents:a', 1)).toEqual(documents(3, 2));
    await writer.complete({ source: 'test', digest: 'x' });
    await writer.close();
    const read: string[] = [];
    for await (const block of store.readBlocks('documents:a')) read.push(...block.ids);
    expect(read).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
    expect(await store.readAllIds('documents:a')).toEqual(read);
    expect(await store.manifest('documents:a')).toMatchObject({
      complete: true,
      rows: 5,
      meta: { digest: 'x' },
      blocks: [
        { firstRow: 0, rows: 3, resume: { offset: 10 } },
        { firstRow: 3, rows: 2 },
      ],
    });
  });

  it('goes on after a writer that vanished', async () => {
    const store = await open();
    const first = await store.openWriter('documents:b', meta);
    await first.append(documents(0, 2), { offset: 7 });
    await first.close();
    const second = await store.openWriter('documents:b', meta);
    expect(second.resume).toEqual({ offset: 7 });
    expect(second.manifest.rows).toBe(2);
    await second.append(documents(2, 1));
    await second.complete();
    await second.close();
    expect(await store.readAllIds('documents:b')).toEqual(['d0', 'd1', 'd2']);
  });

  it('lets one writer in at a time', async () => {
    const store = await open();
    const first = await store.openWriter('documents:c', meta);
    await expect(store.openWriter('documents:c', meta, { wait: false })).rejects.toMatchObject({
      code: 'set-locked',
    });
    const waiting = store.openWriter('documents:c', meta);
    await first.append(documents(0, 1));
    await first.close();
    const second = await waiting;
    expect(second.manifest.rows).toBe(1);
    await second.close();
    const abort = new AbortController();
    const third = await store.openWriter('documents:c', meta);
    const cancelled = store.openWriter('documents:c', meta, { signal: abort.signal });
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'aborted' });
    await third.close();
    await (await store.openWriter('documents:c', meta)).close();
  });

  it('completes under a final key, truncates, replaces and removes', async () => {
    const store = await open();
    const writer = await store.openWriter('documents:loading', meta);
    await writer.append(documents(0, 2));
    await writer.append(documents(2, 2));
    await writer.truncate(1);
    await writer.append(documents(10, 1));
    await writer.replace(0, documents(20, 2));
    await expect(writer.replace(0, documents(20, 3))).rejects.toMatchObject({ code: 'block-rows' });
    await writer.complete(meta, 'documents:final');
    await writer.close();
    expect(await store.manifest('documents:loading')).toBeUndefined();
    expect(await store.readAllIds('documents:final')).toEqual(['d20', 'd21', 'd10']);
    await store.remove('documents:final');
    expect(await store.list()).toEqual([]);
    await expect(store.readBlock('documents:final', 0)).rejects.toMatchObject({ code: 'set-missing' });
  });

  it('keeps entries by collection and name', async () => {
    const store = await open();
    await store.putEntry('records', 'a', { n: 1 });
    await store.putEntry('records', '__proto__', { n: 2 });
    await store.putEntry('settings', 'a', 'x');
    expect(await store.getEntry('records', '__proto__')).toEqual({ n: 2 });
    expect((await store.listEntries('records')).map((entry) => entry.id).sort()).toEqual(['__proto__', 'a']);
    await store.deleteEntry('records', 'a');
    expect(await store.getEntry('records', 'a')).toBeUndefined();
    await store.clear();
    expect(await store.listEntries('settings')).toEqual([]);
  });

  it('keeps one document that is larger than a block in several records', async () => {
    const store = await open();
    for (const length of [MAX_BLOCK_BYTES + 5, MAX_BLOCK_BYTES]) {
      const bytes = new Uint8Array(length).fill(7);
      await store.writeSet('file:f', { group: 'g', path: 'p', contentType: 't', source: 's' }, [{ bytes }]);
      const read = await store.readBlock('file:f', 0);
      expect(read.bytes.byteLength).toBe(length);
    }
  });
});

describe('damage', () => {
  it('notices a block that changed and one that is gone', async () => {
    const name = `test-${counter++}`;
    const store = await openIndexedDbStore(name);
    await store.writeSet('documents:a', meta, [documents(0, 2), documents(2, 2)]);
    await inBlocks(name, (blocks, keys) => {
      const content = keys.find((key) => key[1] === 0 && key[2] === 'content') as IDBValidKey;
      blocks.put(new Uint8Array(64), content);
      for (const key of keys.filter((key) => key[1] === 1)) blocks.delete(key);
    });
    await expect(store.readBlock('documents:a', 0)).rejects.toMatchObject({ code: 'block-damaged' });
    await expect(store.readBlock('documents:a', 1)).rejects.toMatchObject({ code: 'block-missing' });
  });

  it('opens the database again when the connection was lost', async () => {
    const name = `test-${counter++}`;
    const store = await openIndexedDbStore(name);
    await store.putEntry('settings', 'a', 1);
    const original = IDBDatabase.prototype.transaction;
    let fail = true;
    IDBDatabase.prototype.transaction = function (...args) {
      if (fail) {
        fail = false;
        throw new DOMException('The database connection is closing.', 'InvalidStateError');
      }
      return original.apply(this, args);
    };
    try {
      expect(await store.getEntry('settings', 'a')).toBe(1);
    } finally {
      IDBDatabase.prototype.transaction = original;
    }
  });
});

describe('packing', () => {
  const text = fc.string({ unit: 'grapheme' });
  it('is undone by unpacking, whatever the texts', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text)), (rows) => {
        const block: DocumentsBlock = {
          ids: rows.map((row) => row[0]),
          texts: rows.map((row) => row[1]),
          titles: rows.map((row) => row[2]),
        };
        const packed = packBlock('documents', block);
        expect(unpackBlock('documents', packed.content, packed.ids)).toEqual(block);
      }),
    );
  });

  it('keeps numbers bit for bit', () => {
    fc.assert(
      fc.property(fc.array(fc.float()), (numbers) => {
        const values = Float32Array.from(numbers);
        const block = { firstRow: 4, rows: 1, dimensions: values.length, values };
        expect(unpackBlock('vectors', packBlock('vectors', block).content, undefined)).toEqual(block);
      }),
    );
    const rankings = {
      queryIds: ['q'],
      offsets: Uint32Array.of(0, 2),
      documentIds: ['a', 'b'],
      scores: Float64Array.of(0.1 + 0.2, -0),
    };
    expect(unpackBlock('rankings', packBlock('rankings', rankings).content, undefined)).toEqual(rankings);
  });
});

/** Reaches into the database as a browser that throws data away would. */
async function inBlocks(
  name: string,
  change: (blocks: IDBObjectStore, keys: IDBValidKey[][]) => void,
): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction('blocks', 'readwrite');
    const blocks = transaction.objectStore('blocks');
    const keys = blocks.getAllKeys();
    keys.onsuccess = () => change(blocks, keys.result as IDBValidKey[][]);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}
