import { beforeAll, describe, expect, it } from 'vitest';
import type { AssertSuite, SuiteResult } from '../../../src/contracts/judge.ts';
import { buildExecBenchmark, type ExecBuildSettings } from '../../../src/construct/exec/build.ts';
import { EVEN_SHARES, stackMutations } from '../../../src/construct/exec/choose-mutations.ts';
import { IMPORTED_LIMITS, PAPER_LIMITS } from '../../../src/construct/exec/gates.ts';
import { execRetrievalFiles } from '../../../src/construct/exec/layout.ts';
import { mutationSites } from '../../../src/construct/exec/mutation-sites.ts';
import { readTasks } from '../../../src/construct/exec/read-tasks.ts';
import type { ConstructionTask } from '../../../src/construct/exec/task.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import type { SyntaxParsers } from '../../../src/construct/syntax/syntax-parsers.ts';
import { openParsers } from '../parsers.ts';

let parsers: SyntaxParsers;
beforeAll(async () => {
  parsers = await openParsers();
});

const SETTINGS: ExecBuildSettings = {
  distractors: 4,
  fewest: 3,
  wanted: EVEN_SHARES,
  seed: 7,
  mostCrashing: 0.05,
  mostMutants: 100,
  timeoutMs: 5_000,
  mutantTimeoutMs: 500,
  limits: IMPORTED_LIMITS,
};

/** Stands in for the sandbox, which only a browser has: says of each code what the rule says. */
function judgeBy(rule: (code: string, id: string) => Verdict) {
  return (suites: readonly AssertSuite[]): Promise<SuiteResult[]> =>
    Promise.resolve(
      suites.map(({ id, code, tests }) => ({
        id,
        verdict: rule(code, id),
        tests: tests.map(() => ({
          verdict: rule(code, id),
          message: rule(code, id) === 'pass' ? '' : 'KeyError: 1',
        })),
        ms: 1,
      })),
    );
}

const task = (entryId: string, name: string, code: string): ConstructionTask => ({
  entryId,
  name,
  query: `what ${entryId} is for`,
  domain: 'other',
  code,
  tests: [`assert ${name}(1) == 2`],
});
const CLAMP = 'def clamp(x, low, high):\n    if x < low:\n        return low\n    return min(x, high) + 0\n';

