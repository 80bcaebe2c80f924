import type { Phase, PhaseName } from './run-state.ts';

const RATE_WINDOW_MS = 5_000;
const SAMPLE_INTERVAL_MS = 500;
const HISTORY_LENGTH = 60;

/** Keeps one phase's row: counts, wall time, rate over the last seconds, time left. */
export class PhaseTracker {
  #phase: Phase;
  readonly #now: () => number;
  readonly #report: (phase: Phase) => void;
  /** Wall time of earlier sittings and of this one up to the last pause. */
  #settledMs = 0;
  #runningSince: number | undefined;
  #samples: { at: number; done: number }[] = [];
  #lastHistoryAt = 0;

  /** @param report called with the new row after each change @param now milliseconds, monotonic */
  constructor(
    name: PhaseName,
    unit: string,
    report: (phase: Phase) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#phase = { name, unit, status: 'waiting', done: 0, elapsedMs: 0, rateHistory: [] };
    this.#report = report;
    this.#now = now;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Wall time up to now, also between two reports. */
  get elapsedMs(): number {
    return this.#settledMs + (this.#runningSince === undefined ? 0 : this.#now() - this.#runningSince);
  }

  start(): void {
    this.#runningSince = this.#now();
    this.#samples = [];
    this.#set({ status: 'running' });
  }

  /** Stops the clock; {@link start} goes on. */
  pause(): void {
    this.#settle();
    this.#set({});
  }

  /** Reports progress; `already` work from an earlier sitting does not count into the rate. */
  progress(done: number, total: number | undefined, unit = this.#phase.unit): void {
    const now = this.#now();
    if (unit !== this.#phase.unit || done < (this.#samples.at(-1)?.done ?? 0)) this.#samples = [];
    this.#samples.push({ at: now, done });
    while (this.#samples.length > 2 && (this.#samples[0] as { at: number }).at < now - RATE_WINDOW_MS)
      this.#samples.shift();
    const first = this.#samples[0] as { at: number; done: number };
    const rate = now - first.at >= 200 ? ((done - first.done) / (now - first.at)) * 1_000 : undefined;
    let rateHistory = this.#phase.rateHistory;
    if (rate !== undefined && now - this.#lastHistoryAt >= SAMPLE_INTERVAL_MS) {
      this.#lastHistoryAt = now;
      rateHistory = [...rateHistory, rate].slice(-HISTORY_LENGTH);
    }
    const { ratePerSecond: _rate, remainingMs: _remaining, total: _total, ...rest } = this.#phase;
    this.#phase = {
      ...rest,
      done,
      unit,
      rateHistory,
      ...(total === undefined ? {} : { total }),
      ...(rate === undefined ? {} : { ratePerSecond: rate }),
      ...(rate !== undefined && rate > 0 && total !== undefined
        ? { remainingMs: ((total - done) / rate) * 1_000 }
        : {}),
    };
    this.#set({});
  }

  note(note: string): void {
    this.#set({ note });
  }

  finish(): void {
    this.#settle();
    const { ratePerSecond: _rate, remainingMs: _remaining, ...rest } = this.#phase;
    this.#phase = { ...rest, ...(rest.total === undefined ? {} : { done: rest.total }) };
    this.#set({ status: 'done' });
  }

  fail(): void {
    this.#settle();
    this.#set({ status: 'failed' });
  }

  skip(note: string): void {
    this.#set({ status: 'skipped', note });
  }

  #settle(): void {
    if (this.#runningSince !== undefined) this.#settledMs += this.#now() - this.#runningSince;
    this.#runningSince = undefined;
  }

  #set(change: Partial<Phase>): void {
    this.#phase = { ...this.#phase, ...change, elapsedMs: this.elapsedMs };
    this.#report(this.#phase);
  }
}
