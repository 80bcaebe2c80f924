import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedOutcomesOf, cacheRowSchema } from '../../../src/benchmarks/rows/exec-retrieval.ts';
import { crossCheckRecorded, type RecordedSuite } from '../../../src/clients/judge-cross-check.ts';
import type { Suite, SuiteResult } from '../../../src/contracts/judge.ts';
import { parse } from 'valibot';
import { controlSuite } from '../../judge/golden-suites.ts';
import { openJudgePage, type JudgePage } from '../../judge/judge-page.ts';

let judge: JudgePage;

beforeAll(async () => {
  judge = await openJudgePage();
  await judge.page.evaluate(() => window.oracle.open({ workers: 2 }));
});
afterAll(() => judge.close());

async function run(
  suites: Suite[],
  options: { timeoutMs?: number; failFast?: boolean; details?: boolean } = {},
): Promise<SuiteResult[]> {
  const { results } = await judge.page.evaluate(([list, how]) => window.oracle.run(list, how), [
    suites,
    options,
  ] as const);
  return results;
}

test('asserts: fresh namespace an assert, or one namespace with set-up after the source', async () => {
  const counting = 'calls = []\ndef f(n):\n    calls.append(n)\n    return len(calls)\n';
  const tests = ['assert f(1) == 1', 'assert f(1) == 1'];
  const results = await run([
    { form: 'asserts', id: 'fresh', code: counting, tests },
    { form: 'asserts', id: 'shared', code: counting, tests, namespace: 'shared' },
    {
      form: 'asserts',
      id: 'set-up',
      code: 'def area(p): return p.x * p.y\n',
      setup: 'from collections import namedtuple\nP = namedtuple("P", "x y")',
      tests: ['assert area(P(2, 3)) == 6', 'assert area(P(2, 3)) == 7'],
      namespace: 'shared',
    },
    { form: 'asserts', id: 'set-up fails', code: '', setup: '1 / 0', tests: ['assert True'] },
  ]);
  expect(results.map(({ tests: outcomes }) => outcomes.map(({ verdict }) => verdict))).toEqual([
    ['pass', 'pass'],
    ['pass', 'wrong'],
    ['pass', 'wrong'],
    ['error'],
  ]);
  expect(results[2]?.tests[1]).toMatchObject({
    message: 'assert area(P(2, 3)) == 7',
    expected: '7',
    got: '6',
  });
});

test('check: the failing line, expected and got', async () => {
  const [result] = await run([
    {
      form: 'check',
      id: 'c',
      code: 'def f(n):\n    return n * 2\n',
      test: 'def check(candidate):\n    for n in range(3):\n        x = n + 1\n        assert candidate(n) == x, "no"\n',
      entryPoint: 'f',
    },
  ]);
  expect(result).toMatchObject({
    verdict: 'wrong',
    tests: [
      { verdict: 'wrong', testLine: 4, message: 'assert candidate(n) == x, "no"', expected: '1', got: '0' },
    ],
  });
});

test('programs: white space is normalised, every pair starts fresh, leaving with 0 is allowed', async () => {
  const results = await run([
    {
      form: 'io',
      id: 'double',
      code: 'n = int(input())\nprint(n * 2, end="  \\n\\n")\nexit()',
      io: [
        { stdin: '4\n', stdout: '8\n' },
        { stdin: '5', stdout: '10' },
        { stdin: '6', stdout: '13' },
      ],
    },
    {
      form: 'io',
      id: 'whole input',
      code: 'import sys\nprint(*sorted(sys.stdin.read().split()), sep="\\n")',
      io: [{ stdin: 'b a\nc', stdout: 'a\nb\nc' }],
    },
    {
      form: 'io',
      id: 'main',
      code: 'if __name__ == "__main__":\n    print("main")',
      io: [{ stdin: '', stdout: 'main' }],
    },
    {
      form: 'io',
      id: 'bytes',
      code: 'import os, sys\nsys.stdout.buffer.write("é".encode())\n',
      io: [{ stdin: '', stdout: 'é' }],
    },
    {
      form: 'io',
      id: 'at exit',
      code: 'import atexit\natexit.register(print, "late")\n',
      io: [{ stdin: '', stdout: 'late' }],
    },
    { form: 'io', id: 'status', code: 'print(1)\nimport sys\nsys.exit(3)', io: [{ stdin: '', stdout: '1' }] },
    { form: 'io', id: 'no input left', code: 'input()\ninput()', io: [{ stdin: '1', stdout: '' }] },
    { form: 'io', id: 'much', code: 'print("x" * 200000)', io: [{ stdin: '', stdout: 'x'.repeat(200_000) }] },
    { form: 'io', id: 'lines differ', code: 'print("a b")', io: [{ stdin: '', stdout: 'a\nb' }] },
  ]);
  expect(
    Object.fromEntries(results.map(({ id, tests }) => [id, tests.map(({ verdict }) => verdict).join(' ')])),
  ).toEqual({
    double: 'pass pass wrong',
    'whole input': 'pass',
    main: 'pass',
    bytes: 'pass',
    'at exit': 'pass',
    status: 'exited',
    'no input left': 'error',
    much: 'pass',
    'lines differ': 'wrong',
  });
});

