/** Shape of the files, which decides how rows are read. */
export type BenchmarkLayout = 'exec-retrieval' | 'coreb' | 'core-bench' | 'beir' | 'mteb' | 'coir';

/** Where the files of a benchmark lie. */
export type BenchmarkSource =
  /** Served by the app itself, under this path relative to the page, e.g. `benchmarks/exec-mini/data/`. */
  | { readonly kind: 'bundled'; readonly path: string }
  /** A data set of the hub at one pinned revision. */
  | { readonly kind: 'hub'; readonly dataset: string; readonly revision: string };

/** One number that somebody published, with where it stands. */
export interface PublishedResult {
  readonly system: string;
  /** In the project's metric grammar, e.g. `exec@1`. */
  readonly metric: string;
  readonly value: number;
  /** 95 % interval, where published. */
  readonly interval?: readonly [low: number, high: number];
  /** The part of the benchmark that it was measured on, where not the whole: a task, a slice, a release. */
  readonly slice?: string;
  /** Table, section or file. */
  readonly source: string;
}

/** A way to cut the queries into groups, each reported with its n. */
export interface SliceDefinition {
  /** The member of a query's extras that holds the label, e.g. `domain`. */
  readonly field: string;
  readonly name: string;
}

/** A benchmark as declared data: everything the page shows before anything is downloaded. */
export interface BenchmarkDefinition {
  /** Kebab-case, unique, used in addresses and on the command line. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What is retrieved for what, e.g. `text-to-code`. */
  readonly tasks: readonly string[];
  /** Programming languages in lower case. */
  readonly languages: readonly string[];
  readonly domains: readonly string[];
  /** Documents and queries of the whole; absent where the paper and the card do not say. */
  readonly documents?: number;
  readonly queries?: number;
  /** Judgements, all grades together. */
  readonly judgements?: number;
  /** Bytes to download before a run; absent where unknown. */
  readonly downloadBytes?: number;
  /** SPDX id, or what the card says. */
  readonly licence: string;
  /** One paragraph of plain text. */
  readonly citation: string;
  /** Id of the protocol by which it is scored unless the user picks another one. */
  readonly protocolId: string;
  readonly layout: BenchmarkLayout;
  readonly source: BenchmarkSource;
  /** Paths relative to the source, for places that cannot list what they hold; absent where a listing tells. */
  readonly files?: readonly string[];
  readonly slices: readonly SliceDefinition[];
  readonly published: readonly PublishedResult[];
  /** The part of the source to load, for sources that hold several benchmarks: layout-specific names. */
  readonly part?: Readonly<Record<string, string>>;
}
