import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import git from 'isomorphic-git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRepoBenchmark, type RepoBuildSettings } from '../../../src/construct/repo/build.ts';
import { coreBenchFiles } from '../../../src/construct/repo/layout.ts';
import { repoBuildReport } from '../../../src/construct/repo/build-report.ts';
import { Repository } from '../../../src/construct/repo/repository.ts';
import type { SyntaxParsers } from '../../../src/construct/syntax/syntax-parsers.ts';
import { openParsers } from '../parsers.ts';

const SETTINGS: RepoBuildSettings = {
  ref: 'HEAD',
  mostCommits: 100,
  mostQueries: 100,
  mostGold: 40,
  renameSimilarity: 0.5,
};
const author = { name: 'A Person', email: 'person@example.org', timestamp: 1_700_000_000, timezoneOffset: 0 };
const lines = (...parts: string[]): string => `${parts.join('\n')}\n`;
const add = lines('def add(a, b):', '    total = a + b', '    return total');
const sub = lines('def sub(a, b):', '    total = a - b', '    return total');

let dir: string;
let parsers: SyntaxParsers;
const ids: Record<string, string> = {};

async function commit(
  name: string,
  message: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  who = author,
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(dir, file);
    if (content === null) {
      rmSync(full);
      await git.remove({ fs, dir, filepath: file });
      continue;
    }
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
    await git.add({ fs, dir, filepath: file });
  }
  ids[name] = await git.commit({ fs, dir, message, author: who });
}

