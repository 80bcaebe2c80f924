import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Suite } from '../../../src/contracts/judge.ts';
import {
  controlSuite,
  differenceFromCPython,
  loadHostile,
  loadHumanEval,
} from '../../judge/golden-suites.ts';
import { openJudgePage, type JudgePage } from '../../judge/judge-page.ts';

let judge: JudgePage;
const cases = loadHumanEval();
const long = process.env['ASSAY_LONG'] === '1';

beforeAll(async () => {
  judge = await openJudgePage({ timeZone: 'America/New_York' });
  await judge.page.evaluate(() => window.oracle.open({ workers: 2 }));
});
afterAll(() => judge.close());

if (cases === undefined)
  console.log('skipped: ../shared/data/HumanEval.jsonl.gz is not there (it is not part of the project)');

test.skipIf(cases === undefined)(
  'HumanEval: outcome and failing line are CPython’s, three times in a row',
  { timeout: long ? 900_000 : 120_000 },
  async () => {
    // The four endless items cost their whole limit, twice: only the long run waits for them, and for the slowest.
    const chosen = (cases ?? []).filter(
      ({ outcome, cpythonMs }) => long || (outcome !== 'timeout' && cpythonMs < 1_000),
    );
    expect(chosen.length).toBeGreaterThan(350);
    for (let round = 0; round < 3; round++) {
      const { results } = await judge.page.evaluate(
        (suites) => window.oracle.run(suites, { timeoutMs: 5_000 }),
        chosen.map(({ suite }) => suite as Suite),
      );
      expect(
        results.flatMap(
          (result, i) => differenceFromCPython(result, chosen[i] as (typeof chosen)[number]) ?? [],
        ),
      ).toEqual([]);
    }
  },
);

test(
  'hostile candidates get an acceptable verdict, and the suite after each passes',
  { timeout: 180_000 },
  async () => {
    const hostile = loadHostile();
    expect(hostile).toHaveLength(37);
    const suites = hostile.flatMap(({ suite, then }) => [
      suite,
      controlSuite(`control after ${suite.id}`),
      ...(then === undefined ? [] : [then.suite]),
    ]);
    const { results } = await judge.page.evaluate(
      (list) => window.oracle.run(list, { timeoutMs: 200 }),
      suites,
    );
    const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
    const bad = hostile.flatMap(({ suite, acceptable, then }) => [
      ...(acceptable.includes(verdicts.get(suite.id) as never)
        ? []
        : [`${suite.id}: ${verdicts.get(suite.id)}`]),
      ...(then === undefined || then.acceptable.includes(verdicts.get(then.suite.id) as never)
        ? []
        : [then.suite.id]),
    ]);
    expect(bad).toEqual([]);
    expect(results.filter(({ id, verdict }) => id.startsWith('control') && verdict !== 'pass')).toEqual([]);
    expect(results.find(({ id }) => id === 'eq-always-true')?.remarks).toEqual([
      'suspicious: a result that equals everything',
    ]);
    expect(judge.requests).toEqual([]);
  },
);

test('with the second environment, what depends on the platform is called that', async () => {
  const hostile = loadHostile().filter(({ suite }) =>
    ['hash-order', 'word-size', 'first-call-only', 'timezone'].includes(suite.id),
  );
  const more: Suite[] = [
    {
      form: 'asserts',
      id: 'libm',
      code: 'import math\ndef f():\n    return math.sin(1.5)\n',
      tests: ['assert f() == 0.9974949866040544'],
    },
    {
      form: 'asserts',
      id: 'exact',
      code: 'import math\ndef f():\n    return math.sqrt(2) + math.floor(math.log10(1000))\n',
      tests: ['assert f() == 2 ** 0.5 + 3'],
    },
    {
      form: 'asserts',
      id: 'local-time',
      code: 'import time\ndef f():\n    return time.localtime(0).tm_hour\n',
      tests: ['assert f() == 0'],
    },
    {
      form: 'asserts',
      id: 'plain-wrong',
      code: 'def f():\n    return object()\n',
      tests: ['assert f() == 1'],
    },
  ];
  const { results } = await judge.page.evaluate(
    (list) => window.oracle.run(list, { secondPass: true }),
    [...hostile.map(({ suite }): Suite => suite), ...more],
  );
  expect(Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))).toEqual({
    'hash-order': 'platform-sensitive',
    'word-size': 'platform-sensitive',
    'first-call-only': 'pass',
    timezone: 'platform-sensitive',
    libm: 'platform-sensitive',
    exact: 'pass',
    'local-time': 'platform-sensitive',
    'plain-wrong': 'wrong',
  });
});
