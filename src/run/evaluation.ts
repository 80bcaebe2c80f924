import { isAborted, type Progress } from '../contracts/calls.ts';
import type { BenchmarkRef } from '../contracts/data.ts';
import { toErrorData } from '../domain/app-error.ts';
import { digestOfJson } from '../domain/digest.ts';
import { PhaseTracker } from './phase-tracker.ts';
import { PHASES, type PhaseName, type RunRequest, type RunState, type RunStatus } from './run-state.ts';
import type { RunServices } from './services.ts';
import { runSteps, type RunRecord } from './steps.ts';

const UNITS: Readonly<Record<PhaseName, string>> = {
  load: 'bytes',
  'encode documents': 'documents',
  'encode queries': 'queries',
  search: 'queries',
  judge: 'suites',
  score: 'queries',
};
/** How often an unfinished run's state is written down while nothing else asks for it. */
const SAVE_INTERVAL_MS = 2_000;

/** Identifies a run: the same request on the same source finds the same run again. */
export function runIdOf(request: RunRequest, ref: BenchmarkRef): Promise<string> {
  const source =
    ref.kind === 'files' ? { kind: ref.kind, name: ref.name, files: ref.files.map(({ path }) => path) } : ref;
  return digestOfJson({ request, source });
}

/**
 * One evaluation, from loading to the record. Every step finds what an earlier sitting left complete in the store, so a
 * pause, a closed tab and a crash are all resumed in the same way: by running the steps again.
 */
export class Evaluation {
  readonly #services: RunServices;
  readonly #ref: BenchmarkRef;
  readonly #listeners = new Set<(state: RunState) => void>();
  readonly #trackers: Readonly<Record<PhaseName, PhaseTracker>>;
  #state: RunState;
  #sitting: AbortController | undefined;
  #savedAt = 0;
  #record: RunRecord | undefined;

  constructor(id: string, request: RunRequest, ref: BenchmarkRef, services: RunServices) {
    this.#services = services;
    this.#ref = ref;
    this.#state = {
      id,
      request,
      status: { kind: 'paused' },
      phases: [],
      warnings: [],
      partialMetrics: [],
      startedAt: new Date().toISOString(),
    };
    const trackers = PHASES.map(
      (name) => [name, new PhaseTracker(name, UNITS[name], () => this.#publishPhases())] as const,
    );
    this.#trackers = Object.fromEntries(trackers) as Record<PhaseName, PhaseTracker>;
    this.#publishPhases();
  }

  get state(): RunState {
    return this.#state;
  }

  /** The finished record; undefined before the run is complete. */
  get record(): RunRecord | undefined {
    return this.#record;
  }

  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (state: RunState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs all steps; resolves when this sitting has ended, whatever its status. Does nothing while one goes on. */
  async resume(): Promise<void> {
    if (this.#sitting !== undefined || this.#state.status.kind === 'complete') return;
    const sitting = new AbortController();
    this.#sitting = sitting;
    // Until the hold is had the run may be another tab's, and so is what is written down about it.
    this.#savedAt = Date.now();
    this.#publish({ status: { kind: 'running' } });
    let hold: { release(): void } | undefined;
    try {
      hold = await this.#services.hold(this.#state.id);
      await this.#save();
      const record = await runSteps({
        id: this.#state.id,
        request: this.#state.request,
        ref: this.#ref,
        services: this.#services,
        signal: sitting.signal,
        step: (name, work) => this.#step(name, sitting.signal, work),
        progress: (name, done, total) => this.#trackers[name].progress(done, total),
        skip: (name, note) => this.#trackers[name].skip(note),
        note: (name, note) => this.#trackers[name].note(note),
        publish: (change) => this.#publish(change),
        timings: () => PHASES.map((name) => ({ phase: name, ms: this.#trackers[name].elapsedMs })),
      });
      this.#record = record;
      this.#publish({ status: { kind: 'complete', recordId: record.id } });
    } catch (thrown) {
      for (const tracker of Object.values(this.#trackers)) {
        if (tracker.phase.status !== 'running') continue;
        if (sitting.signal.aborted) tracker.pause();
        else tracker.fail();
      }
      this.#publish({ status: this.#statusAfter(thrown, sitting.signal) });
    } finally {
      this.#sitting = undefined;
      hold?.release();
    }
    if (hold !== undefined) await this.#save();
  }

  /** Ends the step at work after what it has in hand; nothing complete is lost. */
  pause(): void {
    this.#sitting?.abort(new RunEnded('paused'));
  }

  /** As a pause, but the run counts as given up until somebody starts it again. */
  cancel(): void {
    if (this.#sitting === undefined && this.#state.status.kind === 'paused') {
      this.#publish({ status: { kind: 'cancelled' } });
      void this.#save();
    }
    this.#sitting?.abort(new RunEnded('cancelled'));
  }

  #statusAfter(thrown: unknown, signal: AbortSignal): RunStatus {
    if (
      signal.aborted &&
      signal.reason instanceof RunEnded &&
      (isAborted(thrown) || thrown === signal.reason)
    ) {
      return { kind: signal.reason.status };
    }
    return { kind: 'failed', error: toErrorData(thrown) };
  }

  async #step<T>(
    name: PhaseName,
    signal: AbortSignal,
    work: (onProgress: (progress: Progress) => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const tracker = this.#trackers[name];
    tracker.start();
    await this.#save();
    const result = await work(({ done, total, unit, step }) => {
      tracker.progress(done, total, unit);
      if (unit === 'bytes') tracker.note(step);
    });
    tracker.finish();
    return result;
  }

  #publishPhases(): void {
    this.#publish({
      phases: PHASES.map((name) => this.#trackers[name]?.phase).filter((phase) => phase !== undefined),
    });
  }

  #publish(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
    if (this.#state.status.kind === 'running' && Date.now() - this.#savedAt > SAVE_INTERVAL_MS)
      void this.#save();
  }

  /** Writes the state down, so that a page that opens later finds the run. A full disk must not end a run over this. */
  async #save(): Promise<void> {
    this.#savedAt = Date.now();
    await this.#services.data
      .putEntry('run-states', this.#state.id, { state: this.#state, ref: plainRef(this.#ref) })
      .catch(() => undefined);
  }
}

/** The reason with which a sitting is ended on purpose. */
class RunEnded extends Error {
  readonly status: 'paused' | 'cancelled';

  constructor(status: 'paused' | 'cancelled') {
    super(status);
    this.name = 'AbortError';
    this.status = status;
  }
}

/** File objects cannot be kept: a run on dropped files is resumed from what was already stored. */
function plainRef(ref: BenchmarkRef): BenchmarkRef {
  return ref.kind === 'files' ? { ...ref, files: [] } : ref;
}
