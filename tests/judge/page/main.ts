/** The page of the oracle's own browser tests: the real client, reachable from the test by one name. */
import { createJudge, type JudgeSettings } from '../../../src/clients/judge.ts';
import type { JudgeOptions, Suite, SuiteResult } from '../../../src/contracts/judge.ts';

declare global {
  interface Window {
    oracle: typeof oracle;
    judge: ReturnType<typeof createJudge> | undefined;
  }
}

const aborts = new Map<string, AbortController>();

const oracle = {
  async open(settings: JudgeSettings = {}): Promise<{ bootMs: number; timeFactor: number; wallMs: number }> {
    window.judge?.dispose();
    const started = performance.now();
    window.judge = createJudge(settings);
    const ready = await window.judge.warmUp();
    return { ...ready, wallMs: performance.now() - started };
  },
  async run(
    suites: readonly Suite[],
    options: Omit<JudgeOptions, 'signal' | 'onResult'> & { abortName?: string } = {},
  ): Promise<{ results: SuiteResult[]; wallMs: number; order: number[] }> {
    const started = performance.now();
    const order: number[] = [];
    const { abortName, ...rest } = options;
    const controller = new AbortController();
    if (abortName !== undefined) aborts.set(abortName, controller);
    const results = await (window.judge as NonNullable<Window['judge']>).judge(suites, {
      ...rest,
      signal: controller.signal,
      onResult: (_, index) => void order.push(index),
    });
    return { results, wallMs: performance.now() - started, order };
  },
  inspect: (suite: Suite, timeoutMs = 5_000): Promise<SuiteResult> =>
    (window.judge as NonNullable<Window['judge']>).inspect(suite, { timeoutMs }),
  abort: (name: string): void => aborts.get(name)?.abort(),
};
window.oracle = oracle;
