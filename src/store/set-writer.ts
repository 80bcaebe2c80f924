import { AppError } from '../domain/app-error.ts';
import { digestOf } from '../domain/digest.ts';
import {
  MAX_BLOCK_BYTES,
  type BlockEntry,
  type Manifest,
  type SetKey,
  type SetKind,
  type SetShapes,
} from '../contracts/blocks.ts';
import type { BlockRecord, StoreBackend, StoredManifest } from './backend.ts';
import { packBlock } from './block-packing.ts';
import { publicManifest, sums } from './manifests.ts';

/** Appends blocks to one set, alone: it holds the set's lock until {@link close}. */
export class SetWriter<K extends SetKind> {
  readonly #backend: StoreBackend;
  readonly #release: () => Promise<void>;
  #stored: StoredManifest;
  #closed = false;
  /** The change that is being stored: changes follow one another, whether their callers wait or not. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(backend: StoreBackend, stored: StoredManifest, release: () => Promise<void>) {
    this.#backend = backend;
    this.#stored = stored;
    this.#release = release;
  }

  /** The set as it is stored now: after a restart it shows what is there already. */
  get manifest(): Manifest<K> {
    return publicManifest(this.#stored, Date.now()) as Manifest<K>;
  }

  /** What the writer of the last block left to go on from; undefined at the start. */
  get resume(): unknown {
    return this.#stored.blocks.at(-1)?.resume;
  }

  /** Adds a block; it counts once this resolves. `resume` is kept with it (plain data). Errors: `disk-full`, `store-failed`. */
  async append(block: SetShapes[K]['block'], resume?: unknown): Promise<void> {
    await this.#next(() => this.#put(this.#stored.blocks.length, block, resume));
  }

  /** Writes a damaged or missing block again; it must have the same number of rows. */
  async replace(index: number, block: SetShapes[K]['block']): Promise<void> {
    await this.#next(() => this.#put(index, block, this.#stored.blocks[index]?.resume));
  }

  /** Drops all blocks from `index` on; the set is incomplete afterwards. */
  async truncate(index: number): Promise<void> {
    await this.#next(async () => {
      if (this.#stored.blocks.length <= index && !this.#stored.complete) return;
      const kept = sums(this.#stored.blocks.slice(0, index));
      await this.#change({ ...this.#stored, complete: false, ...kept }, [], index);
    });
  }

  /** Marks the set complete, with its final meta if given and under its final key if given (which must be free). */
  async complete(meta?: SetShapes[K]['meta'], key?: SetKey<K>): Promise<Manifest<K>> {
    await this.#next(() =>
      this.#change({
        ...this.#stored,
        complete: true,
        meta: meta ?? this.#stored.meta,
        key: key ?? this.#stored.key,
      }),
    );
    return this.manifest;
  }

  /** Changes the meta without completing the set. */
  async updateMeta(meta: SetShapes[K]['meta']): Promise<void> {
    await this.#next(() => this.#change({ ...this.#stored, meta }));
  }

  /** Removes the set. */
  async discard(): Promise<void> {
    await this.#next(async () => {
      await this.#backend.change({
        key: this.#stored.key,
        manifest: null,
        storageId: this.#stored.storageId,
      });
      this.#stored = { ...this.#stored, complete: false, ...sums([]) };
    });
  }

  /** Waits until nothing is being stored. */
  async idle(): Promise<void> {
    await this.#busy;
  }

  /** Gives the lock back. What was appended stays. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#busy;
    this.#closed = true;
    await this.#release();
  }

  /** Runs a change after the one before it, even when that one failed. */
  #next<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#busy.then(change);
    this.#busy = result.catch(() => undefined);
    return result;
  }

  async #put(index: number, block: SetShapes[K]['block'], resume: unknown): Promise<void> {
    // Packing and hashing come first: nothing but the database may be awaited once a transaction is open.
    const { content, ids, rows } = packBlock(this.#stored.kind, block);
    const [digest, idsDigest] = await Promise.all([
      digestOf(content),
      ids === undefined ? undefined : digestOf(ids),
    ]);
    const blocks = [...this.#stored.blocks];
    const old = blocks[index];
    if (old !== undefined && old.rows !== rows)
      throw new AppError(
        'store',
        'block-rows',
        `Block ${index} of "${this.#stored.key}" has ${old.rows} rows; it cannot be replaced by one of ${rows}.`,
      );
    blocks[index] = {
      index,
      firstRow: old?.firstRow ?? this.#stored.rows,
      rows,
      bytes: content.byteLength + (ids?.byteLength ?? 0),
      digest,
      ...(idsDigest === undefined ? {} : { idsDigest }),
      ...(resume === undefined ? {} : { resume }),
    } satisfies BlockEntry;
    const records = [...recordsOf(index, 'content', content), ...(ids ? recordsOf(index, 'ids', ids) : [])];
    await this.#change({ ...this.#stored, ...sums(blocks) }, records);
  }

  async #change(
    manifest: StoredManifest,
    put: readonly BlockRecord[] = [],
    deleteFrom?: number,
  ): Promise<void> {
    if (this.#closed)
      throw new AppError('store', 'writer-closed', `The writer of "${this.#stored.key}" was closed already.`);
    const { key, storageId } = this.#stored;
    await this.#backend.change({
      key,
      manifest,
      storageId,
      put,
      ...(deleteFrom === undefined ? {} : { deleteFrom }),
    });
    this.#stored = manifest;
  }
}

function recordsOf(index: number, part: BlockRecord['part'], bytes: Uint8Array): BlockRecord[] {
  const records: BlockRecord[] = [];
  // One value of 64 MB exists in the wild; it becomes several records. A full last record is followed by an empty one,
  // so that a reader knows the end by a record that is not full.
  for (let chunk = 0; chunk * MAX_BLOCK_BYTES <= bytes.byteLength; chunk++) {
    const from = chunk * MAX_BLOCK_BYTES;
    records.push({ index, part, chunk, bytes: bytes.subarray(from, from + MAX_BLOCK_BYTES) });
  }
  return records;
}