test('calls: JSON in, JSON out, compared outside Python', async () => {
  const anyone =
    'class Any:\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\ndef f(*a): return Any()\n';
  const results = await run([
    {
      form: 'calls',
      id: 'function',
      code: 'def f(a, b): return [a, (b, None), {"k": a == b}]',
      entryPoint: 'f',
      calls: [{ args: [1, 'x'], expected: [1, ['x', null], { k: false }] }],
    },
    {
      form: 'calls',
      id: 'method',
      code: 'class Solution:\n    def g(self, xs): return sorted(xs)[-1] / 2',
      entryPoint: 'g',
      calls: [
        { args: [[3, 5]], expected: 2.5 },
        { args: [[1]], expected: 1 },
      ],
    },
    { form: 'calls', id: 'equal to all', code: anyone, entryPoint: 'f', calls: [{ args: [], expected: 1 }] },
    {
      form: 'calls',
      id: 'numbers',
      code: 'def f(n): return n',
      entryPoint: 'f',
      calls: [
        { args: [1.5], expected: 1.5 },
        { args: [true], expected: true },
        { args: [1e300], expected: 1e300 },
        { args: ['é😀'], expected: 'é😀' },
        { args: [-7], expected: -7 },
      ],
    },
    {
      form: 'calls',
      id: 'subclasses',
      code: 'from collections import Counter, OrderedDict\ndef f(): return [Counter("aab"), OrderedDict(b=1)]',
      entryPoint: 'f',
      calls: [{ args: [], expected: [{ a: 2, b: 1 }, { b: 1 }] }],
    },
    {
      form: 'calls',
      id: 'raises',
      code: 'def f(n): return 1 // n',
      entryPoint: 'f',
      calls: [
        { args: [0], expected: 1 },
        { args: [1], expected: 1 },
      ],
    },
    {
      form: 'calls',
      id: 'itself',
      code: 'def f():\n    a = []\n    a.append(a)\n    return a',
      entryPoint: 'f',
      calls: [{ args: [], expected: [[]] }],
    },
  ]);
  expect(
    Object.fromEntries(results.map(({ id, tests }) => [id, tests.map(({ verdict }) => verdict).join(' ')])),
  ).toEqual({
    function: 'pass',
    method: 'pass wrong',
    'equal to all': 'wrong',
    numbers: 'pass pass pass pass pass',
    subclasses: 'pass',
    raises: 'error pass',
    itself: 'wrong',
  });
  expect(results[1]?.tests[1]).toMatchObject({ expected: '1', got: '0.5' });
});

test('a live run stops at the failing assert and shows every frame’s variables and the output', async () => {
  const result = await judge.page.evaluate((suite) => window.oracle.inspect(suite), {
    form: 'asserts',
    id: 'live',
    code: 'def g(a):\n    b = a * 2\n    print("b is", b)\n    assert b < 4\n    return b\ndef f(n):\n    return g(n)\n',
    tests: ['assert f(1) == 2', 'assert f(3) == 6', 'assert f(4) == 8'],
  } satisfies Suite);
  expect(result.tests.map(({ verdict }) => verdict)).toEqual(['pass', 'wrong', 'wrong']);
  expect(result.output).toBe('b is 2\nb is 6\n');
  expect(result.tests[1]?.frames).toEqual([
    { where: 'test', line: 1, name: '<module>', variables: [] },
    { where: 'candidate', line: 7, name: 'f', variables: [{ name: 'n', value: '3' }] },
    {
      where: 'candidate',
      line: 4,
      name: 'g',
      variables: [
        { name: 'a', value: '3' },
        { name: 'b', value: '6' },
      ],
    },
  ]);
});

test('words of a failure cannot change it, nor hold it up', async () => {
  const results = await run(
    [
      {
        form: 'asserts',
        id: 'endless repr',
        code: 'class A:\n    def __repr__(self):\n        while True: pass\ndef f(n): return A()',
        tests: ['assert f(1) == 2', 'assert True'],
      },
      {
        form: 'asserts',
        id: 'exiting repr',
        code: 'import os\nclass A:\n    def __repr__(self): os._exit(0)\ndef f(n): return A()',
        tests: ['assert f(1) == 2', 'assert True'],
      },
      {
        form: 'asserts',
        id: 'endless text',
        code: 'class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(n): raise E',
        tests: ['assert f(1) == 2'],
      },
      { form: 'asserts', id: 'huge repr', code: 'def f(n): return "x" * 10**7', tests: ['assert f(1) == 2'] },
    ],
    { timeoutMs: 10_000 },
  );
  expect(results.map(({ id, tests }) => [id, tests.map(({ verdict }) => verdict).join(' ')])).toEqual([
    ['endless repr', 'wrong pass'],
    ['exiting repr', 'wrong pass'],
    ['endless text', 'error'],
    ['huge repr', 'wrong'],
  ]);
  expect(results[3]?.tests[0]?.got?.length).toBeLessThanOrEqual(2_100);
});

