import { expose, wrap, type Remote } from 'comlink';
import { AppError } from '../domain/app-error.ts';
import type { StorePlace } from '../contracts/blocks.ts';
import { installTransferHandlers } from '../contracts/calls.ts';
import type { StoreBackend } from './backend.ts';
import { BlockStore } from './block-store.ts';
import { IndexedDbBackend } from './indexeddb-backend.ts';
import { LocalLocks, WebLocks, type LockTable } from './locks.ts';
import { MemoryBackend } from './memory-backend.ts';

export type { StorePlace } from '../contracts/blocks.ts';

/** Name of the database in the browser's storage. */
export const DATABASE_NAME = 'assay';

const localLocks = new LocalLocks();

/**
 * Opens the store that a place names. Every worker does this once with the place that the data worker handed out.
 * Errors: `store-unavailable` when the browser refuses its database.
 */
export async function openStore(place: StorePlace): Promise<BlockStore> {
  if (place.kind === 'memory') {
    installTransferHandlers();
    return new BlockStore(wrap<StoreBackend>(place.port) as Remote<StoreBackend> as unknown as StoreBackend);
  }
  const backend = new IndexedDbBackend(DATABASE_NAME, sharedLocks());
  await backend.open();
  return new BlockStore(backend);
}

/** Opens a database of another name (tests, several workspaces). */
export async function openIndexedDbStore(name: string): Promise<BlockStore> {
  const backend = new IndexedDbBackend(name, sharedLocks());
  await backend.open();
  return new BlockStore(backend);
}

/** Returns a store in memory and the backend that other threads can be given a port to. */
export function openMemoryStore(maxBytes?: number): { store: BlockStore; backend: MemoryBackend } {
  const backend = new MemoryBackend(maxBytes);
  return { store: new BlockStore(backend), backend };
}

/** A port through which another worker reaches a store in memory; locks of an earlier worker of this name are freed. */
export async function portTo(backend: MemoryBackend, holder: string): Promise<MessagePort> {
  await backend.releaseLocksOf(holder);
  installTransferHandlers();
  const { port1, port2 } = new MessageChannel();
  expose(forHolder(backend, holder), port1);
  return port2;
}

/** Whether this thread can keep data on the disk, and if not, why. */
export function diskObstacle(): string | undefined {
  if (typeof indexedDB === 'undefined') return 'This browser offers no database (IndexedDB).';
  if (typeof navigator !== 'undefined' && 'userAgent' in navigator && !('locks' in navigator))
    return 'The page was opened over plain http, where browsers offer no locks between tabs.';
  return undefined;
}

function forHolder(backend: MemoryBackend, holder: string): StoreBackend {
  return {
    readManifest: (key) => backend.readManifest(key),
    listManifests: () => backend.listManifests(),
    change: (change) => backend.change(change),
    readRecord: (storageId, index, part, chunk) => backend.readRecord(storageId, index, part, chunk),
    touch: (keys, at) => backend.touch(keys, at),
    lastUses: () => backend.lastUses(),
    getEntry: (collection, id) => backend.getEntry(collection, id),
    putEntry: (collection, entry) => backend.putEntry(collection, entry),
    deleteEntry: (collection, id) => backend.deleteEntry(collection, id),
    listEntries: (collection) => backend.listEntries(collection),
    clear: () => backend.clear(),
    acquireLock: (name, wait) => backend.acquireLock(name, wait, holder),
    releaseLock: (token) => backend.releaseLock(token),
  };
}

/** Web Locks where the platform has them; in Node one table for the whole process. */
function sharedLocks(): LockTable {
  const locks = typeof navigator === 'undefined' ? undefined : (navigator as { locks?: LockManager }).locks;
  if (locks !== undefined) return new WebLocks(locks);
  if (!('process' in globalThis))
    throw new AppError(
      'store',
      'store-unavailable',
      'Without locks between tabs data is kept in memory only.',
    );
  return localLocks;
}
