import type { AppErrorData } from '../domain/app-error.ts';
import type { Dtype } from '../models/model-definition.ts';

/** The named steps of an evaluation, in the order in which they run. */
export const PHASES = ['load', 'encode documents', 'encode queries', 'search', 'judge', 'score'] as const;
export type PhaseName = (typeof PHASES)[number];

/** One step as the page shows it: a row with done / total, rate and time left. */
export interface Phase {
  readonly name: PhaseName;
  readonly status: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
  readonly done: number;
  /** Absent while unknown. */
  readonly total?: number;
  /** What is counted, plural: `documents`, `queries`, `suites`, `bytes`. */
  readonly unit: string;
  /** Wall time spent in this step so far, over all sittings of a resumed run. */
  readonly elapsedMs: number;
  /** Units per second over the last few seconds; absent until two samples exist. */
  readonly ratePerSecond?: number;
  /** Estimated from the rate; absent when rate or total is. */
  readonly remainingMs?: number;
  /** Rates over time, newest last, at most 60: the sparkline. */
  readonly rateHistory: readonly number[];
  /** One plain sentence about a choice made in this step, e.g. which device and why. */
  readonly note?: string;
}

/** The protocol that a benchmark declares for itself, for benchmarks that are known only once they are loaded. */
export const OWN_PROTOCOL = 'own';

/** What to evaluate: everything that a person or the command line chooses, and nothing measured. */
export interface RunRequest {
  readonly benchmarkId: string;
  readonly modelId: string;
  readonly dtype: Dtype;
  readonly protocolId: string;
  readonly device: 'auto' | 'webgpu' | 'wasm';
  /** Keep only the first N queries and their own canonicals and distractors: a named sub-benchmark. */
  readonly queries?: number;
  /** Documents kept per query by the search. */
  readonly depth: number;
  /** Seed of the bootstrap. */
  readonly seed: number;
}

/** A counted remark, listed and never lost: "212 documents cut at 256 tokens". */
export interface Warning {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly count: number;
  readonly message: string;
}

/** Something that already means something while the run goes on, e.g. exec@1 over the queries judged so far. */
export interface PartialMetric {
  readonly name: string;
  readonly value: number;
  readonly queries: number;
  readonly ofQueries: number;
}

/** The states of a run. `complete` names the stored record; a failed or cancelled run keeps what is done and can be resumed. */
export type RunStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: AppErrorData }
  | { readonly kind: 'complete'; readonly recordId: string };

/** Everything the page shows of a run; replaced as a whole on each change (keep it in `$state.raw`). */
export interface RunState {
  /** Digest of the request and the benchmark's own digest: the same request finds the same run again. */
  readonly id: string;
  readonly request: RunRequest;
  readonly status: RunStatus;
  readonly phases: readonly Phase[];
  readonly warnings: readonly Warning[];
  readonly partialMetrics: readonly PartialMetric[];
  readonly startedAt: string;
}
