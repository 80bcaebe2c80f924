import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { AppError, messageOf } from '../domain/app-error.ts';
import type { SetKey } from '../contracts/blocks.ts';
import type { Entry, EntryCollection } from '../contracts/data.ts';
import type { BlockRecord, SetChange, StoreBackend, StoredManifest } from './backend.ts';
import type { LockTable } from './locks.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';

/** The database's object stores at the newest version. */
export interface AssaySchema extends DBSchema {
  manifests: { key: string; value: StoredManifest };
  /** Key: [storageId, block index, part, chunk]. Value: the bytes. */
  blocks: { key: [string, number, string, number]; value: Uint8Array };
  /** Set key to the time of its last use. Apart from the manifests, so that reading never races with a writer. */
  uses: { key: string; value: number };
  /** Key: [collection, id]. */
  entries: { key: [string, string]; value: Entry };
}

type Database = IDBPDatabase<AssaySchema>;

/** The store on the disk. Within a transaction nothing but IndexedDB is awaited; a change counts at `complete`. */
export class IndexedDbBackend implements StoreBackend {
  readonly #name: string;
  readonly #locks: LockTable;
  #database: Promise<Database> | undefined;

  constructor(name: string, locks: LockTable) {
    this.#name = name;
    this.#locks = locks;
  }

  /** Opens the database now, so that a browser that refuses says so. Errors: `store-unavailable`. */
  async open(): Promise<void> {
    await this.#open();
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    const database = this.#database;
    this.#database = undefined;
    (await database)?.close();
  }

  readManifest(key: SetKey): Promise<StoredManifest | undefined> {
    return this.#do((db) => db.get('manifests', key));
  }

  listManifests(): Promise<StoredManifest[]> {
    return this.#do((db) => db.getAll('manifests'));
  }

  change({ key, manifest, storageId, put = [], deleteFrom }: SetChange): Promise<void> {
    return this.#do(async (db) => {
      const transaction = db.transaction(['manifests', 'blocks', 'uses'], 'readwrite');
      const manifests = transaction.objectStore('manifests');
      const blocks = transaction.objectStore('blocks');
      // Requests are only queued here; the transaction's own end says whether they held.
      const requests: Promise<unknown>[] = [];
      if (manifest === null) {
        requests.push(manifests.delete(key), transaction.objectStore('uses').delete(key));
        requests.push(blocks.delete(IDBKeyRange.bound([storageId], [storageId, []])));
      } else {
        if (deleteFrom !== undefined)
          requests.push(blocks.delete(IDBKeyRange.bound([storageId, deleteFrom], [storageId, []])));
        for (const { index, part, chunk, bytes } of put)
          requests.push(blocks.put(compact(bytes), [storageId, index, part, chunk]));
        if (manifest.key !== key) requests.push(manifests.delete(key));
        requests.push(manifests.put(manifest, manifest.key));
      }
      await finished(transaction.done, requests);
    });
  }

  readRecord(
    storageId: string,
    index: number,
    part: BlockRecord['part'],
    chunk: number,
  ): Promise<Uint8Array | undefined> {
    return this.#do((db) => db.get('blocks', [storageId, index, part, chunk]));
  }

  touch(keys: readonly SetKey[], at: number): Promise<void> {
    return this.#do(async (db) => {
      const transaction = db.transaction('uses', 'readwrite');
      await finished(
        transaction.done,
        keys.map((key) => transaction.store.put(at, key)),
      );
    });
  }

  lastUses(): Promise<ReadonlyMap<string, number>> {
    return this.#do(async (db) => {
      const transaction = db.transaction('uses');
      const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
      return new Map(keys.map((key, i) => [key, values[i] ?? 0]));
    });
  }

  async getEntry(collection: EntryCollection, id: string): Promise<Entry | undefined> {
    return this.#do((db) => db.get('entries', [collection, id]));
  }

  putEntry(collection: EntryCollection, entry: Entry): Promise<void> {
    return this.#do(async (db) => {
      const transaction = db.transaction('entries', 'readwrite');
      await finished(transaction.done, [transaction.store.put(entry, [collection, entry.id])]);
    });
  }

  deleteEntry(collection: EntryCollection, id: string): Promise<void> {
    return this.#do((db) => db.delete('entries', [collection, id]));
  }

  listEntries(collection: EntryCollection): Promise<Entry[]> {
    return this.#do((db) => db.getAll('entries', IDBKeyRange.bound([collection], [collection, []])));
  }

  clear(): Promise<void> {
    return this.#do(async (db) => {
      const names = ['manifests', 'blocks', 'uses', 'entries'] as const;
      const transaction = db.transaction(names, 'readwrite');
      await finished(
        transaction.done,
        names.map((name) => transaction.objectStore(name).clear()),
      );
    });
  }

  acquireLock(name: string, wait: boolean): Promise<string | undefined> {
    return this.#locks.acquire(name, wait);
  }

  releaseLock(token: string): Promise<void> {
    return this.#locks.release(token);
  }

  #open(): Promise<Database> {
    this.#database ??= this.#connect().catch((error: unknown) => {
      this.#database = undefined;
      throw new AppError(
        'store',
        'store-unavailable',
        `This browser refuses to open its database (${messageOf(error)}).`,
        { cause: error },
      );
    });
    return this.#database;
  }

  /** Async also for browsers that throw at once instead of failing later. */
  async #connect(): Promise<Database> {
    return openDB<AssaySchema>(this.#name, SCHEMA_VERSION, {
      upgrade: (database, oldVersion, _, transaction) => migrate(database, oldVersion, transaction),
      blocking: () => {
        // A newer version of the page wants to change the schema: let it.
        void this.close();
      },
      terminated: () => {
        this.#database = undefined;
      },
    });
  }

  /** Runs against the open database; when the connection turns out to be lost it is opened again, once. */
  async #do<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await this.#open();
    try {
      return await use(database);
    } catch (error) {
      if (!isLostConnection(error)) throw await explain(error);
    }
    this.#database = undefined;
    try {
      return await use(await this.#open());
    } catch (error) {
      throw await explain(error);
    }
  }
}

/** Waits for the transaction's end. Without this an abort at commit (disk full) would pass unnoticed. */
async function finished(done: Promise<void>, requests: readonly Promise<unknown>[]): Promise<void> {
  for (const request of requests) request.catch(() => undefined); // The transaction's own error says more.
  await done;
}

/** The bytes alone: a view would drag its whole buffer into the database. */
function compact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

function isLostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'InvalidStateError' || /connection (is closing|to .* lost)/i.test(error.message))
  );
}

async function explain(error: unknown): Promise<unknown> {
  if (error instanceof AppError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError' || (name === 'AbortError' && /quota/i.test(messageOf(error)))) {
    const room = await describeRoom();
    return new AppError(
      'store',
      'disk-full',
      `The browser has no room for more data${room}. Nothing of this block was stored; free some under Storage and start again: it goes on where it stopped.`,
      { cause: error },
    );
  }
  return new AppError(
    'store',
    'store-failed',
    `The browser's database failed: ${name} ${messageOf(error)}.`,
    {
      cause: error,
    },
  );
}

async function describeRoom(): Promise<string> {
  if (typeof navigator === 'undefined' || navigator.storage?.estimate === undefined) return '';
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  return `: ${megabytes(usage)} used of ${megabytes(quota)} allowed`;
}
