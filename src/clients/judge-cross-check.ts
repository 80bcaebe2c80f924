import type { Suite } from '../contracts/judge.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { Judge } from './judge.ts';

/** A suite with the outcomes that the benchmark's authors recorded for it, one a test. */
export interface RecordedSuite {
  readonly suite: Suite;
  readonly outcomes: readonly Verdict[];
}

/** One test whose outcome here is another one than was recorded. */
export interface OutcomeDifference {
  readonly id: string;
  /** From 0. */
  readonly test: number;
  readonly recorded: Verdict;
  readonly ours: Verdict;
  readonly message: string;
}

/** What running a sample of recorded suites again gave. */
export interface CrossCheck {
  readonly checked: number;
  readonly agreeing: number;
  readonly differences: readonly OutcomeDifference[];
}

/**
 * Runs an even sample of suites whose outcomes were recorded elsewhere and compares test by test: recorded outcomes are
 * worth importing only as far as they can be had again. A test agrees when both pass or when both name the same kind of
 * failure; recorded lists know fewer kinds, so `memory`, `exited` and `crashed` agree with a recorded `error`.
 *
 * @param sample how many suites at most, spread evenly over the list
 */
export async function crossCheckRecorded(
  judge: Pick<Judge, 'judge'>,
  recorded: readonly RecordedSuite[],
  sample: number,
  signal?: AbortSignal,
): Promise<CrossCheck> {
  const count = Math.min(sample, recorded.length);
  const chosen = Array.from(
    { length: count },
    (_, i) => recorded[Math.floor((i * recorded.length) / count)] as RecordedSuite,
  );
  const results = await judge.judge(
    chosen.map(({ suite }) => suite),
    { details: false, ...(signal === undefined ? {} : { signal }) },
  );
  const differences: OutcomeDifference[] = [];
  let agreeing = 0;
  results.forEach(({ id, tests }, i) => {
    const { outcomes } = chosen[i] as RecordedSuite;
    const before = differences.length;
    tests.forEach(({ verdict: ours, message }, test) => {
      const said = outcomes[test];
      if (said !== undefined && !outcomesAgree(said, ours))
        differences.push({ id, test, recorded: said, ours, message });
    });
    if (differences.length === before) agreeing += 1;
  });
  return { checked: count, agreeing, differences };
}

function outcomesAgree(recorded: Verdict, ours: Verdict): boolean {
  if (recorded === ours) return true;
  return recorded === 'error' && (ours === 'memory' || ours === 'exited' || ours === 'crashed');
}
