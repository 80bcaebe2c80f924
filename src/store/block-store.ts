import { AppError } from '../domain/app-error.ts';
import { digestOf, type Digest } from '../domain/digest.ts';
import {
  MAX_BLOCK_BYTES,
  type BlockEntry,
  type Manifest,
  type SetKey,
  type SetKind,
  type SetShapes,
} from '../contracts/blocks.ts';
import { abortedError } from '../contracts/calls.ts';
import type { Entry, EntryCollection } from '../contracts/data.ts';
import type { BlockRecord, StoreBackend, StoredManifest } from './backend.ts';
import { unpackBlock, unpackIds } from './block-packing.ts';
import { publicManifest, sums } from './manifests.ts';
import { SetWriter } from './set-writer.ts';

export { SetWriter } from './set-writer.ts';

const TOUCH_INTERVAL_MS = 60_000;
const DAMAGE = new Set(['block-missing', 'block-damaged', 'block-format']);

/** How to open a set for writing. */
export interface WriterOptions {
  readonly signal?: AbortSignal;
  /** Throws `set-locked` instead of waiting while another tab or worker writes the same set. */
  readonly wait?: boolean;
}

/**
 * Sets of blocks, the same for every thread and whether the bytes lie on the disk or in memory. Only blocks listed in
 * a set's manifest exist; each is checked against its digest the first time that this store reads it.
 */
export class BlockStore {
  readonly #backend: StoreBackend;
  readonly #verified = new Set<string>();
  readonly #cutting = new Map<string, Promise<void>>();
  readonly #touchedAt = new Map<string, number>();

  constructor(backend: StoreBackend) {
    this.#backend = backend;
  }

  /** The set's manifest, or undefined when there is no such set. */
  async manifest<K extends SetKind>(key: SetKey<K>): Promise<Manifest<K> | undefined> {
    const stored = await this.#backend.readManifest(key);
    if (stored === undefined) return undefined;
    const uses = await this.#backend.lastUses();
    return publicManifest(stored, uses.get(key) ?? 0) as Manifest<K>;
  }

