/** One line of a benchmark's output: what was measured, how large, ours, the peer of the same run, their ratio. Plain JSON. */
export type BenchLine = Readonly<Record<string, string | number | boolean | null>>;

/** What `assay bench NAME` takes; a benchmark uses what concerns it. */
export interface BenchOptions {
  /** Name of the peer to measure beside, where there is a choice. */
  readonly against?: string;
  /** Python that has the peer's packages; without it peers in Python are left out and the line says so. */
  readonly python?: string;
  /** Smaller sizes, for trying the benchmark itself. */
  readonly quick: boolean;
}

/** A benchmark: one file in this folder and one line in `index.ts`. It prints and never judges. */
export interface Bench {
  readonly name: string;
  /** One sentence for the help. */
  readonly about: string;
  run(options: BenchOptions): AsyncIterable<BenchLine>;
}

/** Median of measured values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
