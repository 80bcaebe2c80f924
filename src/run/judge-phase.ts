import type { JudgePair } from '../contracts/run-data.ts';
import { BROKEN_TEST, type Suite, type SuiteResult, type TestOutcome } from '../contracts/judge.ts';
import { AppError } from '../domain/app-error.ts';
import type { Digest } from '../domain/digest.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { RecordFailure } from '../share/record.ts';
import type { RunServices } from './services.ts';

/** Verdicts are stored in lots of this size: a killed page loses at most one lot. */
const LOT = 64;
/** Slow suites are not held back until a lot is full: what a kill may lose is this much work at most. */
const LOT_MS = 2_000;

/** Every pair of the plan with its verdict. */
export interface JudgedPairs {
  readonly queryIds: readonly string[];
  readonly documentIds: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly failures: readonly RecordFailure[];
  /** Suites that were run now, not found from an earlier run. */
  readonly executed: number;
}

/** How the judging of a plan is followed. */
export interface JudgePhaseOptions {
  readonly signal: AbortSignal;
  /** Distinct suites done of all, known ones included. */
  readonly onProgress: (done: number, total: number) => void;
  /** Called for every pair as soon as its verdict is known. */
  readonly onVerdict: (queryId: string, documentId: string, verdict: Verdict) => void;
}

/** Judges what is not known yet, keeps each verdict as it comes, and returns all of them in the order of the plan. */
export async function judgePairs(
  services: Pick<RunServices, 'data' | 'judge'>,
  environment: Digest,
  description: string,
  plan: readonly JudgePair[],
  options: JudgePhaseOptions,
): Promise<JudgedPairs> {
  // The same code against the same tests is run once, however many pairs share it.
  const groups = new Map<string, JudgePair[]>();
  for (const pair of plan) {
    const key = `${pair.codeDigest} ${pair.suiteDigest}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pair]);
    else group.push(pair);
  }
  const outcomes = new Map<string, { verdict: Verdict; tests: readonly TestOutcome[] }>();
  const announce = (key: string, verdict: Verdict): void => {
    for (const { queryId, documentId } of groups.get(key) ?? [])
      options.onVerdict(queryId, documentId, verdict);
  };
  const suites: Suite[] = [];
  for (const [key, [pair]] of groups) {
    if (pair?.known !== undefined) {
      outcomes.set(key, { verdict: pair.known.verdict, tests: parseTests(pair.known.tests) });
      announce(key, pair.known.verdict);
    } else if (pair?.suite !== undefined) {
      suites.push({ id: key, form: 'asserts', code: pair.suite.code, tests: pair.suite.tests });
    }
  }
  options.onProgress(outcomes.size, groups.size);

  const kept: Promise<void>[] = [];
  let lot: SuiteResult[] = [];
  let keptAt = performance.now();
  const keepLot = (): void => {
    keptAt = performance.now();
    if (lot.length === 0) return;
    const results = lot;
    lot = [];
    kept.push(
      services.data.keepVerdicts(
        environment,
        { environment: description, source: 'judged in this page' },
        {
          codeDigests: results.map(({ id }) => id.split(' ')[0] as Digest),
          suiteDigests: results.map(({ id }) => id.split(' ')[1] as Digest),
          verdicts: results.map(({ verdict }) => verdict),
          tests: results.map(({ tests }) => JSON.stringify(tests)),
        },
      ),
    );
  };
  try {
    if (suites.length > 0) {
      await services.judge.judge(suites, {
        signal: options.signal,
        onResult: (result) => {
          outcomes.set(result.id, result);
          announce(result.id, result.verdict);
          options.onProgress(outcomes.size, groups.size);
          // A test that does not parse ends the run; kept, it would hide its text from the next run's message.
          if (!result.tests.some(isBroken)) lot.push(result);
          if (lot.length >= LOT || performance.now() - keptAt >= LOT_MS) keepLot();
        },
      });
    }
  } finally {
    keepLot();
    await Promise.all(kept);
  }

  const failures: RecordFailure[] = [];
  const verdicts = plan.map((pair) => {
    const { queryId, documentId, codeDigest, suiteDigest } = pair;
    const { verdict, tests } = outcomes.get(`${codeDigest} ${suiteDigest}`) as {
      verdict: Verdict;
      tests: readonly TestOutcome[];
    };
    if (verdict !== 'pass') {
      const test = Math.max(
        0,
        tests.findIndex((outcome) => outcome.verdict !== 'pass'),
      );
      const { message = '', expected, got } = tests[test] ?? {};
      if (message.startsWith(BROKEN_TEST)) throw brokenTest(plan, pair, test, message);
      failures.push({
        queryId,
        documentId,
        verdict,
        test,
        message,
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got }),
      });
    }
    return verdict;
  });
  return {
    queryIds: plan.map(({ queryId }) => queryId),
    documentIds: plan.map(({ documentId }) => documentId),
    verdicts,
    failures,
    executed: suites.length,
  };
}

function isBroken({ message }: TestOutcome): boolean {
  return message?.startsWith(BROKEN_TEST) === true;
}

/** A test that does not parse makes its query worthless: the run ends with the place instead of a number. */
function brokenTest(
  plan: readonly JudgePair[],
  { queryId, suite }: JudgePair,
  test: number,
  message: string,
): AppError {
  const queries = [...new Set(plan.map((pair) => pair.queryId))];
  const text = suite?.tests[test];
  return new AppError(
    'benchmark',
    'test-does-not-parse',
    `queries.jsonl, query ${queries.indexOf(queryId) + 1} (${JSON.stringify(queryId)}), test ${test + 1} does not parse as Python: ` +
      `${message.slice(BROKEN_TEST.length)}${text === undefined ? '' : `: ${text.slice(0, 200)}`}. Mend the test; its query can be answered by nothing.`,
  );
}

/** Test outcomes as they were stored by this very code. */
function parseTests(text: string): readonly TestOutcome[] {
  return text === '' ? [] : (JSON.parse(text) as TestOutcome[]);
}
