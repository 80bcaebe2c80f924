import { AppError } from '../domain/app-error.ts';
import type { SetKey } from '../contracts/blocks.ts';
import type { Entry, EntryCollection } from '../contracts/data.ts';
import type { BlockRecord, SetChange, StoreBackend, StoredManifest } from './backend.ts';
import { LocalLocks } from './locks.ts';

/** The store in memory: for pages without IndexedDB or Web Locks, and for the command line. Gone with the page. */
export class MemoryBackend implements StoreBackend {
  /** Most bytes that it holds. */
  readonly maxBytes: number;
  readonly #manifests = new Map<string, StoredManifest>();
  readonly #blocks = new Map<string, Map<string, Uint8Array>>();
  readonly #uses = new Map<string, number>();
  readonly #entries = new Map<EntryCollection, Map<string, Entry>>();
  readonly #locks = new LocalLocks();
  #bytes = 0;

  /** `maxBytes`: beyond it a write fails with `disk-full`, as it would on a disk. */
  constructor(maxBytes = 768 * 1024 * 1024) {
    this.maxBytes = maxBytes;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  readManifest(key: SetKey): Promise<StoredManifest | undefined> {
    return Promise.resolve(structuredClone(this.#manifests.get(key)));
  }

  listManifests(): Promise<StoredManifest[]> {
    return Promise.resolve(structuredClone([...this.#manifests.values()]));
  }

  change({ key, manifest, storageId, put = [], deleteFrom }: SetChange): Promise<void> {
    const added = put.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (this.#bytes + added > this.maxBytes) {
      const limit = (this.maxBytes / 1e6).toFixed(0);
      return Promise.reject(
        new AppError(
          'store',
          'disk-full',
          `Data is kept in memory here, and no more than ${limit} MB of it.`,
        ),
      );
    }
    if (manifest === null) {
      this.#drop(storageId, 0);
      this.#blocks.delete(storageId);
      this.#manifests.delete(key);
      this.#uses.delete(key);
      return Promise.resolve();
    }
    if (deleteFrom !== undefined) this.#drop(storageId, deleteFrom);
    const blocks = this.#blocks.get(storageId) ?? new Map<string, Uint8Array>();
    this.#blocks.set(storageId, blocks);
    for (const { index, part, chunk, bytes } of put) {
      const name = recordName(index, part, chunk);
      this.#bytes += bytes.byteLength - (blocks.get(name)?.byteLength ?? 0);
      blocks.set(name, bytes.slice());
    }
    if (manifest.key !== key) this.#manifests.delete(key);
    this.#manifests.set(manifest.key, structuredClone(manifest));
    return Promise.resolve();
  }

  readRecord(
    storageId: string,
    index: number,
    part: BlockRecord['part'],
    chunk: number,
  ): Promise<Uint8Array | undefined> {
    return Promise.resolve(
      this.#blocks
        .get(storageId)
        ?.get(recordName(index, part, chunk))
        ?.slice(),
    );
  }

  touch(keys: readonly SetKey[], at: number): Promise<void> {
    for (const key of keys) this.#uses.set(key, at);
    return Promise.resolve();
  }

  lastUses(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(new Map(this.#uses));
  }

  getEntry(collection: EntryCollection, id: string): Promise<Entry | undefined> {
    return Promise.resolve(structuredClone(this.#entries.get(collection)?.get(id)));
  }

  putEntry(collection: EntryCollection, entry: Entry): Promise<void> {
    const entries = this.#entries.get(collection) ?? new Map<string, Entry>();
    this.#entries.set(collection, entries.set(entry.id, structuredClone(entry)));
    return Promise.resolve();
  }

  deleteEntry(collection: EntryCollection, id: string): Promise<void> {
    this.#entries.get(collection)?.delete(id);
    return Promise.resolve();
  }

  listEntries(collection: EntryCollection): Promise<Entry[]> {
    return Promise.resolve(structuredClone([...(this.#entries.get(collection)?.values() ?? [])]));
  }

  clear(): Promise<void> {
    this.#manifests.clear();
    this.#blocks.clear();
    this.#uses.clear();
    this.#entries.clear();
    this.#bytes = 0;
    return Promise.resolve();
  }

  acquireLock(name: string, wait: boolean, holder?: string): Promise<string | undefined> {
    return this.#locks.acquire(name, wait, holder);
  }

  releaseLock(token: string): Promise<void> {
    return this.#locks.release(token);
  }

  /** Frees the locks of a worker that was replaced. */
  releaseLocksOf(holder: string): Promise<void> {
    return this.#locks.releaseAllOf(holder);
  }

  #drop(storageId: string, fromIndex: number): void {
    const blocks = this.#blocks.get(storageId);
    if (blocks === undefined) return;
    for (const [name, bytes] of blocks) {
      if (Number(name.slice(0, name.indexOf('/'))) < fromIndex) continue;
      this.#bytes -= bytes.byteLength;
      blocks.delete(name);
    }
  }
}

function recordName(index: number, part: string, chunk: number): string {
  return `${index}/${part}/${chunk}`;
}
