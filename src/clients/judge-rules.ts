/** The judge's rules that need no browser: what counts as a test, the time factor, and when two environments disagree. */
import type { Suite, SuiteResult, TestOutcome } from '../contracts/judge.ts';

/** Bytes of a suite's output that are kept; the rest is dropped, which never changes a verdict of an assert. */
export const OUTPUT_CAP_BYTES = 64 * 1024;

/** How many outcomes a suite has. */
export function countTests(suite: Suite): number {
  switch (suite.form) {
    case 'asserts':
      return suite.tests.length;
    case 'check':
      return 1;
    case 'io':
      return suite.io.length;
    case 'calls':
      return suite.calls.length;
  }
}

/**
 * A piece of ordinary work (loops, calls, lists, dictionaries, texts) whose time tells how fast Python is here.
 * `cpythonMs` is its time in CPython 3.11 on the machine on which benchmarks' limits are commonly meant: a server core.
 */
export const CALIBRATION = {
  cpythonMs: 12,
  suite: {
    id: 'calibration',
    form: 'asserts',
    code: `def work():
    total = 0
    words = {}
    for i in range(15000):
        key = str(i % 97)
        words[key] = words.get(key, 0) + i * i % 7
        total += sum([words[key], len(key), i & 3])
    return sorted(words.items())[0][1] + total
`,
    tests: ['assert work() > 0'],
  } satisfies Suite,
} as const;

/** CPython's limit is multiplied by at least this: Python in WebAssembly takes about twice as long, and machines are busy. */
export const LEAST_TIME_FACTOR = 3;

/**
 * By what a limit in CPython's time is multiplied here: half as much again as measured, at least 3, at most 30.
 *
 * @param timesMs repeated measurements of {@link CALIBRATION}; the median counts
 */
export function timeFactor(timesMs: readonly number[]): number {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const measured = (1.5 * median) / CALIBRATION.cpythonMs;
  return Math.min(30, Math.max(LEAST_TIME_FACTOR, Math.round(measured * 10) / 10));
}

/**
 * Whether a failure may come from sizes of 32 bits, so that the second environment, which answers as a 64-bit machine
 * does, has to be asked before anything is called wrong. Only texts that name such sizes are looked at.
 */
export function mayDependOnWordSize(suite: Suite, result: SuiteResult): boolean {
  if (result.verdict !== 'wrong' && result.verdict !== 'error') return false;
  return /\b(?:maxsize|getsizeof|hash_info)\b|\bhash\s*\(/u.test(textOf(suite));
}

function textOf(suite: Suite): string {
  if (suite.form === 'asserts') return [suite.code, suite.setup ?? '', ...suite.tests].join('\n');
  return suite.form === 'check' ? `${suite.code}\n${suite.test}` : suite.code;
}

/**
 * Returns the result with `platform-sensitive` where a failed test got the expected items in another order and one of
 * them is a number beyond 31 bits: sets and dictionaries of such numbers are ordered by hashes of the machine's size.
 */
export function withOrderOfLargeNumbers(result: SuiteResult): SuiteResult {
  const isOrder = ({ verdict, expected, got }: TestOutcome): boolean => {
    if (verdict !== 'wrong' || expected === undefined || got === undefined || expected === got) return false;
    const items = (text: string): string[] => text.match(/[\w.'"-]+/gu)?.sort() ?? [];
    const numbers = items(expected);
    return numbers.join(' ') === items(got).join(' ') && numbers.some((item) => /^-?\d{10,}$/u.test(item));
  };
  if (!result.tests.some(isOrder)) return result;
  const tests = result.tests.map((outcome): TestOutcome =>
    isOrder(outcome)
      ? {
          ...outcome,
          verdict: 'platform-sensitive',
          message: `32-bit platform: another order (${outcome.message})`.slice(0, 2_000),
        }
      : outcome,
  );
  return withVerdict({ ...result, tests, remarks: [...new Set([...(result.remarks ?? []), REMARK_32_BIT])] });
}

/** The remark on every verdict that comes from sizes of 32 bits. */
export const REMARK_32_BIT = '32-bit platform';

function withVerdict(result: SuiteResult): SuiteResult {
  return { ...result, verdict: result.tests.find(({ verdict }) => verdict !== 'pass')?.verdict ?? 'pass' };
}

/** Returns the first environment's result, with `platform-sensitive` where the second one's differs. */
export function combineEnvironments(first: SuiteResult, second: SuiteResult): SuiteResult {
  const tests = first.tests.map((outcome, i) => combineOutcomes(outcome, second.tests[i]));
  return withVerdict({ ...first, tests, ms: first.ms + second.ms });
}

function combineOutcomes(first: TestOutcome, second: TestOutcome | undefined): TestOutcome {
  if (second === undefined || isSame(first, second)) return first;
  const there = second.verdict === first.verdict ? `another value: ${second.got}` : second.verdict;
  return {
    ...first,
    verdict: 'platform-sensitive',
    message:
      `${first.verdict} with TZ=UTC and hash seed 0, ${there} with another time zone, hash seed and libm${first.message === '' ? '' : ` (${first.message})`}`.slice(
        0,
        2_000,
      ),
  };
}

function isSame(first: TestOutcome, second: TestOutcome): boolean {
  if (first.verdict !== second.verdict) return false;
  // Addresses of objects differ between any two runs and mean nothing.
  const plain = (text: string | undefined): string | undefined => text?.replace(/0x[0-9a-f]+/gu, '0x');
  return plain(first.got) === plain(second.got);
}
