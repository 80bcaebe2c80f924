import type { Digest } from '../domain/digest.ts';
import type { Manifest, SetKey, StorePlace } from './blocks.ts';
import type { CallOptions } from './calls.ts';
import type { RunDataApi } from './run-data.ts';

/** A file of the user's: bytes that are here, or an address to read them from (the command line serves a folder). */
export interface NamedFile {
  /** Path inside the folder, with `/`, e.g. `data/corpus.jsonl`. */
  readonly path: string;
  readonly body: Blob | { readonly url: string; readonly bytes?: number };
}

/** What to load. `queries` cuts to the first N queries with their own documents: a benchmark of its own, with its own digest. */
export type BenchmarkRef =
  /** A declared benchmark, e.g. `exec-mini`; `part` picks one of several (a CORE-Bench repository). */
  | { readonly kind: 'declared'; readonly id: string; readonly part?: string; readonly queries?: number }
  /** Any folder in a layout that Assay knows. */
  | {
      readonly kind: 'files';
      readonly name: string;
      /** A zip alone counts as the folder that it holds. */
      readonly files: readonly NamedFile[];
      /** One of several benchmarks side by side. */
      readonly part?: string;
      /** What the columns mean, where their names do not tell. */
      readonly columns?: TableAssignment;
      readonly queries?: number;
    }
  /** Any data set of the hub. */
  | {
      readonly kind: 'hub';
      readonly dataset: string;
      readonly revision?: string;
      readonly part?: string;
      readonly queries?: number;
    }
  /** One address: a zip, or a folder that ends in `/` and holds the files of a known layout. */
  | { readonly kind: 'url'; readonly url: string; readonly queries?: number }
  /** A benchmark that lies complete in the store, by its id and digest: what was dropped on an earlier page. */
  | {
      readonly kind: 'stored';
      readonly id: string;
      readonly digest: Digest;
      readonly queries?: number;
    };

/** What a person said the files and columns mean. One file may serve twice (a query row that names its document). */
export interface TableAssignment {
  readonly documents: {
    readonly file: string;
    readonly id: string;
    readonly text: string;
    readonly title?: string;
    readonly language?: string;
  };
  readonly queries: { readonly file: string; readonly id: string; readonly text: string };
  /** Without a grade column every row is a judgement of grade 1. */
  readonly qrels: {
    readonly file: string;
    readonly query: string;
    readonly document: string;
    readonly grade?: string;
  };
}

/** The first rows of a file, for a person to look at. */
export interface TableSample {
  readonly path: string;
  readonly format?: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Why the file cannot be read as a table, if it cannot. */
  readonly problem?: string;
}

/** Something odd in the data that does not stop a run; shown with its count and a few examples. */
export interface DataWarning {
  /** Kebab-case, e.g. `judged-document-not-in-corpus`. */
  readonly code: string;
  readonly message: string;
  readonly count: number;
  readonly samples: readonly string[];
}

/** A benchmark that lies complete in the store: plain data that any thread may hold. */
export interface StoredBenchmark {
  /** E.g. `exec-mini`, `exec-mini/queries=2`, or a folder's name. */
  readonly id: string;
  readonly name: string;
  /** Over the canonical content of all parts: the same rows give the same digest, whatever file they came in. */
  readonly digest: Digest;
  readonly parts: {
    readonly documents: Digest;
    readonly queries: Digest;
    readonly qrels: Digest;
    readonly visibility?: Digest;
    readonly execution?: Digest;
  };
  readonly documentsSet: SetKey<'documents'>;
  readonly queriesSet: SetKey<'queries'>;
  readonly qrelsSet: SetKey<'qrels'>;
  readonly visibilitySet?: SetKey<'visibility'>;
  /** Present when correctness is decided by running code. */
  readonly execution?: {
    /** One task a query, in query order. */
    readonly tasksSet: SetKey<'execution'>;
    /** The authors' own outcomes, where released. */
    readonly cacheSet?: SetKey<'verdicts'>;
  };
  readonly counts: { readonly documents: number; readonly queries: number; readonly judgements: number };
  readonly protocolId: string;
  /** Where it came from: address, folder name, hub id with revision. */
  readonly source: string;
  /** For a sub-benchmark: what it was cut from. */
  readonly cutFrom?: { readonly digest: Digest; readonly queries: number };
  readonly warnings: readonly DataWarning[];
}