  /** The manifest of a set that must be complete. Errors: `set-missing`, `set-incomplete`. */
  async completeManifest<K extends SetKind>(key: SetKey<K>): Promise<Manifest<K>> {
    return publicManifest(await this.#completeStored(key), 0) as Manifest<K>;
  }

  /** All manifests, complete or not. */
  async list(): Promise<Manifest[]> {
    const [manifests, uses] = await Promise.all([this.#backend.listManifests(), this.#backend.lastUses()]);
    return manifests.map((stored) => publicManifest(stored, uses.get(stored.key) ?? 0));
  }

  /** Whether a set is complete and every block is there and matches its digest. Reads all of it. */
  async isIntact(key: SetKey): Promise<boolean> {
    const stored = await this.#backend.readManifest(key);
    if (stored?.complete !== true) return false;
    // What was checked earlier may have been damaged since.
    this.#verified.clear();
    try {
      for (const { index } of stored.blocks) await this.#readBlock(stored, index);
      return true;
    } catch (error) {
      if (error instanceof AppError && DAMAGE.has(error.code)) return false;
      throw error;
    }
  }

  /** One block. Errors: `set-missing`, `block-missing`, `block-damaged`. */
  async readBlock<K extends SetKind>(key: SetKey<K>, index: number): Promise<SetShapes[K]['block']> {
    const stored = await this.#storedManifest(key);
    return this.#readBlock(stored, index) as Promise<SetShapes[K]['block']>;
  }

  /** The ids of one block of documents or queries, without touching the texts. Errors as {@link readBlock}. */
  async readIds(key: SetKey<'documents'> | SetKey<'queries'>, index: number): Promise<readonly string[]> {
    const stored = await this.#storedManifest(key);
    return unpackIds(await this.#readPart(stored, entryOf(stored, index), 'ids'));
  }

  /** All ids of a complete set of documents or queries, in row order. */
  async readAllIds(key: SetKey<'documents'> | SetKey<'queries'>): Promise<readonly string[]> {
    const stored = await this.#completeStored(key);
    const ids: string[] = [];
    for (const entry of stored.blocks) {
      for (const id of unpackIds(await this.#readPart(stored, entry, 'ids'))) ids.push(id);
    }
    return ids;
  }

  /** The blocks of a complete set in order, the next one being read while the caller works on this one. */
  async *readBlocks<K extends SetKind>(
    key: SetKey<K>,
    options: { readonly from?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<SetShapes[K]['block'], void, undefined> {
    const stored = await this.#completeStored(key);
    const read = (index: number): Promise<SetShapes[K]['block']> | undefined => {
      if (index >= stored.blocks.length) return undefined;
      const block = this.#readBlock(stored, index) as Promise<SetShapes[K]['block']>;
      block.catch(() => undefined); // Reported when it is awaited, which may be never.
      return block;
    };
    let next = read(options.from ?? 0);
    for (let index = options.from ?? 0; next !== undefined; index++) {
      if (options.signal?.aborted) throw abortedError();
      const block = await next;
      next = read(index + 1);
      yield block;
    }
  }

  /** Index of the block that holds a row, by binary search; undefined beyond the end. */
  static blockOfRow(manifest: Pick<Manifest, 'blocks'>, row: number): BlockEntry | undefined {
    let low = 0;
    let high = manifest.blocks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const entry = manifest.blocks[middle] as BlockEntry;
      if (row < entry.firstRow) high = middle - 1;
      else if (row >= entry.firstRow + entry.rows) low = middle + 1;
      else return entry;
    }
    return undefined;
  }

  /**
   * Opens a set for writing, new or where it was left. Waits while somebody else writes it. Close it in any case.
   * `meta` is used for a new set; an existing one keeps its own.
   */
  async openWriter<K extends SetKind>(
    key: SetKey<K>,
    meta: SetShapes[K]['meta'],
    options: WriterOptions = {},
  ): Promise<SetWriter<K>> {
    const release = await this.lock(`set:${key}`, options);
    try {
      const existing = await this.#backend.readManifest(key);
      const stored: StoredManifest = existing ?? {
        key,
        kind: kindOf(key),
        blocks: [],
        complete: false,
        meta,
        rows: 0,
        bytes: 0,
        storageId: newStorageId(),
      };
      return new SetWriter<K>(this.#backend, stored, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Takes an exclusive lock shared by all tabs; returns the function that gives it back. Errors: `set-locked`, `aborted`. */
  async lock(name: string, { signal, wait = true }: WriterOptions = {}): Promise<() => Promise<void>> {
    if (signal?.aborted) throw abortedError();
    const taken = this.#backend.acquireLock(name, wait);
    const token = await (signal === undefined ? taken : orAbort(taken, signal, this.#backend));
    if (token === undefined)
      throw new AppError('store', 'set-locked', `Another tab or worker is writing "${name}" at this moment.`);
    return () => this.#backend.releaseLock(token);
  }

  /** Writes a whole small set in one go, replacing what was there, and completes it. */
  async writeSet<K extends SetKind>(
    key: SetKey<K>,
    meta: SetShapes[K]['meta'],
    blocks: readonly SetShapes[K]['block'][],
    options: WriterOptions = {},
  ): Promise<Manifest<K>> {
    const writer = await this.openWriter(key, meta, options);
    try {
      if (writer.manifest.blocks.length > 0 || writer.manifest.complete) await writer.truncate(0);
      for (const block of blocks) await writer.append(block);
      return await writer.complete(meta);
    } finally {
      await writer.close();
    }
  }

  /** Gives an incomplete set another key, for going on with it there; returns whether there was one and the key was free. */
  async renameIncomplete<K extends SetKind>(from: SetKey<K>, to: SetKey<K>): Promise<boolean> {
    const [stored, taken] = await Promise.all([
      this.#backend.readManifest(from),
      this.#backend.readManifest(to),
    ]);
    if (stored === undefined || stored.complete || taken !== undefined) return false;
    await this.#backend.change({ key: from, manifest: { ...stored, key: to }, storageId: stored.storageId });
    return true;
  }

  /** Removes a set; nothing happens when there is none. */
  async remove(key: SetKey): Promise<void> {
    const stored = await this.#backend.readManifest(key);
    if (stored !== undefined)
      await this.#backend.change({ key, manifest: null, storageId: stored.storageId });
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await this.#backend.clear();
    this.#verified.clear();
  }

  /** Notes that sets are being used, at most once a minute each. */
  async touch(keys: readonly SetKey[]): Promise<void> {
    const now = Date.now();
    const due = keys.filter((key) => now - (this.#touchedAt.get(key) ?? 0) >= TOUCH_INTERVAL_MS);
    for (const key of due) this.#touchedAt.set(key, now);
    if (due.length > 0) await this.#backend.touch(due, now);
  }

  /** The value of an entry, or undefined. */
  async getEntry(collection: EntryCollection, id: string): Promise<unknown> {
    return (await this.#backend.getEntry(collection, id))?.value;
  }

  /** Stores a small value under a name. Resolves once it is stored for good. */
  putEntry(collection: EntryCollection, id: string, value: unknown): Promise<void> {
    return this.#backend.putEntry(collection, { id, value, updatedAt: Date.now() });
  }

  /** Removes an entry; nothing happens when there is none. */
  deleteEntry(collection: EntryCollection, id: string): Promise<void> {
    return this.#backend.deleteEntry(collection, id);
  }

  /** All entries of a collection, newest first. */
  async listEntries(collection: EntryCollection): Promise<Entry[]> {
    return (await this.#backend.listEntries(collection)).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  async #storedManifest(key: SetKey): Promise<StoredManifest> {
    const stored = await this.#backend.readManifest(key);
    if (stored === undefined)
      throw new AppError(
        'store',
        'set-missing',
        `"${key}" is not in the store; the browser may have removed it. Load it again.`,
      );
    return stored;
  }

  async #completeStored(key: SetKey): Promise<StoredManifest> {
    const stored = await this.#storedManifest(key);
    if (!stored.complete)
      throw new AppError(
        'store',
        'set-incomplete',
        `"${key}" is stored in part only (${stored.rows} rows); finish loading it first.`,
      );
    return stored;
  }

  async #readBlock(stored: StoredManifest, index: number): Promise<SetShapes[SetKind]['block']> {
    const entry = entryOf(stored, index);
    const [content, ids] = await Promise.all([
      this.#readPart(stored, entry, 'content'),
      entry.idsDigest === undefined ? undefined : this.#readPart(stored, entry, 'ids'),
    ]);
    return unpackBlock(stored.kind, content, ids);
  }

  /** Reads a part and checks it; a damaged or missing block makes the set incomplete from there on, so that it is made again. */
  async #readPart(stored: StoredManifest, entry: BlockEntry, part: BlockRecord['part']): Promise<Uint8Array> {
    try {
      return await this.#readChecked(stored, entry, part);
    } catch (error) {
      if (error instanceof AppError && DAMAGE.has(error.code)) await this.#cutOffOnce(stored, entry);
      throw error;
    }
  }

  /** Both parts of a block may turn out damaged at the same time. */
  async #cutOffOnce(stored: StoredManifest, entry: BlockEntry): Promise<void> {
    const name = `${stored.storageId}/${entry.index}`;
    const cutting = this.#cutting.get(name) ?? this.#cutOff(stored, entry);
    this.#cutting.set(name, cutting);
    try {
      await cutting;
    } finally {
      this.#cutting.delete(name);
    }
  }

  async #cutOff(stored: StoredManifest, entry: BlockEntry): Promise<void> {
    const { key, storageId } = stored;
    // Whoever writes the set at this moment settles it alone; waiting here could be waiting for oneself.
    const token = await this.#backend.acquireLock(`set:${key}`, false);
    if (token === undefined) return;
    try {
      const now = await this.#backend.readManifest(key);
      if (now?.storageId !== storageId || now.blocks[entry.index]?.digest !== entry.digest) return;
      const manifest = { ...now, complete: false, ...sums(now.blocks.slice(0, entry.index)) };
      await this.#backend.change({ key, manifest, storageId, deleteFrom: entry.index });
    } finally {
      await this.#backend.releaseLock(token);
    }
  }

  async #readChecked(
    stored: StoredManifest,
    entry: BlockEntry,
    part: BlockRecord['part'],
  ): Promise<Uint8Array> {
    const { storageId, key } = stored;
    const chunks: Uint8Array[] = [];
    let bytes = await this.#backend.readRecord(storageId, entry.index, part, 0);
    while (bytes !== undefined) {
      chunks.push(bytes);
      bytes =
        bytes.byteLength < MAX_BLOCK_BYTES
          ? undefined
          : await this.#backend.readRecord(storageId, entry.index, part, chunks.length);
    }
    if (chunks.length === 0)
      throw new AppError(
        'store',
        'block-missing',
        `Block ${entry.index} of "${key}" is gone: the browser removed it. Load it again.`,
      );
    const whole = chunks.length === 1 ? (chunks[0] as Uint8Array) : joined(chunks);
    const name = `${storageId}/${entry.index}/${part}/${entry.digest}`;
    if (!this.#verified.has(name)) {
      const digest = await digestOf(whole);
      if (digest !== (part === 'ids' ? entry.idsDigest : entry.digest))
        throw new AppError(
          'store',
          'block-damaged',
          `Block ${entry.index} of "${key}" is damaged: its bytes do not match their digest. Load it again.`,
        );
      this.#verified.add(name);
    }
    return whole;
  }
}

function entryOf(stored: StoredManifest, index: number): BlockEntry {
  const entry = stored.blocks[index];
  if (entry === undefined)
    throw new AppError(
      'store',
      'block-missing',
      `"${stored.key}" has ${stored.blocks.length} blocks; there is no block ${index}.`,
    );
  return entry;
}

function kindOf<K extends SetKind>(key: SetKey<K>): K {
  return key.slice(0, key.indexOf(':')) as K;
}

function newStorageId(): string {
  // crypto.randomUUID is missing on plain http.
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** A set's content digest is part of its key: `documents:` followed by the digest. */
export function keyOf<K extends SetKind>(kind: K, digest: Digest): SetKey<K> {
  return `${kind}:${digest}` as SetKey<K>;
}

/** Waits for a lock or the signal; a lock that comes after an abort is given back at once. */
function orAbort(
  taken: Promise<string | undefined>,
  signal: AbortSignal,
  backend: StoreBackend,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedError());
    signal.addEventListener('abort', onAbort, { once: true });
    taken.then(async (token) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted && token !== undefined) await backend.releaseLock(token);
      resolve(token);
    }, reject);
  });
}
