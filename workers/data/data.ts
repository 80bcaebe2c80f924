import type { BenchmarkPart } from '../../src/benchmarks/sample-parts.ts';
import type { Manifest, SetKey, StorePlace } from '../../src/contracts/blocks.ts';
import type { CallOptions } from '../../src/contracts/calls.ts';
import type {
  BenchmarkRef,
  DataApi,
  DataSettings,
  Entry,
  EntryCollection,
  NamedFile,
  OpenedStore,
  StatisticsCard,
  StorageEstimate,
  StoredBenchmark,
  StoredItem,
  TableAssignment,
  TableSample,
  TextRow,
} from '../../src/contracts/data.ts';
import type { RunDataApi } from '../../src/contracts/run-data.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import type { MemoryBackend } from '../../src/store/memory-backend.ts';
import { diskObstacle, openMemoryStore, openStore, portTo } from '../../src/store/open-store.ts';
import { cutBenchmark } from './cut-benchmark.ts';
import { loadFromSource, storedBenchmark, storedFor } from './load-benchmark.ts';
import { judgementsOfQueries, rowsFrom, rowsOfIds } from './rows.ts';
import { createRunData } from './run-data.ts';
import { statisticsOf } from './statistics.ts';
import { listStored, removeStored } from './stored-items.ts';

/** What the platform offers; replaced in tests. */
export interface DataPlatform {
  /** Opens the store on the disk, or rejects. */
  readonly openDisk: () => Promise<BlockStore>;
  /** Why there is no store on the disk, if it is known beforehand. */
  readonly obstacle: () => string | undefined;
  /** Most bytes that are kept in memory when there is no disk. */
  readonly maxMemoryBytes?: number;
}

const BROWSER: DataPlatform = {
  openDisk: () => openStore({ kind: 'indexeddb' }),
  obstacle: diskObstacle,
};

interface Opened {
  readonly store: BlockStore;
  /** Present when the store is in memory. */
  readonly memory?: MemoryBackend;
  readonly notice?: string;
}

/** The data worker: owns sources, codecs and store. Runs in Node as well. */
export class DataService implements DataApi {
  readonly #platform: DataPlatform;
  #settings: DataSettings | undefined;
  #opened: Promise<Opened> | undefined;
  readonly #runData = createRunData(() => this.store());
  readonly putRankings: RunDataApi['putRankings'] = (...call) => this.#runData.putRankings(...call);
  readonly rankingsAsTrec: RunDataApi['rankingsAsTrec'] = (...call) => this.#runData.rankingsAsTrec(...call);
  readonly rankingsAsJson: RunDataApi['rankingsAsJson'] = (...call) => this.#runData.rankingsAsJson(...call);
  readonly ownDocuments: RunDataApi['ownDocuments'] = (...call) => this.#runData.ownDocuments(...call);
  readonly taskOf: RunDataApi['taskOf'] = (...call) => this.#runData.taskOf(...call);
  readonly judgePlan: RunDataApi['judgePlan'] = (...call) => this.#runData.judgePlan(...call);
  readonly keepVerdicts: RunDataApi['keepVerdicts'] = (...call) => this.#runData.keepVerdicts(...call);

  constructor(platform: DataPlatform = BROWSER) {
    this.#platform = platform;
  }

  async open(settings: DataSettings): Promise<OpenedStore> {
    this.#settings = settings;
    const { memory, notice } = await this.#open();
    return { kind: memory ? 'memory' : 'indexeddb', ...(notice === undefined ? {} : { notice }) };
  }

  async place(holder: string): Promise<StorePlace> {
    const { memory } = await this.#open();
    return memory ? { kind: 'memory', port: await portTo(memory, holder) } : { kind: 'indexeddb' };
  }

