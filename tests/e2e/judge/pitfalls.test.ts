/** Faults that people reported of Python in the browser, as tests: timeouts, exits, leaks, word size, zones, floods. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Suite, SuiteResult } from '../../../src/contracts/judge.ts';
import { controlSuite } from '../../judge/golden-suites.ts';
import { openJudgePage, type JudgePage } from '../../judge/judge-page.ts';

let judge: JudgePage;
const LIMIT_MS = 150;

beforeAll(async () => {
  judge = await openJudgePage({ timeZone: 'America/New_York' });
  await judge.page.evaluate(() => window.oracle.open({ workers: 2 }));
});
afterAll(() => judge.close());

function asserts(id: string, code: string, ...tests: string[]): Suite {
  return { form: 'asserts', id, code, tests: tests.length === 0 ? ['assert f(1) == 2'] : tests };
}

async function run(suites: Suite[], timeoutMs = LIMIT_MS): Promise<SuiteResult[]> {
  const { results } = await judge.page.evaluate(
    ([list, limit]) => window.oracle.run(list, { timeoutMs: limit }),
    [suites, timeoutMs] as const,
  );
  return results;
}

test('every kind of block ends as a timeout, with the page alive and the next suite unharmed', async () => {
  const blocks = [
    'while True: pass',
    'import re; re.match("(a+)+$", "a" * 60 + "b")',
    'len(bin(7 ** (10 ** 8)))',
    'sum(iter(int, 1))',
    'list(iter(int, 1))',
    'import time; time.sleep(8)',
    'exec("while True:\\n    try:\\n        while True: pass\\n    except BaseException:\\n        pass")',
  ];
  const suites = blocks.flatMap((block, i) => [asserts(`block ${i}`, block), controlSuite(`control ${i}`)]);
  const ticks = judge.page.evaluate(async () => {
    let worstMs = 0;
    for (let i = 0, last = performance.now(); i < 30; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      worstMs = Math.max(worstMs, performance.now() - last);
      last = performance.now();
    }
    return worstMs;
  });
  const results = await run(suites);
  expect(await ticks).toBeLessThan(1_000);
  for (const { id, verdict, tests } of results) {
    if (id.startsWith('control')) expect([id, verdict]).toEqual([id, 'pass']);
    // A list of endless zeros may meet the cap on memory before the clock.
    else if (id === 'block 4') expect(['timeout', 'memory']).toContain(verdict);
    else
      expect([id, verdict, tests[0]?.message]).toEqual([
        id,
        'timeout',
        expect.stringMatching(/^over \d+ ms$/u),
      ]);
  }
}, 90_000);

test('deep recursion is an error, and the interpreter goes on', async () => {
  const codes = {
    plain: 'def f(n): return f(n + 1)',
    caught:
      'def g(n): return g(n + 1)\ndef f(n):\n    try:\n        return g(n)\n    except RecursionError:\n        return 2',
    partial:
      'from functools import partial\nl = []\np = partial(repr, l)\nl.append(l)\ndef f(n):\n    p = partial(int)\n    for _ in range(200000):\n        p = partial(lambda q: q(), p)\n    return p()',
    'nested list': 'def f(n):\n    a = []\n    for _ in range(100000):\n        a = [a]\n    return repr(a)',
    sorted:
      'class A:\n    def __lt__(self, other): return sorted([A(), A()]) is None\ndef f(n): return sorted([A(), A()])',
    'limit lifted': 'import sys\nsys.setrecursionlimit(10 ** 6)\ndef f(n): return f(n + 1)',
    'deep json': 'import json\ndef f(n): return json.loads("[" * 200000)',
  };
  const suites = Object.entries(codes).flatMap(([id, code]) => [
    asserts(id, code),
    controlSuite(`control ${id}`),
  ]);
  const results = await run(suites, 2_000);
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  for (const id of Object.keys(codes)) expect(verdicts[`control ${id}`]).toBe('pass');
  expect(verdicts['plain']).toBe('error');
  expect(verdicts['caught']).toBe('pass');
  for (const id of ['partial', 'nested list', 'sorted', 'limit lifted', 'deep json'])
    expect(['error', 'memory', 'crashed'], id).toContain(verdicts[id]);
}, 60_000);

test('no way of leaving is a pass, and all of a batch is reported', async () => {
  const bodies = {
    'sys.exit': 'import sys; sys.exit(0)',
    exit: 'exit()',
    'os._exit': 'import os; os._exit(0)',
    'os.abort': 'import os; os.abort()',
    interrupt: 'raise KeyboardInterrupt',
    'generator exit': 'raise GeneratorExit',
  };
  const results = await run(
    Object.entries(bodies).map(([id, body]) =>
      asserts(id, `def f(n):\n    ${body}\n`, 'assert f(1) == 2', 'assert True'),
    ),
  );
  expect(results.map(({ id, verdict, tests }) => [id, verdict, tests.length])).toEqual([
    ['sys.exit', 'exited', 2],
    ['exit', 'exited', 2],
    ['os._exit', 'exited', 2],
    ['os.abort', 'crashed', 2],
    ['interrupt', 'error', 2],
    ['generator exit', 'error', 2],
  ]);
  for (const { tests } of results) expect(tests[1]?.verdict).toBe('pass');
});

test('what a browser lacks is named, and is not called wrong', async () => {
  const results = await run(
    [
      asserts(
        'thread',
        'import threading\ndef f(n):\n    t = threading.Thread(target=print)\n    t.start()\n    return 2',
      ),
      asserts(
        'pool',
        'from concurrent.futures import ThreadPoolExecutor\ndef f(n):\n    with ThreadPoolExecutor() as p:\n        return p.submit(lambda: 2).result()',
      ),
      asserts('subprocess', 'import subprocess\ndef f(n): return subprocess.check_output(["echo"])'),
      asserts('fork', 'import os\ndef f(n): return os.fork()'),
      asserts('alarm', 'import signal\ndef f(n):\n    signal.alarm(1)\n    return n + 1'),
      asserts('numpy', 'import numpy as np\ndef f(n): return n + 1'),
      asserts('resource', 'import resource\ndef f(n): return n + 1'),
      asserts('input', 'def f(n): return input()'),
      asserts(
        'asyncio',
        'import asyncio\nasync def g(n):\n    await asyncio.sleep(0.01)\n    a, b = await asyncio.gather(asyncio.sleep(0, n), asyncio.sleep(0, 1))\n    return a + b\ndef f(n): return asyncio.run(g(n))',
      ),
      asserts(
        'pickle',
        'import pickle\nclass A:\n    def __init__(self, n): self.n = n\ndef f(n): return pickle.loads(pickle.dumps(A(n))).n + 1',
      ),
      asserts(
        'dataclass',
        'from dataclasses import dataclass\n@dataclass\nclass A:\n    n: "int"\ndef f(n): return A(n).n + 1',
      ),
      asserts('unknown module', 'import no_such_module\n'),
    ],
    2_000,
  );
  expect(Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))).toEqual({
    thread: 'unsupported',
    pool: 'unsupported',
    subprocess: 'unsupported',
    fork: 'unsupported',
    alarm: 'unsupported',
    numpy: 'unsupported',
    resource: 'unsupported',
    input: 'error',
    asyncio: 'pass',
    pickle: 'pass',
    dataclass: 'pass',
    'unknown module': 'error',
  });
  expect(results[0]?.tests[0]?.message).toMatch(/thread/u);
  expect(results[2]?.tests[0]?.message).toMatch(/process/u);
  expect(results[5]?.tests[0]?.message).toMatch(/numpy/u);
  expect(results[7]?.tests[0]?.errorType).toBe('EOFError');
});

test('sizes of 32 bits are labelled, never wrong', async () => {
  const results = await run([
    asserts('maxsize', 'import sys\ndef f(n): return sys.maxsize', 'assert f(1) == 9223372036854775807'),
    asserts('long range', 'def f(n): return len(range(3 * 10 ** 9))', 'assert f(1) == 3 * 10 ** 9'),
    asserts(
      'islice',
      'import itertools\ndef f(n): return list(itertools.islice([1, 2], 0, 2 ** 40))',
      'assert f(1) == [1, 2]',
    ),
    asserts(
      'deque',
      'from collections import deque\ndef f(n): return deque([1], maxlen=2 ** 40)',
      'assert list(f(1)) == [1]',
    ),
    asserts('hash', 'def f(n): return hash(2 ** 40)', 'assert f(1) == 2 ** 40'),
    asserts('order', 'def f(n): return list({2 ** 33, 3})', 'assert f(1) == [8589934592, 3]'),
    asserts('object size', 'import sys\ndef f(n): return sys.getsizeof([])', 'assert f(1) == 56'),
    asserts('really wrong', 'import sys\ndef f(n): return min(sys.maxsize, n)', 'assert f(1) == 2'),
  ]);
  expect(
    Object.fromEntries(results.map(({ id, verdict, remarks }) => [id, [verdict, remarks?.[0]]])),
  ).toEqual({
    maxsize: ['platform-sensitive', '32-bit platform'],
    'long range': ['platform-sensitive', '32-bit platform'],
    islice: ['platform-sensitive', '32-bit platform'],
    deque: ['platform-sensitive', '32-bit platform'],
    hash: ['platform-sensitive', '32-bit platform'],
    order: ['platform-sensitive', '32-bit platform'],
    'object size': ['platform-sensitive', '32-bit platform'],
    'really wrong': ['wrong', undefined],
  });
});

test('time is UTC whatever the browser’s zone, and the zones of the world are there', async () => {
  const results = await run([
    asserts(
      'epoch',
      'from datetime import datetime\n',
      'assert str(datetime.fromtimestamp(0)) == "1970-01-01 00:00:00"',
    ),
    asserts(
      'names',
      'import time\n',
      'assert time.tzname == ("UTC", "UTC") and time.timezone == 0 and time.daylight == 0',
    ),
    asserts('make', 'import time\n', 'assert time.mktime((1970, 1, 2, 0, 0, 0, 0, 0, 0)) == 86400.0'),
    asserts(
      'local',
      'import time\n',
      'assert time.localtime(0).tm_hour == 0 and time.strftime("%Z", time.localtime(0)) == "UTC"',
    ),
    asserts(
      'zone',
      'from zoneinfo import ZoneInfo\nfrom datetime import datetime\n',
      'assert datetime(2024, 7, 1, tzinfo=ZoneInfo("America/New_York")).utcoffset().total_seconds() == -14400',
    ),
    asserts('utc', 'from zoneinfo import ZoneInfo\n', 'assert str(ZoneInfo("UTC")) == "UTC"'),
    asserts('all zones', 'import zoneinfo\n', 'assert len(zoneinfo.available_timezones()) > 500'),
    asserts(
      'no zone',
      'import zoneinfo\ndef f(n):\n    try:\n        zoneinfo.ZoneInfo("Mars/Olympus")\n    except zoneinfo.ZoneInfoNotFoundError:\n        return 2\n',
    ),
    asserts(
      'locale',
      'import locale\ndef f(n):\n    try:\n        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")\n    except locale.Error:\n        return 2\n',
    ),
  ]);
  expect(results.filter(({ verdict }) => verdict !== 'pass').map(({ id, tests }) => [id, tests[0]])).toEqual(
    [],
  );
});

test('floods of output, memory and files are bounded', async () => {
  const [endless] = await run([asserts('endless print', 'while True: print("x" * 1000)')]);
  expect(endless?.verdict).toBe('timeout');
  // CPython 3.14 loses the MemoryError of a text that grows in place; a slow machine may meet the clock first.
  const [growing] = await run([
    asserts('growing text', 'def f(n):\n    text = ""\n    while True: text += "CM"'),
  ]);
  expect(['memory', 'timeout']).toContain(growing?.verdict);
  const results = await run(
    [
      asserts('much output', 'def f(n):\n    for _ in range(100): print("x" * 10 ** 6)\n    return n + 1'),
      asserts('arrays', 'def f(n):\n    keep = []\n    while True: keep.append(bytearray(64 * 2 ** 20))'),
      controlSuite('control'),
      asserts(
        'caught',
        'def f(n):\n    try:\n        keep = []\n        while True: keep.append(bytearray(64 * 2 ** 20))\n    except MemoryError:\n        return 2',
      ),
      asserts('one big text', 'def f(n): return len("x" * (2 ** 31 - 100))'),
      asserts(
        'files',
        'def f(n):\n    try:\n        with open("big", "wb") as file:\n            while True: file.write(bytes(2 ** 20))\n    except OSError:\n        return 2',
      ),
      controlSuite('last control'),
    ],
    2_000,
  );
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['much output', 'pass'],
    ['arrays', 'memory'],
    ['control', 'pass'],
    ['caught', 'pass'],
    ['one big text', 'memory'],
    ['files', 'pass'],
    ['last control', 'pass'],
  ]);
}, 60_000);

test('hash order is fixed: the same on every worker and every time', async () => {
  const results = await run(
    Array.from({ length: 30 }, (_, i) =>
      asserts(`${i}`, 'def f(n): return hash("abc")', 'assert f(1) == -1600925533'),
    ),
  );
  expect(results.every(({ verdict }) => verdict === 'pass')).toBe(true);
});

test('odd sources: each gets the verdict that CPython gives it, none stops the batch', async () => {
  const big = `x = """${'ten megabytes\n'.repeat(720_000)}"""\ndef f(n): return n + 1\n`;
  expect(big.length).toBeGreaterThan(9_000_000);
  const results = await run(
    [
      asserts('no syntax', 'def f(n)\n    return n\n'),
      asserts('null byte', 'def f(n):\n    return n + 1 # \0\n'),
      asserts('byte order mark', '\ufeffdef f(n):\n    return n + 1\n'),
      asserts(
        'windows lines',
        "def f(n):\r\n    s = '''a\r\nb'''\r\n    return len(s)\r\n",
        'assert f(1) == 3',
      ),
      asserts('mixed tabs', 'def f(n):\n\tif n:\n        return 2\n'),
      asserts('lone surrogate', 'def f(n): return "\ud83d"\n'),
      asserts('astral', 'def f(n): return len("😀") + n\n'),
      asserts('test raises', 'def f(n): return n + 1\n', 'assert f(1) == 1 / 0'),
      asserts('test does not parse', 'def f(n): return n + 1\n', 'assert f(1 == 2'),
      {
        form: 'check',
        id: 'no entry point',
        code: 'x = 1\n',
        test: 'def check(c):\n    assert c(1)\n',
        entryPoint: 'f',
      },
      {
        form: 'calls',
        id: 'no function',
        code: 'x = 1\n',
        entryPoint: 'f',
        calls: [{ args: [1], expected: 2 }],
      },
      asserts('empty', '', 'assert True'),
      asserts('ten megabytes of text', big),
      // More objects than the cap on memory has room for while compiling, in CPython under the same cap too.
      asserts('ten megabytes of statements', 'x = 1\n'.repeat(1_600_000)),
      controlSuite('control'),
    ],
    6_000,
  );
  expect(results.map(({ id, verdict, tests }) => [id, verdict, tests[0]?.errorType])).toEqual([
    ['no syntax', 'error', 'SyntaxError'],
    ['null byte', 'error', 'ValueError'],
    ['byte order mark', 'error', 'SyntaxError'],
    ['windows lines', 'pass', undefined],
    ['mixed tabs', 'error', 'TabError'],
    ['lone surrogate', 'error', 'UnicodeEncodeError'],
    ['astral', 'pass', undefined],
    ['test raises', 'error', 'ZeroDivisionError'],
    ['test does not parse', 'error', 'SyntaxError'],
    ['no entry point', 'error', 'NameError'],
    ['no function', 'error', 'NameError'],
    ['empty', 'pass', undefined],
    ['ten megabytes of text', 'pass', undefined],
    ['ten megabytes of statements', 'memory', 'MemoryError'],
    ['control', 'pass', undefined],
  ]);
}, 120_000);
