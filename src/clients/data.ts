import type { Remote } from 'comlink';
import type { SetKey, StorePlace } from '../contracts/blocks.ts';
import type { CallOptions } from '../contracts/calls.ts';
import type { BenchmarkRef, DataApi, DataSettings, OpenedStore, StoredBenchmark } from '../contracts/data.ts';
import { WorkerClient } from './worker-client.ts';

/** The data worker, started at the first call and started again after a failure. */
export class DataClient {
  readonly #client: WorkerClient<DataApi>;
  #settings: DataSettings;
  #opened: OpenedStore | undefined;

  constructor(settings: DataSettings) {
    this.#settings = settings;
    this.#client = new WorkerClient<DataApi>({
      name: 'data',
      start: () =>
        new Worker(new URL('../../workers/data/data.worker.ts', import.meta.url), {
          type: 'module',
          name: 'data',
        }),
      prepare: async (api) => {
        this.#opened = await api.open(this.#settings);
      },
    });
  }

  /** Where data is kept, with the sentence to show when it is only in memory. */
  async opened(): Promise<OpenedStore> {
    return this.call(undefined, async (api) => (this.#opened ??= await api.open(this.#settings)));
  }

  /** Changes the hub's address or token from now on. */
  async configure(settings: Partial<DataSettings>): Promise<void> {
    this.#settings = { ...this.#settings, ...settings };
    if (this.#client.started) await this.call(undefined, (api) => api.open(this.#settings));
  }

  /** A place of the store for another worker; transfer its port if it has one. `holder` names that worker. */
  place(holder: string): Promise<StorePlace> {
    // comlink's types make a union of promises of it.
    return this.call(undefined, (api) => api.place(holder) as Promise<StorePlace>);
  }

  /** Loads a benchmark; see {@link DataApi.loadBenchmark}. */
  loadBenchmark(ref: BenchmarkRef, options?: CallOptions): Promise<StoredBenchmark> {
    return this.call(options, (api, crossing) => api.loadBenchmark(ref, crossing));
  }

  /** A page of rows for display. */
  rows(
    key: SetKey<'documents'> | SetKey<'queries'>,
    from: number,
    count: number,
  ): ReturnType<DataApi['rows']> {
    return this.call(undefined, (api) => api.rows(key, from, count));
  }

  /** The rows of these ids. */
  textsOf(
    key: SetKey<'documents'> | SetKey<'queries'>,
    ids: readonly string[],
  ): ReturnType<DataApi['textsOf']> {
    return this.call(undefined, (api) => api.textsOf(key, ids));
  }

  /**
   * Asks the browser to keep the data. Asked on the page, since some browsers refuse workers; returns its answer.
   */
  async persist(): Promise<boolean> {
    const storage = (navigator as { storage?: StorageManager }).storage;
    return (await storage?.persist?.()) ?? this.call(undefined, (api) => api.persist());
  }

  /** Any other call of the contract: `client.call(options, (api, crossing) => api.listStored())`. */
  call<T>(
    options: CallOptions | undefined,
    use: (api: Remote<DataApi>, crossing: CallOptions) => Promise<T>,
  ): Promise<T> {
    return this.#client.call(options, use);
  }

  /** Ends the worker. */
  dispose(): void {
    this.#client.dispose();
  }
}
