import type { IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { AssaySchema } from './indexeddb-backend.ts';

type Upgrade = (
  database: IDBPDatabase<AssaySchema>,
  transaction: IDBPTransaction<AssaySchema, StoreNames<AssaySchema>[], 'versionchange'>,
) => void;

/** Step i brings version i to version i + 1. Steps that were released are never edited; changes are new steps. */
const STEPS: readonly Upgrade[] = [
  (database) => {
    database.createObjectStore('manifests');
    database.createObjectStore('blocks');
    database.createObjectStore('uses');
    database.createObjectStore('entries');
  },
];

/** The newest version of the database's schema. */
export const SCHEMA_VERSION = STEPS.length;

/** Brings a database of any older version (0 = new) to the newest one, within the version change transaction. */
export function migrate(
  database: IDBPDatabase<AssaySchema>,
  oldVersion: number,
  transaction: IDBPTransaction<AssaySchema, StoreNames<AssaySchema>[], 'versionchange'>,
): void {
  for (const step of STEPS.slice(oldVersion)) step(database, transaction);
}