beforeAll(async () => {
  parsers = await openParsers([
    'python',
    'javascript',
    'tsx',
    'typescript',
    'go',
    'rust',
    'java',
    'c',
    'cpp',
    'ruby',
    'php',
    'swift',
  ]);
  dir = mkdtempSync(path.join(tmpdir(), 'assay-test-repository-'));
  await git.init({ fs, dir, defaultBranch: 'main' });
  await commit('root', 'Start of everything', {
    'src/calc.py': `${add}\n\n${sub}`,
    'README.md': '# Calc\n\nAdds.\n\n## Use\n\nCall it.\n',
    'data.bin': new Uint8Array([1, 0, 2]),
    'big.json': `{"a":"${'x'.repeat(6_000)}"}`,
  });
  await commit(
    'insertion',
    'Round the sum to whole numbers (#12)\n\nSums of money show too many digits.\n\nCo-authored-by: B <b@example.org>',
    {
      'src/calc.py': `${add.replace('    return', '    total = round(total)\n    return')}\n\n${sub}`,
    },
  );
  await commit('new-file', 'Introduce multiplication of two numbers', {
    'src/more.py': 'def mul(a, b):\n    return a * b\n',
  });
  await commit('between', 'Introduce division between the others', {
    'src/calc.py': `${add.replace('    return', '    total = round(total)\n    return')}\n\ndef div(a, b):\n    return a / b\n\n\n${sub}`,
  });
  await commit('leak', 'Wrong sign in src/calc.py when numbers are negative', {
    'src/calc.py': `${add}\n\ndef div(a, b):\n    return a / b\n\n\n${sub}`,
  });
  await commit(
    'bot',
    'Bump something important from one to two',
    { 'README.md': '# Calc\n\nAdds!\n' },
    { ...author, name: 'dependabot[bot]' },
  );
  await commit('rename', 'Subtraction gives the wrong sign for negative numbers', {
    'src/calc.py': null,
    'src/arithmetic.py': `${add}\n\ndef div(a, b):\n    return a / b\n\n\n${sub.replace('a - b', '-(b - a)')}`,
  });
  ids['empty'] = await git.commit({ fs, dir, message: 'Nothing changes in here at all', author });
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const open = (): Repository => new Repository(fs, path.join(dir, '.git'));

describe('a history as a benchmark', () => {
  it('makes queries with the tree before, and says why other commits give none', async () => {
    const build = await buildRepoBenchmark(open(), parsers, SETTINGS);
    const why = Object.fromEntries(build.dropped.map((one) => [one.commit, one.why]));
    expect(why).toEqual({
      [ids['empty'] as string]: 'no-change',
      [ids['bot'] as string]: 'meaningless',
      [ids['leak'] as string]: 'leak',
      [ids['between'] as string]: 'no-gold',
      [ids['new-file'] as string]: 'no-gold',
      [ids['root'] as string]: 'no-parent',
    });
    expect(build.queries.map(({ commit: id, base }) => [id, base])).toEqual([
      [ids['rename'], ids['bot']],
      [ids['insertion'], ids['root']],
    ]);
    const [renamed, inserted] = build.queries;
    const textsOf = (numbers: Iterable<number> | undefined) =>
      [...(numbers ?? [])].map((n) => build.pieces[n]?.text);
    // The insertion between two lines of add makes add gold, as it was before.
    expect(textsOf(inserted?.gold)).toEqual([add.trimEnd()]);
    expect(inserted?.text).toBe('Round the sum to whole numbers\n\nSums of money show too many digits.');
    // The rename is followed: the old path's piece is gold, the new path is not visible.
    expect(renamed?.gold.map((n) => build.pieces[n]?.path)).toEqual(['src/calc.py']);
    expect(textsOf(renamed?.gold)).toEqual([sub.trimEnd()]);
    expect([...(renamed?.visible ?? [])].some((n) => build.pieces[n]?.path === 'src/arithmetic.py')).toBe(
      false,
    );
    expect(build.renames).toMatchObject([{ from: 'src/calc.py', to: 'src/arithmetic.py' }]);
    expect(build.editedLines).toEqual({ all: 1, covered: 1 });
    // Equal pieces of two snapshots are one document, seen by both queries.
    const shared = [...(inserted?.visible ?? [])].filter((n) => renamed?.visible.includes(n));
    expect(textsOf(shared)).toContain(sub.trimEnd());
    expect(build.leftOut).toEqual({ 'long-lines': 1, 'other-file-type': 1 });
  });

  it('takes requests and answers from files instead of messages and rules', async () => {
    const commitId = ids['leak'] as string;
    const build = await buildRepoBenchmark(open(), parsers, {
      ...SETTINGS,
      requests: new Map([
        [
          commitId,
          { source: 'pull-request', title: 'See src/calc.py', body: '<!-- template -->\n- [ ] done\nWhy?' },
        ],
      ]),
      answers: new Map([[commitId, { verdict: 'keep', reason: 'read by a person' }]]),
    });
    expect(build.queries.map(({ text }) => text)).toEqual(['See src/calc.py\n\nWhy?']);
  });

  it('gives the same bytes again, as files that name only what exists', async () => {
    const make = async () => {
      const build = await buildRepoBenchmark(open(), parsers, SETTINGS);
      const { corpus, queries, qrels } = coreBenchFiles(build);
      return {
        files: [corpus, queries, qrels].map((part) => [...part].join('')),
        report: repoBuildReport('calc', build, SETTINGS),
      };
    };
    const first = await make();
    expect(await make()).toEqual(first);
    const rows = first.files.map((file) =>
      file
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
    const known = new Set(rows[0]?.map((row) => row['_id']));
    for (const row of rows[2] ?? []) {
      expect(known.has(row['corpus_id'])).toBe(true);
      const query = rows[1]?.find((one) => one['_id'] === row['query_id']);
      expect(query?.['filtered_corpus_id']).toContain(row['corpus_id']);
    }
  });

  it('refuses an unknown ref and a history without queries in words', async () => {
    await expect(buildRepoBenchmark(open(), parsers, { ...SETTINGS, ref: 'nowhere' })).rejects.toMatchObject({
      code: 'unknown-ref',
    });
    await expect(buildRepoBenchmark(open(), parsers, { ...SETTINGS, mostCommits: 1 })).rejects.toMatchObject({
      code: 'no-queries',
    });
  });

  it('stops where a clone is shallow', async () => {
    const shallow = open();
    const whole = shallow.commit.bind(shallow);
    // What a shallow clone lacks is an object that is not there.
    shallow.commit = (id) => (id === ids['insertion'] ? Promise.resolve(undefined) : whole(id));
    const build = await buildRepoBenchmark(shallow, parsers, SETTINGS);
    expect(build.shallow).toBe(true);
    expect(build.dropped.find(({ why }) => why === 'parent-missing')?.commit).toBe(ids['new-file']);
  });
});
