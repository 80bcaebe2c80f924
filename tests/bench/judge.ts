import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../cli/project-root.ts';
import type { Suite } from '../../src/contracts/judge.ts';
import { differenceFromCPython, loadHostile, loadHumanEval, controlSuite } from '../judge/golden-suites.ts';
import { openJudgePage, type JudgePage } from '../judge/judge-page.ts';
import { median, type Bench } from './bench.ts';

const ROUNDS = 8;

/** What the peer runs: one fresh, lean interpreter a suite; the suite arrives on standard input, the status is the verdict. */
const FRESH_CPYTHON = `
import sys, os
parts = sys.stdin.buffer.read().split(b"\\0")
space = {"__name__": "candidate"}
try:
    if parts[0] == b"check":
        exec(compile(parts[1], "<candidate>", "exec"), space)
        exec(compile(parts[2], "<test>", "exec"), space)
        eval("check(" + parts[3].decode() + ")", space)
    else:
        code = compile(parts[1], "<candidate>", "exec")
        for test in parts[2:]:
            space = {"__name__": "candidate"}
            exec(code, space)
            exec(compile(test, "<test>", "exec"), space)
    status = 0
except BaseException:
    status = 1
os._exit(status)
`;

/** The oracle beside a fresh CPython a suite: agreement, suites per second, starts, the cost of a timeout, memory. */
export const judge: Bench = {
  name: 'judge',
  about:
    'verdicts beside CPython: agreement, suites per second beside one fresh interpreter a suite, starts, memory',
  async *run({ python, quick }) {
    const page = await openJudgePage();
    try {
      const humanEval = loadHumanEval();
      const all = execMiniPairs();
      const timed: readonly Suite[] = (humanEval ?? [])
        .filter(({ outcome, cpythonMs }) => outcome !== 'timeout' && cpythonMs < 1_000)
        .map(({ suite }) => suite);
      const suites = timed.length > 0 ? timed : all.slice(0, 350);
      const source = timed.length > 0 ? 'HumanEval golden items' : 'exec-mini pairs';
      const peer = findPython(python);

      yield await starts(page, quick ? 3 : 8);
      yield* throughput(page, suites, source, peer, quick ? 2 : ROUNDS);
      yield await fullRun(page, all, quick ? 1_000 : 9_390);
      yield await timeoutCost(page);
      yield await memory(page, quick ? 500 : 5_000);
      yield* agreement(page, quick);
    } finally {
      await page.close();
    }
  },
};

type Line = Readonly<Record<string, string | number | boolean | null>>;

async function open(
  page: JudgePage,
  workers: number,
): Promise<{ bootMs: number; wallMs: number; timeFactor: number }> {
  return page.page.evaluate((count) => window.oracle.open({ workers: count }), workers);
}

async function wallMs(page: JudgePage, suites: readonly Suite[]): Promise<number> {
  return page.page.evaluate(async (list) => (await window.oracle.run(list, {})).wallMs, suites);
}

async function starts(page: JudgePage, rounds: number): Promise<Line> {
  const walls: number[] = [];
  const boots: number[] = [];
  let timeFactor = 0;
  for (let round = 0; round < rounds; round++) {
    const ready = await open(page, 1);
    walls.push(ready.wallMs);
    boots.push(ready.bootMs);
    ({ timeFactor } = ready);
  }
  return {
    bench: 'judge',
    what: 'warm start: files from the browser’s cache, unpacked, checked, compiled, booted and calibrated',
    rounds,
    oursMs: Math.round(median(walls)),
    firstMs: Math.round(walls[0] as number),
    bootOfOneInterpreterMs: Math.round(median(boots)),
    limitMs: 1_000,
    timeFactor,
  };
}

async function* throughput(
  page: JudgePage,
  suites: readonly Suite[],
  source: string,
  python: string | undefined,
  rounds: number,
): AsyncIterable<Line> {
  for (const workers of [1, 2]) {
    await open(page, workers);
    await wallMs(page, suites); // The engine compiles what is hot.
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push((1_000 * suites.length) / (await wallMs(page, suites)));
      if (python !== undefined)
        theirs.push((1_000 * suites.length) / (await freshCPython(python, suites, workers)));
    }
    const ratios = theirs.map((rate, i) => (ours[i] as number) / rate);
    yield {
      bench: 'judge',
      what: `suites per second, ${workers} at a time`,
      source,
      suites: suites.length,
      rounds,
      ours: rounded(median(ours)),
      oursRange: range(ours),
      peer: python === undefined ? 'no Python found: give --python' : 'one fresh python3 -I a suite',
      peerRate: theirs.length === 0 ? null : rounded(median(theirs)),
      peerRange: theirs.length === 0 ? null : range(theirs),
      ratio: ratios.length === 0 ? null : rounded(median(ratios)),
      ratioRange: ratios.length === 0 ? null : range(ratios),
    };
  }
}

/** As a full run needs them: for every query ten snippets, its own and others. */
async function fullRun(page: JudgePage, pairs: readonly Suite[], count: number): Promise<Line> {
  const cores = availableParallelism();
  const workers = Math.max(1, Math.min(2, cores));
  await open(page, workers);
  const suites = Array.from({ length: count }, (_, i) => ({
    ...(pairs[i % pairs.length] as Suite),
    id: String(i),
  }));
  const ms = await wallMs(page, suites);
  return {
    bench: 'judge',
    what: 'query-snippet pairs of a full run, suites of 7 to 10 asserts',
    pairs: count,
    workers,
    cores,
    seconds: rounded(ms / 1_000),
    pairsPerSecond: rounded((1_000 * count) / ms),
    limitSeconds: 120,
  };
}

