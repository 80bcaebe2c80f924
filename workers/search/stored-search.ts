import type { BlockEntry, Manifest, SetKey, StorePlace } from '../../src/contracts/blocks.ts';
import type { CallOptions } from '../../src/contracts/calls.ts';
import type {
  QueryVectors,
  SearchBlock,
  SearchShare,
  SearchWorkerApi,
  StoredSearch,
} from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { BlockStore } from '../../src/store/block-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { boardOf } from './board.ts';
import { loadKernel, type Kernel } from './kernel-module.ts';
import { scoresOf } from './scores-of.ts';
import { searchBlocks } from './search.ts';
import { readRestrictions } from './stored-restrictions.ts';

interface Opened {
  readonly store: BlockStore;
  readonly kernel: Kernel;
}

/** Returns the search worker's logic: blocks are read from the store, so vectors never pass through the page. */
export function createStoredSearch(): SearchWorkerApi {
  let opened: Opened | undefined;
  const ready = (): Opened => {
    if (opened === undefined)
      throw new AppError('search', 'not-open', 'The search worker was asked to work before it was opened.');
    return opened;
  };
  return {
    async open(place: StorePlace, sources, kernel) {
      const loaded = await loadKernel(sources, kernel);
      opened = { store: await openStore(place), kernel: loaded };
      return loaded.kind;
    },
    async searchStored(stored, { k, ...restrictions }, share, options = {}) {
      const { store, kernel } = ready();
      const queries = await readQueries(store, stored);
      const listed = await readRestrictions(store, stored, queries.ids);
      const board = share.board === undefined ? {} : { board: boardOf(share.board, share.part, share.of, k) };
      return searchBlocks(
        kernel,
        readShare(store, stored, share, options),
        { ...listed, ...restrictions, queries, similarity: stored.similarity, k },
        { ...board, options },
      );
    },
    async scoresStored(stored, wanted, options = {}) {
      const { store, kernel } = ready();
      const queries = await readQueries(store, stored);
      const blocks = readShare(store, stored, { part: 0, of: 1 }, options);
      return scoresOf(kernel, blocks, { queries, similarity: stored.similarity }, wanted, options);
    },
  };
}

/** All query vectors in one matrix with their ids. */
async function readQueries(
  store: BlockStore,
  { queriesSet, queryVectors }: StoredSearch,
): Promise<QueryVectors> {
  const ids = await store.readAllIds(queriesSet);
  const manifest = await store.completeManifest(queryVectors);
  requireRows(manifest, ids.length, queriesSet);
  const { dimensions } = manifest.meta;
  const values = new Float32Array(ids.length * dimensions);
  for await (const block of store.readBlocks(queryVectors))
    values.set(block.values, block.firstRow * dimensions);
  return { ids, dimensions, values };
}

/** The blocks of one thread's share, each with its document ids; the next one is read while the caller searches this one. */
async function* readShare(
  store: BlockStore,
  { documentsSet, documentVectors }: StoredSearch,
  { part, of }: SearchShare,
  { signal }: CallOptions,
): AsyncGenerator<SearchBlock, void, undefined> {
  const vectors = await store.completeManifest(documentVectors);
  const documents = await store.completeManifest(documentsSet);
  requireRows(vectors, documents.rows, documentsSet);
  const own = vectors.blocks.filter(({ index }) => index % of === part);
  const ids = new IdReader(store, documentsSet, documents);
  const read = (entry: BlockEntry | undefined): Promise<SearchBlock> | undefined => {
    if (entry === undefined) return undefined;
    const block = Promise.all([
      store.readBlock(documentVectors, entry.index),
      ids.ofRows(entry.firstRow, entry.rows),
    ]).then(([values, idsOfBlock]) => ({ ...values, ids: idsOfBlock }));
    block.catch(() => undefined); // Reported when it is awaited, which may be never.
    return block;
  };
  let next = read(own[0]);
  for (let i = 0; next !== undefined; i++) {
    signal?.throwIfAborted();
    const block: SearchBlock = await next;
    next = read(own[i + 1]);
    yield block;
    freeNow(block.values.buffer);
  }
}

/** Gives a buffer's memory back at once where the engine can; the collector would let many blocks pile up first. */
function freeNow(buffer: ArrayBufferLike): void {
  (buffer as { transfer?: (length: number) => unknown }).transfer?.(0);
}

/** Ids of document rows, read in order; blocks of documents and of vectors need not have the same borders. */
class IdReader {
  readonly #store: BlockStore;
  readonly #key: SetKey<'documents'>;
  readonly #documents: Manifest<'documents'>;
  /** One block of documents has the ids of many blocks of vectors. */
  #last: { readonly index: number; readonly ids: Promise<readonly string[]> } | undefined;

  constructor(store: BlockStore, key: SetKey<'documents'>, documents: Manifest<'documents'>) {
    this.#store = store;
    this.#key = key;
    this.#documents = documents;
  }

  async ofRows(firstRow: number, rows: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < rows) {
      const row = firstRow + ids.length;
      const entry = BlockStore.blockOfRow(this.#documents, row) as BlockEntry;
      if (this.#last?.index !== entry.index) {
        this.#last = { index: entry.index, ids: this.#store.readIds(this.#key, entry.index) };
      }
      const ofBlock = await this.#last.ids;
      const from = row - entry.firstRow;
      for (const id of ofBlock.slice(from, from + rows - ids.length)) ids.push(id);
    }
    return ids;
  }
}

function requireRows(vectors: Manifest<'vectors'>, rows: number, textsSet: string): void {
  if (vectors.rows === rows) return;
  throw new AppError(
    'search',
    'rows-differ',
    `${vectors.key} has ${vectors.rows} vectors, ${textsSet} has ${rows} texts: they do not belong together. Encode again.`,
  );
}
