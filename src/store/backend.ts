import type { Manifest, SetKey } from '../contracts/blocks.ts';
import type { Entry, EntryCollection } from '../contracts/data.ts';

/** A manifest as it is stored: blocks are kept under `storageId`, so that a set can get its final key without a copy. */
export interface StoredManifest extends Omit<Manifest, 'lastUsedAt'> {
  readonly storageId: string;
}

/** One stored record of a block: a part is cut into records of at most 16 MiB. */
export interface BlockRecord {
  readonly index: number;
  readonly part: 'content' | 'ids';
  readonly chunk: number;
  readonly bytes: Uint8Array;
}

/** A change to one set, applied wholly or not at all. */
export interface SetChange {
  readonly key: SetKey;
  /** The manifest afterwards; null removes the set. A manifest with another key renames it. */
  readonly manifest: StoredManifest | null;
  readonly storageId: string;
  readonly put?: readonly BlockRecord[];
  /** Removes all blocks from this index on, before putting. */
  readonly deleteFrom?: number;
}

/** The bytes beneath the store: IndexedDB, or a map in the data worker. Plain data only, so that it crosses threads. */
export interface StoreBackend {
  readManifest(key: SetKey): Promise<StoredManifest | undefined>;
  listManifests(): Promise<StoredManifest[]>;
  /** Resolves once the change is stored for good (IndexedDB: at the transaction's `complete`). */
  change(change: SetChange): Promise<void>;
  readRecord(
    storageId: string,
    index: number,
    part: BlockRecord['part'],
    chunk: number,
  ): Promise<Uint8Array | undefined>;
  /** Notes that sets were used, for the storage view. */
  touch(keys: readonly SetKey[], at: number): Promise<void>;
  lastUses(): Promise<ReadonlyMap<string, number>>;
  getEntry(collection: EntryCollection, id: string): Promise<Entry | undefined>;
  putEntry(collection: EntryCollection, entry: Entry): Promise<void>;
  deleteEntry(collection: EntryCollection, id: string): Promise<void>;
  listEntries(collection: EntryCollection): Promise<Entry[]>;
  /** Removes everything. */
  clear(): Promise<void>;
  /** Waits for the exclusive lock of this name and returns a token; with `wait` false returns undefined when it is held. */
  acquireLock(name: string, wait: boolean): Promise<string | undefined>;
  releaseLock(token: string): Promise<void>;
}