test('a page without isolation headers judges as well', async () => {
  const plain = await openJudgePage({ isolated: false });
  try {
    expect(await plain.page.evaluate(() => window.crossOriginIsolated)).toBe(false);
    const ready = await plain.page.evaluate(() => window.oracle.open({ workers: 1 }));
    expect(ready.timeFactor).toBeGreaterThanOrEqual(3);
    const { results } = await plain.page.evaluate(
      (suite) => window.oracle.run([suite]),
      controlSuite('plain'),
    );
    expect(results[0]?.verdict).toBe('pass');
  } finally {
    await plain.close();
  }
});

test('cancelling ends what runs, at once, and the judge goes on', async () => {
  const loop: Suite = { form: 'asserts', id: 'loop', code: 'while True: pass', tests: ['assert True'] };
  const tookMs = await judge.page.evaluate(
    async ([suite, control]) => {
      const running = window.oracle.run([suite, suite, suite], { abortName: 'x', timeoutMs: 60_000 }).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      const started = performance.now();
      window.oracle.abort('x');
      const end = await running;
      await window.oracle.run([control]);
      return end === 'aborted' ? performance.now() - started : -1;
    },
    [loop, controlSuite('after')] as const,
  );
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(2_000);
});

test('stopping at the first failure, order of results, and a suite without tests', async () => {
  const [result] = await run(
    [{ form: 'asserts', id: 'a', code: '', tests: ['assert False', 'assert True'] }],
    { failFast: true },
  );
  expect(result?.tests.map(({ verdict }) => verdict)).toEqual(['wrong', 'wrong']);
  const many = await run(Array.from({ length: 50 }, (_, i) => controlSuite(`${i}`)));
  expect(many.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`));
  await expect(run([{ form: 'asserts', id: 'none', code: '', tests: [] }])).rejects.toThrow(
    /"none" has no tests/u,
  );
});

test('exec-mini: outcomes equal its execution cache, test by test', async () => {
  const folder = path.resolve(import.meta.dirname, '../../../public/benchmarks/exec-mini/data');
  const rows = <Row>(name: string): Row[] =>
    readFileSync(path.join(folder, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const codes = new Map(
    rows<{ corpus_id: string; code: string }>('corpus').map(({ code }) => [sha256(code), code]),
  );
  const suites = new Map(
    rows<{ test_suite: string[] }>('queries').map(({ test_suite }) => [
      sha256(test_suite.join('\n')),
      test_suite,
    ]),
  );
  const recorded = rows('execution_cache').flatMap((row): RecordedSuite[] => {
    const known = cachedOutcomesOf(parse(cacheRowSchema, row));
    const code = codes.get(known?.codeDigest ?? '');
    const tests = suites.get(known?.suiteDigest ?? '');
    if (known === undefined || code === undefined || tests === undefined) return [];
    return [{ suite: { form: 'asserts', id: known.codeDigest, code, tests }, outcomes: known.outcomes }];
  });
  expect(recorded.length).toBeGreaterThan(200);
  const check = await crossCheckRecorded(
    { judge: (list, options) => run([...list], { details: options?.details ?? true }) },
    recorded,
    1_000,
  );
  expect(check).toEqual({ checked: recorded.length, agreeing: recorded.length, differences: [] });
});

test('memory stays where it is over many suites', { timeout: 120_000 }, async () => {
  const count = process.env['ASSAY_LONG'] === '1' ? 5_000 : 500;
  const suites = Array.from({ length: count }, (_, i): Suite => ({
    form: 'asserts',
    id: `${i}`,
    code: `keep = [bytes(1000) for _ in range(${1000 + (i % 7) * 100})]\ndef f(n): return n + ${i}`,
    tests: [`assert f(1) == ${i + 1}`],
  }));
  const session = await judge.context.newCDPSession(judge.page);
  const used = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return judge.page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    );
  };
  await run(suites.slice(0, 100));
  const before = await used();
  const results = await run(suites);
  expect(results.every(({ verdict }) => verdict === 'pass')).toBe(true);
  expect((await used()) - before).toBeLessThan(5_000_000);
  expect(judge.page.workers().length).toBeLessThanOrEqual(4);
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