/** One row for the eyes of a person. */
export interface TextRow {
  /** 0-based row in its set. */
  readonly row: number;
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly language?: string;
  /** What else the benchmark says of the row. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What the texts of one side are like. */
export interface TextStatistics {
  readonly count: number;
  /** In code points, over all texts. */
  readonly meanCharacters: number;
  /** In tokens of cl100k_base, over `tokenSample` texts. */
  readonly meanTokens: number;
  /** How many texts were tokenised: all, or a seeded sample of a large set. */
  readonly tokenSample: number;
}

/** A label with how many rows carry it. */
export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

/** What a benchmark consists of, computed from its rows. */
export interface StatisticsCard {
  readonly digest: Digest;
  readonly documents: TextStatistics & {
    /** Most frequent first; empty where no document names one. */
    readonly languages: readonly LabelCount[];
    /** Share of the documents that are known to be correct among those of which it is known; absent where none is. */
    readonly verifiedCorrect?: { readonly correct: number; readonly known: number };
  };
  readonly queries: TextStatistics & {
    /** For each member of the queries' extras with at most 50 different values: how often each occurs. */
    readonly labels: readonly { readonly field: string; readonly values: readonly LabelCount[] }[];
  };
  readonly judgements: {
    readonly count: number;
    /** By grade, highest first. */
    readonly grades: readonly {
      readonly grade: number;
      readonly count: number;
      readonly meanPerQuery: number;
    }[];
    readonly queriesWithout: number;
  };
  /** Mean number of documents that a query with a visibility list may see. */
  readonly visibility?: { readonly queries: number; readonly meanVisible: number };
  /** What the paper or the card states beside what was counted. */
  readonly checks: readonly { readonly what: string; readonly declared: number; readonly counted: number }[];
}

/** One line of the storage view. */
export interface StoredItem {
  readonly kind: 'benchmark' | 'vectors' | 'model' | 'verdicts' | 'rankings' | 'record' | 'unfinished';
  /** What to show. */
  readonly name: string;
  /** The sets that go when it is removed (those shared with another item stay). */
  readonly keys: readonly SetKey[];
  /** For a benchmark or a record: its id among the entries. */
  readonly entry?: { readonly collection: EntryCollection; readonly id: string };
  readonly bytes: number;
  readonly complete: boolean;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/** Named collections of small JSON values. */
export type EntryCollection = 'benchmarks' | 'records' | 'run-states' | 'settings' | 'sources' | 'statistics';

/** A small JSON value with its name. */
export interface Entry {
  readonly id: string;
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** What the browser says about the disk. Bytes. */
export interface StorageEstimate {
  readonly usage?: number;
  readonly quota?: number;
  /** Whether the browser promised not to throw the data away. */
  readonly persisted: boolean;
}

/** Where the store ended up, and why it is not on the disk if it is not. */
export interface OpenedStore {
  readonly kind: 'indexeddb' | 'memory';
  /** One sentence for the user when kind is `memory`. */
  readonly notice?: string;
}

/** Settings of the data worker for this page. */
export interface DataSettings {
  /** Absolute address that bundled paths are relative to: the page's own folder. */
  readonly baseUrl: string;
  /** Default `https://huggingface.co`. */
  readonly hubUrl?: string;
  /** For gated data sets: kept in memory only, sent to the hub's host only. */
  readonly hubToken?: string;
}

/** What the data worker does for the page. Everything is plain data; long calls take {@link CallOptions} last. */
export interface DataApi extends RunDataApi {
  /** Opens the store (falling back to memory) and takes the settings. Call first; calling again updates the settings. */
  open(settings: DataSettings): Promise<OpenedStore>;
  /**
   * A way to the same store for another worker. A `memory` place holds a port: pass it on with a transfer.
   * `holder` names the worker (`encode`, `search` …): asking again for the same holder frees the locks of the one before.
   */
  place(holder: string): Promise<StorePlace>;
  /** Loads a benchmark, or goes on where a killed load stopped, or returns at once what is stored already. */
  loadBenchmark(ref: BenchmarkRef, options?: CallOptions): Promise<StoredBenchmark>;
  /** The first rows of each file, with a guess at what is what when the columns' names tell it. */
  inspectFiles(
    files: readonly NamedFile[],
    options?: CallOptions,
  ): Promise<{ readonly samples: readonly TableSample[]; readonly guess?: TableAssignment }>;
  /** The parts of a declared benchmark that is loaded part by part (repositories of a CORE-Bench level); else empty. */
  listParts(
    benchmarkId: string,
    options?: CallOptions,
  ): Promise<readonly { readonly part: string; readonly subdataset: string }[]>;
  /** A benchmark's statistics, computed once and kept. */
  statistics(benchmark: StoredBenchmark, options?: CallOptions): Promise<StatisticsCard>;
  /** The complete benchmarks in the store, last used first. */
  listBenchmarks(): Promise<readonly StoredBenchmark[]>;
  /** Rows `from` up to `from + count` of a set, for display. */
  rows(
    key: SetKey<'documents'> | SetKey<'queries'>,
    from: number,
    count: number,
  ): Promise<readonly TextRow[]>;
  /** The rows of these ids, in the order asked; an unknown id is an error. */
  textsOf(key: SetKey<'documents'> | SetKey<'queries'>, ids: readonly string[]): Promise<readonly TextRow[]>;
  /** Grades of these queries. */
  judgementsOf(
    key: SetKey<'qrels'>,
    queryIds: readonly string[],
  ): Promise<readonly { queryId: string; documentId: string; grade: number }[]>;
  /** A set's manifest, or undefined when there is none. */
  manifest(key: SetKey): Promise<Manifest | undefined>;
  /** Everything that takes room, biggest first. */
  listStored(): Promise<readonly StoredItem[]>;
  /** Removes one line of the storage view. */
  removeStored(item: StoredItem): Promise<void>;
  /** Removes everything. */
  removeAll(): Promise<void>;
  estimate(): Promise<StorageEstimate>;
  /** Asks the browser to keep the data; returns whether it agreed. */
  persist(): Promise<boolean>;
  getEntry(collection: EntryCollection, id: string): Promise<unknown>;
  putEntry(collection: EntryCollection, id: string, value: unknown): Promise<void>;
  deleteEntry(collection: EntryCollection, id: string): Promise<void>;
  /** All entries of a collection, newest first. */
  listEntries(collection: EntryCollection): Promise<readonly Entry[]>;
}
