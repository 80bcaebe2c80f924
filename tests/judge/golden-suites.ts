/** The golden lists as suites, with what CPython says of each. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CheckSuite, AssertSuite, SuiteResult } from '../../src/contracts/judge.ts';
import type { Verdict } from '../../src/domain/verdict.ts';

import { projectRoot as root } from '../../cli/project-root.ts';

const HUMANEVAL = path.resolve(root, '..', 'shared', 'data', 'HumanEval.jsonl.gz');

interface GoldenItem {
  readonly id: string;
  readonly task_id: string;
  readonly start?: number;
  readonly end?: number;
  readonly replacement?: string;
  readonly sha256: string;
  /** pass | wrong | error:<type> | timeout */
  readonly outcome: string;
  readonly testLine?: number;
  readonly ms: number;
}

/** A HumanEval item and CPython's outcome for it. */
export interface HumanEvalCase {
  readonly suite: CheckSuite;
  readonly outcome: string;
  readonly testLine: number | undefined;
  readonly cpythonMs: number;
}

/** Returns the golden HumanEval items, or undefined where the data set (which is not part of the project) is absent. */
export function loadHumanEval(): HumanEvalCase[] | undefined {
  if (!existsSync(HUMANEVAL)) return undefined;
  interface Task {
    task_id: string;
    prompt: string;
    canonical_solution: string;
    test: string;
    entry_point: string;
  }
  const tasks = new Map(
    gunzipSync(readFileSync(HUMANEVAL))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Task)
      .map((task) => [task.task_id, task] as const),
  );
  const golden = JSON.parse(
    readFileSync(path.join(root, 'tests', 'golden', 'oracle-humaneval.json'), 'utf8'),
  ) as {
    items: GoldenItem[];
  };
  return golden.items.map((item) => {
    const task = tasks.get(item.task_id) as Task;
    let code = task.prompt + task.canonical_solution;
    if (item.replacement !== undefined)
      code = code.slice(0, item.start) + item.replacement + code.slice(item.end);
    const digest = createHash('sha256').update(code).digest('hex').slice(0, 16);
    if (digest !== item.sha256) throw new Error(`${item.id}: the source is not the golden one`);
    return {
      suite: { form: 'check', id: item.id, code, test: task.test, entryPoint: task.entry_point },
      outcome: item.outcome,
      testLine: item.testLine,
      cpythonMs: item.ms,
    };
  });
}

/** Returns in words where our result differs from CPython's; undefined when they agree. */
export function differenceFromCPython(result: SuiteResult, truth: HumanEvalCase): string | undefined {
  const test = result.tests[0];
  const ours = result.verdict === 'error' ? `error:${test?.errorType}` : result.verdict;
  if (ours !== truth.outcome) return `${result.id}: ${ours}, CPython ${truth.outcome} (${test?.message})`;
  if (truth.testLine !== undefined && test?.testLine !== truth.testLine)
    return `${result.id}: line ${test?.testLine}, CPython ${truth.testLine}`;
  return undefined;
}

/** A hostile candidate with the verdicts that are acceptable for it, best first. */
export interface HostileCase {
  readonly suite: AssertSuite;
  readonly acceptable: readonly Verdict[];
  readonly then?: { readonly suite: AssertSuite; readonly acceptable: readonly Verdict[] };
}

interface HostileItem {
  readonly id: string;
  readonly source: string;
  readonly test: string[];
  readonly expect: { readonly sandbox: Verdict[] };
  readonly then?: Omit<HostileItem, 'id' | 'then'>;
}

export function loadHostile(): HostileCase[] {
  const { items } = JSON.parse(
    readFileSync(path.join(root, 'tests', 'golden', 'oracle-hostile.json'), 'utf8'),
  ) as { items: HostileItem[] };
  const suite = (id: string, item: Omit<HostileItem, 'id' | 'then'>): AssertSuite => ({
    form: 'asserts',
    id,
    code: item.source,
    tests: item.test,
  });
  // `memory` is a verdict of its own here; the golden list counts it as an error.
  const acceptable = (verdicts: Verdict[]): Verdict[] => [
    ...verdicts,
    ...(verdicts.includes('error') ? (['memory'] as const) : []),
  ];
  return items.map((item) => ({
    suite: suite(item.id, item),
    acceptable: acceptable(item.expect.sandbox),
    ...(item.then === undefined
      ? {}
      : {
          then: {
            suite: suite(`${item.id}-then`, item.then),
            acceptable: acceptable(item.then.expect.sandbox),
          },
        }),
  }));
}

/** A suite that passes in a clean interpreter: run after every hostile one. */
export function controlSuite(id: string): AssertSuite {
  return { form: 'asserts', id, code: 'def f(n):\n    return n + 1\n', tests: ['assert f(1) == 2'] };
}
