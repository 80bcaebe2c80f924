import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { editedSpan } from '../../../src/analyses/execretrieval/edited-span.ts';
import { applyEdits, placeOf } from '../../../src/construct/exec/edit.ts';
import { mutationSites } from '../../../src/construct/exec/mutation-sites.ts';
import type { SyntaxParsers } from '../../../src/construct/syntax/syntax-parsers.ts';
import { openParsers } from '../parsers.ts';

let parsers: SyntaxParsers;
beforeAll(async () => {
  parsers = await openParsers();
});

const sitesOf = (code: string) => parsers.withTree('python', code, (root) => mutationSites(code, root));
const mutantsOf = (code: string, bugType: string): string[] =>
  sitesOf(code)
    .filter((site) => site.bugType === bugType)
    .map((site) => applyEdits(code, [site]));

describe('the six bug types, on worked sources', () => {
  it('flips boundaries and comparisons, also of two words with odd blanks', () => {
    const code = 'def f(a, b):\n    return a < b and a not   in b\n';
    expect(mutantsOf(code, 'off_by_one_boundary')).toEqual([
      'def f(a, b):\n    return a <= b and a not   in b\n',
    ]);
    expect(mutantsOf(code, 'wrong_comparison')).toContain('def f(a, b):\n    return a < b and a in b\n');
    expect(mutantsOf(code, 'wrong_comparison')).toContain(
      'def f(a, b):\n    return a > b and a not   in b\n',
    );
  });

  it('replaces operators, also in assignments', () => {
    const code = 'def f(a):\n    a += 1 ** 2\n    return a\n';
    expect(mutantsOf(code, 'wrong_operator')).toEqual([
      'def f(a):\n    a -= 1 ** 2\n    return a\n',
      'def f(a):\n    a *= 1 ** 2\n    return a\n',
      'def f(a):\n    a += 1 * 2\n    return a\n',
    ]);
  });

  it('moves integers in their own notation, range stops and slice bounds by one', () => {
    const hex = 'def f(n):\n    return n & 0x0F\n';
    expect(mutantsOf(hex, 'off_by_one')).toEqual([
      'def f(n):\n    return n & 0x10\n',
      'def f(n):\n    return n & 0x0E\n',
    ]);
    const range = 'def f(n, s):\n    return [s[:i] for i in range(n if s else i)]\n';
    expect(mutantsOf(range, 'off_by_one')).toContain(
      'def f(n, s):\n    return [s[:i] for i in range((n if s else i) + 1)]\n',
    );
    expect(mutantsOf(range, 'off_by_one')).toContain(
      'def f(n, s):\n    return [s[:i + 1] for i in range(n if s else i)]\n',
    );
  });

  it('swaps positional arguments and keeps what stands between them', () => {
    const code = 'def f(a, b):\n    return g(a,  # first\n             b, key=a)\n';
    expect(mutantsOf(code, 'swap_arguments')).toEqual([
      'def f(a, b):\n    return g(b,  # first\n             a, key=a)\n',
    ]);
  });

  it('takes guards out, with one statement or more, and halves of conditions', () => {
    const code = 'def f(a):\n    if not a:\n        return None\n    return a[0] if a else 1\n';
    expect(mutantsOf(code, 'remove_edge_case_check')).toEqual([
      'def f(a):\n    pass\n    return a[0] if a else 1\n',
      'def f(a):\n    if not a:\n        return None\n    return a[0]\n',
      'def f(a):\n    if not a:\n        return None\n    return 1\n',
    ]);
    const both = 'def f(a, b):\n    return a and b\n';
    expect(mutantsOf(both, 'remove_edge_case_check').sort()).toEqual([
      'def f(a, b):\n    return a\n',
      'def f(a, b):\n    return b\n',
    ]);
  });

  it('leaves docstrings, annotations, imports, decorators, strings and code outside functions alone', () => {
    const code = [
      'from a import b',
      'LIMIT = 1 + 2',
      '@cache(1)',
      'def f(a: "int < 3") -> list[1]:',
      '    """a < b, 1 + 1"""',
      "    return 'a < 1'",
      '',
    ].join('\n');
    expect(sitesOf(code)).toEqual([]);
  });
});

it('counts places in code points and bytes', () => {
  const code = 'def f(a):\n    return "é😀" + a\n';
  const [site] = sitesOf(code);
  if (site === undefined) throw new Error('no site');
  const place = placeOf(code, site);
  expect([...code].slice(place.startCodePoint, place.endCodePoint).join('')).toBe('+');
  expect(Buffer.from(code).subarray(place.startByte, place.endByte).toString()).toBe('+');
  expect(place).toMatchObject({ firstLine: 2, lastLine: 2 });
});

it('every mutant differs in one span and keeps all bytes outside it', () => {
  const expression = fc.letrec<{ e: string }>((tie) => ({
    e: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', '1', '12', '0x1f', 'len(a)', '"é < 😀"'),
      fc
        .tuple(tie('e'), fc.constantFrom(' + ', '-', ' < ', ' not in ', ' and ', '//'), tie('e'))
        .map((parts) => `(${parts.join('')})`),
      fc.tuple(tie('e'), tie('e')).map(([x, y]) => `g(${x},${y})`),
      fc.tuple(tie('e'), tie('e')).map(([x, y]) => `(${x} if a else ${y})`),
    ),
  })).e;
  fc.assert(
    fc.property(expression, (text) => {
      const code = `def f(a, b):\n    return ${text}\n`;
      for (const site of sitesOf(code)) {
        const mutant = applyEdits(code, [site]);
        expect(mutant.slice(0, site.start)).toBe(code.slice(0, site.start));
        expect(mutant.slice(site.start + site.after.length)).toBe(code.slice(site.end));
        expect(code.slice(site.start, site.end)).toBe(site.before);
        expect(editedSpan(code, mutant)).toBeGreaterThan(0);
        expect(parsers.withTree('python', mutant, (root) => root.hasError)).toBe(false);
      }
    }),
    { numRuns: process.env['ASSAY_LONG'] === '1' ? 2_000 : 60 },
  );
});

const tasksFile = new URL('../../../../shared/data/HumanEval.jsonl.gz', import.meta.url);
const goldenFile = new URL('../../../../shared/golden/oracle-humaneval.json', import.meta.url);
it.skipIf(!existsSync(tasksFile) || !existsSync(goldenFile))(
  'finds every mutant of the golden list by type, place and replacement (skipped without ../shared)',
  () => {
    const tasks = gunzipSync(readFileSync(tasksFile)).toString().trimEnd().split('\n');
    const sources = new Map(
      tasks.map((line) => {
        const task = JSON.parse(line) as { task_id: string; prompt: string; canonical_solution: string };
        return [task.task_id, task.prompt + task.canonical_solution];
      }),
    );
    const { items } = JSON.parse(readFileSync(goldenFile, 'utf8')) as {
      items: { task_id: string; type: string; start: number; end: number; replacement: string }[];
    };
    const mutants = items.filter(({ type }) => type !== 'canonical');
    expect(mutants).toHaveLength(280);
    for (const item of mutants) {
      const sites = sitesOf(sources.get(item.task_id) ?? '');
      expect(sites).toContainEqual(
        expect.objectContaining({
          bugType: item.type,
          start: item.start,
          end: item.end,
          after: item.replacement,
        }),
      );
    }
  },
);
