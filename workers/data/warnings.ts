import type { DataWarning } from '../../src/contracts/data.ts';

const SAMPLES = 5;

/** Counts what is odd in the data, with the first few examples of each kind. */
export class WarningCounter {
  readonly #byCode = new Map<string, { message: string; count: number; samples: string[] }>();

  /** Notes one case. The first message of a code is the one shown. */
  warn(code: string, message: string, sample: string): void {
    const known = this.#byCode.get(code) ?? { message, count: 0, samples: [] };
    known.count++;
    if (known.samples.length < SAMPLES) known.samples.push(sample.slice(0, 200));
    this.#byCode.set(code, known);
  }

  /** What was noted, in order of first appearance. */
  list(): DataWarning[] {
    return [...this.#byCode].map(([code, warning]) => ({ code, ...warning }));
  }
}
