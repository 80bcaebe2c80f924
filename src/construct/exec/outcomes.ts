import type { AssertSuite, SuiteResult } from '../../contracts/judge.ts';
import type { Outcomes } from './task.ts';

/**
 * Executes suites in the page's sandbox; one result a suite, in order. Candidates never run anywhere else. `timeoutMs`
 * limits each suite, in CPython's time.
 */
export type ExecuteSuites = (
  suites: readonly AssertSuite[],
  timeoutMs: number,
) => Promise<readonly SuiteResult[]>;

/** How a candidate did against the tests of its task. */
export type Fate = 'passes' | 'fails-by-output' | 'crashes' | 'does-not-end' | 'not-run';

/** ExecRetrieval's spelling of a result. Of an exception only the class is kept: its text differs between Python versions. */
export function outcomesOf(result: SuiteResult): Outcomes {
  return result.tests.map(({ verdict, message, errorType }) => {
    if (verdict === 'pass') return 'pass';
    if (verdict === 'wrong') return 'FAIL:AssertionError';
    if (verdict === 'timeout') return 'TIMEOUT';
    return `ERROR:${errorType ?? /^\w+/.exec(message)?.[0] ?? verdict}`;
  });
}

/**
 * Tells failing on output from crashing: `fails-by-output` when at least one assert fails and nothing runs out of time;
 * `crashes` when tests fail, but only by exceptions. What the sandbox could not run (no such module) proves nothing.
 */
export function fateOf(result: SuiteResult): Fate {
  const verdicts = result.tests.map(({ verdict }) => verdict);
  if (verdicts.every((verdict) => verdict === 'pass')) return 'passes';
  if (verdicts.some((verdict) => verdict === 'unsupported' || verdict === 'platform-sensitive'))
    return 'not-run';
  if (verdicts.some((verdict) => ['timeout', 'memory', 'crashed', 'exited'].includes(verdict)))
    return 'does-not-end';
  return verdicts.includes('wrong') ? 'fails-by-output' : 'crashes';
}
