import { SingleBar } from 'cli-progress';
import type { Phase, RunState } from '../../src/run/run-state.ts';

/** Shows a run's phases on stderr: a bar when it is a terminal, one plain line per finished phase when not. */
export class RunProgress {
  readonly #bar: SingleBar | undefined;
  readonly #told = new Set<string>();
  #shown = '';

  constructor() {
    if (process.stderr.isTTY) {
      this.#bar = new SingleBar({
        stream: process.stderr,
        format: '{phase} [{bar}] {value}/{total} {unit} {rate}',
        clearOnComplete: true,
        hideCursor: true,
        barsize: 30,
      });
    }
  }

  update(state: RunState): void {
    for (const phase of state.phases) {
      if (phase.status === 'done' && !this.#told.has(phase.name)) {
        this.#told.add(phase.name);
        this.#hideBar();
        console.error(lineOf(phase));
      }
    }
    const running = state.phases.find(({ status }) => status === 'running');
    if (running !== undefined && this.#bar !== undefined) this.#showBar(this.#bar, running);
  }

  stop(): void {
    this.#hideBar();
  }

  #showBar(bar: SingleBar, phase: Phase): void {
    const rate = phase.ratePerSecond === undefined ? '' : `${rounded(phase.ratePerSecond)}/s`;
    const left = phase.remainingMs === undefined ? '' : `, ${seconds(phase.remainingMs)} left`;
    const payload = { phase: phase.name.padEnd(16), unit: phase.unit, rate: rate + left };
    const total = phase.total ?? Math.max(phase.done, 1);
    if (this.#shown === phase.name) {
      bar.setTotal(total);
      bar.update(phase.done, payload);
    } else {
      this.#hideBar();
      bar.start(total, phase.done, payload);
      this.#shown = phase.name;
    }
  }

  #hideBar(): void {
    if (this.#shown === '') return;
    this.#bar?.stop();
    this.#shown = '';
  }
}

/** `encode documents  300 documents  12.3 s  (wasm, 2 threads: …)`. */
export function lineOf(phase: Phase): string {
  const note = phase.note === undefined ? '' : `  (${phase.note})`;
  const done = phase.done === 0 ? '' : `${rounded(phase.done)} ${phase.unit}`;
  return `${phase.name.padEnd(17)} ${done.padEnd(18)} ${seconds(phase.elapsedMs).padStart(8)}${note}`;
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
