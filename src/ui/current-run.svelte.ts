import { isErrorData, toErrorData, type AppErrorData } from '../domain/app-error.ts';
import type { Phase, RunRequest, RunState } from '../run/run-state.ts';
import { durationText, progressText } from './format.ts';
import type { PageServices, RunHandle } from './page-services.ts';
import { forgetInterruptedRun, interruptedRun, rememberRun } from './interrupted-run.ts';
import { runsInAnotherTab } from '../clients/run-hold.ts';
import { keepRates } from './run-cost.ts';

/** At least this long between two announcements of how far a step is; a new step is announced at once. */
const ANNOUNCE_MS = 15_000;

/** The one evaluation of this page: it goes on when its view is left, and closing the tab warns. */
export class CurrentRun {
  readonly #services: PageServices;
  #handle: RunHandle | undefined;
  #unsubscribe: (() => void) | undefined;
  #announcedAt = 0;
  /** The run as it stands; undefined before the first. Replaced as a whole. */
  state = $state.raw<RunState | undefined>(undefined);
  /** Set while the start itself is under way, and when it failed. */
  starting = $state(false);
  startError = $state.raw<AppErrorData | undefined>(undefined);
  /** What a live region says. */
  announcement = $state('');
  /** Counts ended runs, so that lists know when to read anew. */
  ended = $state(0);

  constructor(services: PageServices) {
    this.#services = services;
    addEventListener('beforeunload', (event) => {
      // The browser shows its own words; what is done is kept in any case.
      if (this.isRunning) event.preventDefault();
    });
    void this.#goOnAfterClosing();
  }

  /** Running or paused: a second run has to wait. */
  readonly isActive = $derived.by(
    () => this.starting || this.state?.status.kind === 'running' || this.state?.status.kind === 'paused',
  );

  readonly isRunning = $derived.by(() => this.starting || this.state?.status.kind === 'running');

  /** The step at work, for the bar. */
  readonly phase: Phase | undefined = $derived.by(() =>
    this.state?.phases.find(({ status }) => status === 'running' || status === 'failed'),
  );

  async start(request: RunRequest): Promise<void> {
    if (this.isActive) return;
    this.#unsubscribe?.();
    this.starting = true;
    this.startError = undefined;
    this.state = undefined;
    rememberRun(request);
    try {
      this.#handle = await this.#services.startRun(request);
      this.#take(this.#handle.state);
      this.#unsubscribe = this.#handle.subscribe((state) => this.#take(state));
    } catch (thrown) {
      this.startError = isErrorData(thrown) ? thrown : toErrorData(thrown);
      this.announcement = `The run could not start: ${this.startError.message}`;
      forgetInterruptedRun();
    } finally {
      this.starting = false;
    }
  }

  pause(): void {
    this.#handle?.pause();
  }

  resume(): void {
    this.#handle?.resume();
  }

  cancel(): void {
    this.#handle?.cancel();
  }

  /** A page that was closed in mid-run goes on where it was, unless another tab does so already. */
  async #goOnAfterClosing(): Promise<void> {
    const interrupted = interruptedRun();
    if (interrupted !== undefined && !(await runsInAnotherTab())) await this.start(interrupted);
  }

  #take(state: RunState): void {
    const before = this.state;
    this.state = state;
    this.#announce(before, state);
    if (before?.status.kind === state.status.kind) return;
    if (state.status.kind === 'running') rememberRun(state.request);
    // The other tab's run goes on, and must go on after that tab is closed, too.
    else if (state.status.kind !== 'failed' || state.status.error.code !== 'run-elsewhere')
      forgetInterruptedRun();
    if (state.status.kind === 'running' || state.status.kind === 'paused') return;
    this.ended++;
    const device = /^webgpu/iu.test(state.phases.find(({ name }) => name === 'encode documents')?.note ?? '')
      ? 'webgpu'
      : 'wasm';
    if (state.status.kind === 'complete') keepRates(state, device);
  }

  #announce(before: RunState | undefined, state: RunState): void {
    const { status } = state;
    if (status.kind !== before?.status.kind && status.kind !== 'running') {
      this.announcement =
        status.kind === 'failed' ? `The run failed: ${status.error.message}` : `The run is ${status.kind}.`;
      return;
    }
    const phase = state.phases.find((candidate) => candidate.status === 'running');
    if (phase === undefined) return;
    const isNew = before?.phases.find(({ name }) => name === phase.name)?.status !== 'running';
    const now = Date.now();
    if (!isNew && now - this.#announcedAt < ANNOUNCE_MS) return;
    this.#announcedAt = now;
    this.announcement = `${phaseWords(phase)}${phase.remainingMs === undefined ? '' : `, ${durationText(phase.remainingMs)} left`}`;
  }
}

/** `encode documents: 212 of 300 documents`. */
export function phaseWords(phase: Phase): string {
  return `${phase.name}: ${progressText(phase.done, phase.total, phase.unit)}`;
}

/** Whole percent of a step, or undefined while its total is unknown. */
export function phasePercent(phase: Phase): number | undefined {
  if (phase.total === undefined || phase.total === 0) return undefined;
  return Math.min(100, Math.floor((phase.done / phase.total) * 100));
}