describe('building', () => {
  it('keeps what fails by output, drops what passes, and never lets a passing mutant through', async () => {
    const canonical = task('a/1', 'clamp', CLAMP);
    const build = await buildExecBenchmark(
      [canonical],
      parsers,
      judgeBy((code) => (code === CLAMP || code.includes('<=') || code.includes('- 0') ? 'pass' : 'wrong')),
      SETTINGS,
    );
    const [built] = build.built;
    expect(built?.distractors).toHaveLength(4);
    expect(built?.distractors.every(({ code }) => !code.includes('<=') && !code.includes('- 0'))).toBe(true);
    expect(build.sweeps).toMatchObject({
      distractorsThatPass: 0,
      nameCollisions: 0,
      normalisedDuplicates: 0,
    });
    expect(build.numbers.byType.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    // Different types come before a second site of one type.
    const types = new Set(built?.distractors.map(({ edits }) => edits[0]?.bugType));
    expect(types.size).toBe(4);
  });

  it('turns away canonicals that fail, code that does not parse, and doubles, each with its gate', async () => {
    const build = await buildExecBenchmark(
      [
        task('a/1', 'clamp', CLAMP),
        task('a/2', 'broken', 'def broken(:\n'),
        task('a/3', 'other', 'def missing(x):\n    return x + 1\n'),
        task('a/4', 'late', 'def late(x):\n    return x - 1\n'),
      ],
      parsers,
      judgeBy((code) => (code === CLAMP ? 'pass' : 'wrong')),
      SETTINGS,
    );
    expect(build.dropped.map(({ entryId, gate }) => `${entryId} ${gate}`)).toEqual([
      'a/2 syntax-tree',
      'a/3 syntax-tree',
      'a/4 canonical-execution',
    ]);
    expect(build.numbers).toMatchObject({ tasksRead: 4, tasksBuilt: 1 });
  });

  it('lets crashes in only to reach three and within their share', async () => {
    const build = await buildExecBenchmark(
      [task('a/1', 'clamp', CLAMP)],
      parsers,
      judgeBy((code) => (code === CLAMP ? 'pass' : 'error')),
      { ...SETTINGS, mostCrashing: 1 },
    );
    expect(build.built[0]?.distractors).toHaveLength(3);
    expect(build.numbers.crashing).toBe(3);
    const strict = buildExecBenchmark(
      [task('a/1', 'clamp', CLAMP)],
      parsers,
      judgeBy((code) => (code === CLAMP ? 'pass' : 'error')),
      SETTINGS,
    );
    expect((await strict).built).toEqual([]);
  });

  it('separates names: a second function under test and helpers get names of their own, tests too', async () => {
    const helper = 'def help(x):\n    return x + 1\n';
    const first = task('a/1', 'solve', `${helper}def solve(x):\n    return help(x) * 2\n`);
    const second = task('a/2', 'solve', `${helper}def solve(x):\n    return help(x=x) - 2\n`);
    const originals = [first.code, second.code];
    const build = await buildExecBenchmark(
      [first, second],
      parsers,
      judgeBy((code, id) => (id === 'a/1' || id === 'a/2' || originals.includes(code) ? 'pass' : 'wrong')),
      SETTINGS,
    );
    expect(build.renamed).toEqual([
      { entryId: 'a/2', from: 'solve', to: 'solve_2' },
      { entryId: 'a/2', from: 'help', to: 'help_of_solve_2' },
    ]);
    expect(build.built[1]?.task.code).toBe(
      'def help_of_solve_2(x):\n    return x + 1\ndef solve_2(x):\n    return help_of_solve_2(x=x) - 2\n',
    );
    expect(build.built[1]?.task.tests).toEqual(['assert solve_2(1) == 2']);
  });

  it('gives the same bytes again, and other bytes with another seed', async () => {
    const tasks = [
      task('a/1', 'clamp', CLAMP),
      task('a/2', 'late', 'def late(x, y):\n    return max(x - 1, y) * 3\n'),
    ];
    const codes = tasks.map(({ code }) => code);
    const run = async (seed: number) => {
      const build = await buildExecBenchmark(
        tasks,
        parsers,
        judgeBy((code) => (codes.includes(code) ? 'pass' : 'wrong')),
        { ...SETTINGS, seed },
      );
      return [...(await execRetrievalFiles(build.built, seed))];
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(7)).not.toEqual(await run(8));
  });

  it('refuses tasks that break the rules of the paper when they are asked for', async () => {
    const build = await buildExecBenchmark(
      [task('a/1', 'clamp', CLAMP)],
      parsers,
      judgeBy(() => 'pass'),
      {
        ...SETTINGS,
        limits: PAPER_LIMITS,
      },
    );
    expect(build.dropped).toEqual([
      { gate: 'schema', entryId: 'a/1', reason: '1 tests, allowed are 7 to 10' },
    ]);
  });

  it('stacks mutations on different lines only', () => {
    const code = 'def f(a, b):\n    a = a + 1 - b\n    b = b * 2\n    return a < b\n';
    const sites = parsers.withTree('python', code, (root) => mutationSites(code, root));
    const stacks = stackMutations(code, sites, [2, 3], 10);
    expect(stacks).toHaveLength(10);
    const lineOf = (offset: number): number => code.slice(0, offset).split('\n').length;
    for (const stack of stacks) {
      const lines = stack.map(({ start }) => lineOf(start));
      expect(new Set(lines).size).toBe(stack.length);
      expect([2, 3]).toContain(stack.length);
    }
    expect(stackMutations(code, sites, [4], 10)).toEqual([]);
  });
});

describe('reading tasks', () => {
  const read = (content: string, keepDocstrings = false) =>
    readTasks('tasks.jsonl', content, parsers, { keepDocstrings });

  it('takes HumanEval: the docstring is the query, check becomes asserts', () => {
    const row = {
      task_id: 'HumanEval/9',
      prompt: 'def twice(n):\n    """ Give n\n    two times.\n    >>> twice(1)\n    2\n    """\n',
      canonical_solution: '    return n * 2\n',
      test: 'METADATA = {}\n\ndef check(candidate):\n    # simple\n    assert candidate(1) == 2, "no"\n    assert True\n    assert candidate(candidate(1)) == 4\n',
      entry_point: 'twice',
    };
    const { form, tasks, docstringsRemoved } = read(JSON.stringify(row));
    expect(form).toBe('humaneval');
    expect(docstringsRemoved).toBe(1);
    expect(tasks).toEqual([
      {
        entryId: 'HumanEval/9',
        name: 'twice',
        query: 'Give n two times.',
        domain: 'other',
        code: 'def twice(n):\n    return n * 2\n',
        tests: ['assert twice(1) == 2, "no"', 'assert twice(twice(1)) == 4'],
      },
    ]);
    expect(read(JSON.stringify(row), true).tasks[0]?.code).toBe(row.prompt + row.canonical_solution);
  });

  it('leaves a check that loops in one piece', () => {
    const row = {
      task_id: 1,
      prompt: 'def f(n):\n',
      canonical_solution: '    return n\n',
      test: 'def check(g):\n    for i in range(9):\n        assert g(i) == i\n',
      entry_point: 'f',
    };
    const { tasks, unsplitTests } = read(JSON.stringify(row));
    expect(unsplitTests).toBe(1);
    expect(tasks[0]?.tests).toEqual([`${row.test}check(f)\n`]);
  });

  it('takes MBPP, as a list too, with its set-up before each assert', () => {
    const row = {
      task_id: 3,
      text: 'Write a function',
      code: 'import math\ndef helper(x):\n    return x\ndef area(r):\n    return helper(r)',
      test_list: ['assert area(ONE) == 1'],
      test_setup_code: 'ONE = 1',
    };
    expect(read(JSON.stringify([row])).tasks[0]).toMatchObject({
      entryId: 'mbpp_3',
      name: 'area',
      tests: ['ONE = 1\nassert area(ONE) == 1'],
    });
  });

  it.each([
    ['', 'tasks.jsonl is empty.'],
    ['[]', 'tasks.jsonl holds an empty list.'],
    ['{"a":1}', 'tasks.jsonl is in no known form. Its first row has: a.'],
    ['not json', 'tasks.jsonl, line 1 is not JSON'],
    ['{"entry_id":"a","name":"f","query":"q","code":"x","tests":[]}', 'tasks.jsonl, row 1: tests'],
    [
      '{"task_id":1,"code":"x = 1","text":"t","test_list":["assert f()"]}',
      'no test calls a function of "code" (x)',
    ],
  ])('refuses %j with what is wrong', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });
});
