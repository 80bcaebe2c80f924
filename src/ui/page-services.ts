import type { BenchmarkDefinition } from '../benchmarks/definition.ts';
import type { CallOptions } from '../contracts/calls.ts';
import type {
  BenchmarkRef,
  NamedFile,
  StorageEstimate,
  StoredBenchmark,
  StoredItem,
  TableAssignment,
  TableSample,
} from '../contracts/data.ts';
import type { ModelDefinition } from '../models/model-definition.ts';
import type { SuiteResult } from '../contracts/judge.ts';
import type { Protocol } from '../protocols/index.ts';
import type { RunRequest, RunState } from '../run/run-state.ts';
import type { CheckedClaim } from '../share/claims.ts';
import type { OpenedResult, ResultTexts } from './opened-result.ts';

/** Where a result is: in this browser's store, or within a link. */
export type ResultPlace = { readonly id: string } | { readonly payload: string };

/** An evaluation that is going on, or that has ended. */
export interface RunHandle {
  readonly state: RunState;
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (state: RunState) => void): () => void;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** What running a candidate again came to. */
export interface RunAgain {
  /** Every test. */
  readonly result: SuiteResult;
  /** The first failing test with the variables of each frame and what was printed; absent when all passed. */
  readonly inspected?: SuiteResult;
}

/** A finished or unfinished run as one line of a list. */
export interface RunSummary {
  readonly id: string;
  readonly status: 'complete' | 'unfinished' | 'failed';
  readonly benchmark: string;
  readonly model: string;
  readonly dtype: string;
  readonly protocol: string;
  /** `wasm` or `webgpu` as it ran; what was asked for while it is unfinished. */
  readonly device: string;
  /** ISO time: when a complete run ended, when another one started. */
  readonly at: string;
  /** Number of queries; absent while nobody has counted them. */
  readonly queries?: number;
  /** Id of the stored record; only for complete runs. */
  readonly recordId?: string;
  /** The headline metric of a complete run. */
  readonly headline?: {
    readonly name: string;
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
  };
  /** How far an unfinished run is, in words. */
  readonly progress?: string;
  /** What starts an unfinished run again; absent when only its own command can (a folder that the page cannot read). */
  readonly request?: RunRequest;
}

/** Everything that the page asks of the rest of the app. One object, so that a test can put its own in place. */
export interface PageServices {
  readonly benchmarks: readonly BenchmarkDefinition[];
  readonly models: readonly ModelDefinition[];
  readonly protocols: readonly Protocol[];
  /** Benchmarks that lie complete in the store, last used first. */
  listBenchmarks(): Promise<readonly StoredBenchmark[]>;
  /** Loads a benchmark of the user's own into the store. */
  loadBenchmark(ref: BenchmarkRef, options: CallOptions): Promise<StoredBenchmark>;
  /** The first rows of each file, with a guess at what is what. */
  inspectFiles(files: readonly NamedFile[]): Promise<{
    readonly samples: readonly TableSample[];
    readonly guess?: TableAssignment;
  }>;
  /** Starts the run, or goes on with the same run where it stopped. */
  startRun(request: RunRequest): Promise<RunHandle>;
  /** Loads the scripts that a run will need. Called when Run is hovered or focused. */
  prefetchRun(): void;
  /** Newest first. */
  listRuns(): Promise<readonly RunSummary[]>;
  /** Opens a stored record, or what a link carries; throws an AppError in words when it is absent, cut or altered. */
  openResult(place: ResultPlace): Promise<OpenedResult>;
  /** Checks every claim of a result that can be checked from the result alone: nothing is run again. */
  checkResult(result: OpenedResult): Promise<readonly CheckedClaim[]>;
  /** Returns the payload of a record file, as its link would carry it; throws an AppError when it is no record. */
  payloadOfRecord(text: string): Promise<string>;
  /** Texts of the benchmark with this digest; undefined when this browser does not have it. */
  resultTexts(benchmarkDigest: string): Promise<ResultTexts | undefined>;
  /** Runs a candidate against its tests here and now, and looks into the first one that fails. */
  runAgain(code: string, tests: readonly string[]): Promise<RunAgain>;
  listStored(): Promise<readonly StoredItem[]>;
  removeStored(item: StoredItem): Promise<void>;
  removeAll(): Promise<void>;
  /** Where things are kept: a sentence when they are only in memory. */
  storeNotice(): Promise<string | undefined>;
  /** The rankings behind a record as a TREC run; undefined when they are no longer kept. */
  trecRun(recordId: string): Promise<Blob | undefined>;
  storageEstimate(): Promise<StorageEstimate>;
  persistStorage(): Promise<boolean>;
}