async function timeoutCost(page: JudgePage): Promise<Line> {
  await open(page, 1);
  const loop: Suite = { form: 'asserts', id: 'loop', code: 'while True: pass', tests: ['assert True'] };
  const over: number[] = [];
  for (let i = 0; i < 5; i++) {
    const [limitMs, tookMs] = await page.page.evaluate(async (suite) => {
      const { results, wallMs } = await window.oracle.run([suite], { timeoutMs: 100 });
      const limit = Number(/over (\d+) ms/u.exec(results[0]?.tests[0]?.message ?? '')?.[1]);
      return [limit + 3 * 100, wallMs] as const;
    }, loop);
    // Three times the limit, then alone as long as the measured factor gives.
    over.push((tookMs - limitMs) / 2);
  }
  return {
    bench: 'judge',
    what: 'cost of a timeout beyond its limit, each of its two runs',
    oursMs: Math.round(median(over)),
    limitMs: 300,
  };
}

async function memory(page: JudgePage, count: number): Promise<Line> {
  await open(page, 1);
  const session = await page.context.newCDPSession(page.page);
  const used = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return page.page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    );
  };
  const suites = Array.from({ length: count }, (_, i) => controlSuite(String(i)));
  await wallMs(page, suites.slice(0, 200));
  const before = await used();
  const ms = await wallMs(page, suites);
  return {
    bench: 'judge',
    what: 'growth of the page’s memory over suites in one session',
    suites: count,
    growthBytes: (await used()) - before,
    suitesPerSecond: rounded((1_000 * count) / ms),
    workersAlive: page.page.workers().length,
  };
}

async function* agreement(page: JudgePage, quick: boolean): AsyncIterable<Line> {
  await open(page, availableParallelism());
  const cases = loadHumanEval();
  if (cases === undefined)
    yield { bench: 'judge', what: 'agreement with CPython on HumanEval', note: 'the data set is not there' };
  else {
    const chosen = quick ? cases.filter(({ cpythonMs }) => cpythonMs < 1_000) : cases;
    const { results } = await page.page.evaluate(
      (list) => window.oracle.run(list, { timeoutMs: 5_000 }),
      chosen.map(({ suite }): Suite => suite),
    );
    const differences = results.flatMap(
      (result, i) => differenceFromCPython(result, chosen[i] as (typeof chosen)[number]) ?? [],
    );
    yield {
      bench: 'judge',
      what: 'agreement with CPython 3.11 on HumanEval, outcome and line',
      items: chosen.length,
      differing: differences.length,
      differences: differences.slice(0, 5).join('; '),
    };
  }
  const hostile = loadHostile();
  const { results } = await page.page.evaluate(
    (list) => window.oracle.run(list, { timeoutMs: 500 }),
    hostile.flatMap(({ suite }): Suite[] => [suite, controlSuite(`control ${suite.id}`)]),
  );
  const bad = hostile.filter(
    ({ suite, acceptable }) =>
      !acceptable.includes(results.find(({ id }) => id === suite.id)?.verdict as never),
  );
  const harmed = results.filter(({ id, verdict }) => id.startsWith('control ') && verdict !== 'pass');
  yield {
    bench: 'judge',
    what: 'hostile candidates',
    items: hostile.length,
    unacceptable: bad.length,
    controlsHarmed: harmed.length,
    requestsSeen: page.requests.length,
  };
}

/** Milliseconds for all suites, `processes` at a time. */
async function freshCPython(python: string, suites: readonly Suite[], processes: number): Promise<number> {
  const started = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const suite = suites[next++];
      if (suite === undefined) return;
      await new Promise<void>((resolve, reject) => {
        const child = spawn(python, ['-I', '-c', FRESH_CPYTHON], { stdio: ['pipe', 'ignore', 'ignore'] });
        child.on('error', reject);
        child.on('close', () => resolve());
        child.stdin.end(
          suite.form === 'check'
            ? ['check', suite.code, suite.test, suite.entryPoint].join('\0')
            : ['asserts', suite.code, ...(suite.form === 'asserts' ? suite.tests : [])].join('\0'),
        );
      });
    }
  };
  await Promise.all(Array.from({ length: processes }, lane));
  return performance.now() - started;
}

/** The real interpreter, not a version manager's shim (which costs as much again). */
function findPython(wanted: string | undefined): string | undefined {
  for (const name of [wanted, 'python3'].filter((each) => each !== undefined)) {
    const { status, stdout } = spawnSync(name, ['-I', '-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    });
    if (status === 0 && existsSync(stdout.trim())) return stdout.trim();
  }
  return undefined;
}

/** Ten snippets for each query of exec-mini: its own, then those that follow in the corpus. */
function execMiniPairs(): Suite[] {
  const folder = path.join(projectRoot, 'public', 'benchmarks', 'exec-mini', 'data');
  const rows = <Row>(name: string): Row[] =>
    readFileSync(path.join(folder, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const corpus = rows<{ corpus_id: string; code: string }>('corpus');
  const place = new Map(corpus.map(({ corpus_id }, i) => [corpus_id, i]));
  interface Query {
    query_id: string;
    test_suite: string[];
    correct_corpus_ids: string[];
    paired_distractor_corpus_ids: string[];
  }
  return rows<Query>('queries').flatMap((query) => {
    const own = [...query.correct_corpus_ids, ...query.paired_distractor_corpus_ids].map(
      (id) => place.get(id) ?? 0,
    );
    const first = own[0] ?? 0;
    const others = Array.from({ length: 10 - own.length }, (_, i) => (first + 1 + i * 7) % corpus.length);
    return [...own, ...others].map((i): Suite => ({
      form: 'asserts',
      id: `${query.query_id} ${corpus[i]?.corpus_id}`,
      code: corpus[i]?.code ?? '',
      tests: query.test_suite,
    }));
  });
}

function range(values: readonly number[]): string {
  return `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}`;
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
