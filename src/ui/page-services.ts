import type { BenchmarkDefinition } from '../benchmarks/definition.ts';
import type { StorageEstimate, StoredItem } from '../contracts/data.ts';
import type { ModelDefinition } from '../models/model-definition.ts';
import type { Protocol } from '../protocols/index.ts';
import type { RunRequest, RunState } from '../run/run-state.ts';

/** An evaluation that is going on, or that has ended. */
export interface RunHandle {
  readonly state: RunState;
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (state: RunState) => void): () => void;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** A finished or unfinished run as one line of a list. */
export interface RunSummary {
  readonly id: string;
  readonly request: RunRequest;
  readonly status: 'complete' | 'unfinished' | 'failed';
  /** ISO time of the start. */
  readonly startedAt: string;
  /** Id of the stored record; only for complete runs. */
  readonly recordId?: string;
  /** The headline metric of a complete run. */
  readonly headline?: {
    readonly name: string;
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
  };
  readonly queries?: number;
  /** `wasm` or `webgpu`, as it ran. */
  readonly device?: string;
  /** How far an unfinished run is, in words. */
  readonly progress?: string;
}

/** Everything that the page asks of the rest of the app. One object, so that a test can put its own in place. */
export interface PageServices {
  readonly benchmarks: readonly BenchmarkDefinition[];
  readonly models: readonly ModelDefinition[];
  readonly protocols: readonly Protocol[];
  /** Ids of benchmarks and models (as `model/dtype`) that lie complete in the store. */
  listKept(): Promise<readonly string[]>;
  /** Starts the run, or goes on with the same run where it stopped. */
  startRun(request: RunRequest): Promise<RunHandle>;
  /** Loads the scripts that a run will need. Called when Run is hovered or focused. */
  prefetchRun(): void;
  /** Newest first. */
  listRuns(): Promise<readonly RunSummary[]>;
  listStored(): Promise<readonly StoredItem[]>;
  removeStored(item: StoredItem): Promise<void>;
  removeAll(): Promise<void>;
  storageEstimate(): Promise<StorageEstimate>;
  persistStorage(): Promise<boolean>;
}