  /** The store itself, for code on the same thread. */
  async store(): Promise<BlockStore> {
    return (await this.#open()).store;
  }

  async loadBenchmark(ref: BenchmarkRef, options: CallOptions = {}): Promise<StoredBenchmark> {
    const store = await this.store();
    const whole = await this.#loadWhole(store, ref, options);
    return ref.queries === undefined ? whole : cutBenchmark(store, whole, ref.queries, options.signal);
  }

  async inspectFiles(
    files: readonly NamedFile[],
    options: CallOptions = {},
  ): Promise<{ readonly samples: readonly TableSample[]; readonly guess?: TableAssignment }> {
    const [{ guessAssignment, inspectFiles }, { filesOf }] = await Promise.all([
      import('./inspect-files.ts'),
      import('./open-source.ts'),
    ]);
    const samples = await inspectFiles(await filesOf('the files', files, options.signal), options.signal);
    const guess = guessAssignment(samples);
    return { samples, ...(guess === undefined ? {} : { guess }) };
  }

  async listParts(benchmarkId: string, options: CallOptions = {}): Promise<readonly BenchmarkPart[]> {
    if (this.#settings === undefined)
      throw new AppError('internal', 'not-open', 'The data worker was asked to list before it was opened.');
    const { partsOf } = await import('./open-source.ts');
    return partsOf(benchmarkId, this.#settings, options.signal);
  }

  async statistics(benchmark: StoredBenchmark, options: CallOptions = {}): Promise<StatisticsCard> {
    return statisticsOf(await this.store(), benchmark, options);
  }

  async listBenchmarks(): Promise<readonly StoredBenchmark[]> {
    const entries = await (await this.store()).listEntries('benchmarks');
    return entries.map((entry) => entry.value as StoredBenchmark);
  }

  async rows(
    key: SetKey<'documents'> | SetKey<'queries'>,
    from: number,
    count: number,
  ): Promise<readonly TextRow[]> {
    return rowsFrom(await this.store(), key, from, count);
  }

  async textsOf(
    key: SetKey<'documents'> | SetKey<'queries'>,
    ids: readonly string[],
  ): Promise<readonly TextRow[]> {
    return rowsOfIds(await this.store(), key, ids);
  }

  async judgementsOf(
    key: SetKey<'qrels'>,
    queryIds: readonly string[],
  ): Promise<readonly { queryId: string; documentId: string; grade: number }[]> {
    return judgementsOfQueries(await this.store(), key, queryIds);
  }

  async manifest(key: SetKey): Promise<Manifest | undefined> {
    return (await this.store()).manifest(key);
  }

  async listStored(): Promise<readonly StoredItem[]> {
    return listStored(await this.store());
  }

  async removeStored(item: StoredItem): Promise<void> {
    await removeStored(await this.store(), item);
  }

  async removeAll(): Promise<void> {
    await (await this.store()).clear();
  }

  async estimate(): Promise<StorageEstimate> {
    const { memory } = await this.#open();
    if (memory !== undefined) return { usage: memory.bytes, quota: memory.maxBytes, persisted: false };
    const storage = storageManager();
    if (storage === undefined) return { persisted: false };
    const { usage, quota } = await storage.estimate();
    return {
      ...(usage === undefined ? {} : { usage }),
      ...(quota === undefined ? {} : { quota }),
      persisted: await storage.persisted(),
    };
  }

  async persist(): Promise<boolean> {
    // Some browsers offer persist() on the page only; the client asks there when this says no.
    const storage = storageManager() as { persist?: () => Promise<boolean> } | undefined;
    return (await storage?.persist?.()) ?? false;
  }

  async getEntry(collection: EntryCollection, id: string): Promise<unknown> {
    return (await this.store()).getEntry(collection, id);
  }

  async putEntry(collection: EntryCollection, id: string, value: unknown): Promise<void> {
    await (await this.store()).putEntry(collection, id, value);
  }

  async deleteEntry(collection: EntryCollection, id: string): Promise<void> {
    await (await this.store()).deleteEntry(collection, id);
  }

  async listEntries(collection: EntryCollection): Promise<readonly Entry[]> {
    return (await this.store()).listEntries(collection);
  }

  async #loadWhole(store: BlockStore, ref: BenchmarkRef, options: CallOptions): Promise<StoredBenchmark> {
    if (this.#settings === undefined)
      throw new AppError('internal', 'not-open', 'The data worker was asked to load before it was opened.');
    if (ref.kind === 'stored') return storedBenchmark(store, ref);
    // Sources and codecs (hub, parquet, zip) are most of this worker's script: the first screen needs none of them.
    const { isPinned, openSource, sourceKeyOf } = await import('./open-source.ts');
    if (isPinned(ref)) {
      const pinned = await storedFor(store, sourceKeyOf(ref));
      if (pinned !== undefined) return pinned.benchmark;
    }
    try {
      return await loadFromSource(store, await openSource(ref, this.#settings, options.signal), options);
    } catch (error) {
      // What was stored once works with its source gone.
      if (!(error instanceof AppError) || error.code !== 'unreachable') throw error;
      const known = await storedFor(store, sourceKeyOf(ref));
      if (known === undefined) throw error;
      return known.benchmark;
    }
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#openNow();
    return this.#opened;
  }

  async #openNow(): Promise<Opened> {
    const obstacle = this.#platform.obstacle();
    if (obstacle === undefined) {
      try {
        return { store: await this.#platform.openDisk() };
      } catch (error) {
        return this.#openMemory(messageOf(error));
      }
    }
    return this.#openMemory(obstacle);
  }

  #openMemory(reason: string): Opened {
    const { store, backend } = openMemoryStore(this.#platform.maxMemoryBytes);
    return {
      store,
      memory: backend,
      notice: `${reason} Everything stays in memory and is gone when this page is closed.`,
    };
  }
}

function storageManager(): StorageManager | undefined {
  return typeof navigator === 'undefined' ? undefined : (navigator as { storage?: StorageManager }).storage;
}
