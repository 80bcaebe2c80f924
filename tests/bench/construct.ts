import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import git from 'isomorphic-git';
import { grammarFiles } from '../../cli/grammar-files.ts';
import { buildRepoBenchmark, type RepoBuild } from '../../src/construct/repo/build.ts';
import { repoBuildReport } from '../../src/construct/repo/build-report.ts';
import { ALL_GRAMMARS } from '../../src/construct/repo/languages.ts';
import { coreBenchFiles } from '../../src/construct/repo/layout.ts';
import { Repository } from '../../src/construct/repo/repository.ts';
import { SyntaxParsers } from '../../src/construct/syntax/syntax-parsers.ts';
import { digestOf } from '../../src/domain/digest.ts';
import type { Bench, BenchLine } from './bench.ts';

/** `assay bench construct`: a repository as a benchmark: time, memory, the same bytes twice, edited lines that gold covers. */
export const construct: Bench = {
  name: 'construct',
  about:
    'a git history of 3,000 commits turned into a benchmark (ASSAY_REPOSITORY names a git directory of your own)',
  async *run({ quick }): AsyncIterable<BenchLine> {
    const own = process.env['ASSAY_REPOSITORY'];
    const scratch =
      own === undefined ? mkdtempSync(path.join(tmpdir(), 'assay-bench-construct-')) : undefined;
    try {
      const commits = quick ? 300 : 3_000;
      if (scratch !== undefined) await writeHistory(scratch, commits);
      const gitdir = own ?? path.join(scratch as string, '.git');
      const parsers = await SyntaxParsers.open(grammarFiles, ALL_GRAMMARS);
      const first = await timed(gitdir, parsers, quick ? 20 : 100);
      const second = await timed(gitdir, parsers, quick ? 20 : 100);
      const { numbers } = first.report;
      const size = `${numbers.commitsRead} commits, ${numbers.queries} queries, ${numbers.pieces} pieces`;
      yield { what: 'build', size, ours: first.ms, unit: 'ms', peer: null, ratio: null };
      yield {
        what: 'resident memory',
        size,
        ours: first.residentBytes,
        unit: 'bytes',
        peer: null,
        ratio: null,
      };
      yield {
        what: 'the same bytes twice',
        size,
        ours: first.digest === second.digest,
        peer: null,
        ratio: null,
      };
      const { all, covered } = numbers.editedLines;
      yield {
        what: 'edited lines in a gold piece',
        size: `${all} lines`,
        ours: all === 0 ? null : covered / all,
        peer: null,
        ratio: null,
      };
      yield {
        what: 'median piece',
        size,
        ours: numbers.medianPieceLines,
        unit: 'lines',
        peer: null,
        ratio: null,
      };
      parsers.close();
    } finally {
      if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function timed(gitdir: string, parsers: SyntaxParsers, mostQueries: number) {
  const settings = { ref: 'HEAD', mostCommits: 3_000, mostQueries, mostGold: 40, renameSimilarity: 0.5 };
  const start = performance.now();
  const build: RepoBuild = await buildRepoBenchmark(new Repository(fs, gitdir), parsers, settings);
  const { corpus, queries, qrels } = coreBenchFiles(build);
  const digest = await digestOf([corpus, queries, qrels].map((part) => [...part].join('')).join('\0'));
  const ms = performance.now() - start;
  return {
    ms,
    digest,
    residentBytes: process.memoryUsage().rss,
    report: repoBuildReport('bench', build, settings),
  };
}

/** A repository of 60 Python files whose commits edit, extend and add functions in turn. */
async function writeHistory(dir: string, commits: number): Promise<void> {
  await git.init({ fs, dir, defaultBranch: 'main' });
  const cache = {};
  const bodies = Array.from({ length: 60 }, (_, file) =>
    Array.from({ length: 12 }, (_, fn) => [
      `def step_${file}_${fn}(value):`,
      `    result = value + ${fn}`,
      '    return result',
    ]),
  );
  const author = {
    name: 'A Person',
    email: 'person@example.org',
    timestamp: 1_700_000_000,
    timezoneOffset: 0,
  };
  const blobs = new Map<number, string>();
  const writeFile = async (file: number): Promise<void> => {
    const text = (bodies[file] as string[][]).map((lines) => lines.join('\n')).join('\n\n\n');
    blobs.set(file, await git.writeBlob({ fs, dir, blob: new TextEncoder().encode(`${text}\n`) }));
  };
  for (let file = 0; file < bodies.length; file++) await writeFile(file);
  let parent: string | undefined;
  for (let at = 0; at < commits; at++) {
    const file = (at * 7) % bodies.length;
    const functions = bodies[file] as string[][];
    const chosen = functions[at % functions.length] as string[];
    if (at % 5 === 4) functions.push([`def extra_${at}(value):`, `    return value * ${at}`]);
    else if (at % 5 === 3) chosen.splice(2, 0, `    result += ${at}`);
    else chosen[1] = `    result = value - ${at}`;
    await writeFile(file);
    const tree = await git.writeTree({
      fs,
      dir,
      tree: [...blobs].map(([number, oid]) => ({
        mode: '100644',
        path: `part_${number}.py`,
        oid,
        type: 'blob' as const,
      })),
    });
    parent = await git.commit({
      fs,
      dir,
      cache,
      tree,
      parent: parent === undefined ? [] : [parent],
      message: `Step ${at} gives the wrong result for small values`,
      author,
    });
  }
}
