import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { repoBuildReport, repoReportLines } from '../../src/construct/repo/build-report.ts';
import { buildRepoBenchmark, type RepoBuildSettings } from '../../src/construct/repo/build.ts';
import { ALL_GRAMMARS } from '../../src/construct/repo/languages.ts';
import { coreBenchFiles } from '../../src/construct/repo/layout.ts';
import { readAnswers, readRequests } from '../../src/construct/repo/read-requests.ts';
import { SyntaxParsers } from '../../src/construct/syntax/syntax-parsers.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { grammarFiles } from '../grammar-files.ts';
import { openRepository } from './open-repository.ts';
import { checkOutputFolder, REPORT_FILE, writeInside } from './output-folder.ts';

/** Options of `assay construct repo`. */
export interface ConstructRepoOptions {
  readonly out: string;
  readonly ref: string;
  readonly commits: number;
  readonly queries: number;
  readonly mostGold: number;
  readonly renameSimilarity: number;
  readonly requests?: string;
  readonly answers?: string;
  readonly name?: string;
  readonly regimePieces?: number;
  readonly regimeGold?: number;
  readonly json?: string;
}

/** Reads a repository's history and writes a benchmark in CORE-Bench's layout. */
export async function constructRepo(place: string, options: ConstructRepoOptions): Promise<void> {
  const out = checkOutputFolder(options.out);
  const settings: RepoBuildSettings = {
    ref: options.ref,
    mostCommits: options.commits,
    mostQueries: options.queries,
    mostGold: options.mostGold,
    renameSimilarity: options.renameSimilarity,
    ...(options.requests === undefined
      ? {}
      : { requests: readRequests(path.basename(options.requests), readText(options.requests)) }),
    ...(options.answers === undefined
      ? {}
      : { answers: readAnswers(path.basename(options.answers), readText(options.answers)) }),
  };
  const opened = await openRepository(place);
  try {
    const parsers = await SyntaxParsers.open(grammarFiles, ALL_GRAMMARS);
    const name = options.name ?? opened.name;
    const build = await buildRepoBenchmark(opened.repository, parsers, settings, (done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} queries`);
    });
    parsers.close();
    if (process.stderr.isTTY) process.stderr.write('\n');
    const { regimePieces, regimeGold } = options;
    const thresholds =
      regimePieces === undefined || regimeGold === undefined
        ? undefined
        : { corpusPieces: regimePieces, goldPerQuery: regimeGold };
    const report = repoBuildReport(name, build, settings, thresholds);
    const folder = path.join(out, 'data', 'LEVEL-2', 'local', name.replaceAll(/[^\w.-]+/g, '-'));
    mkdirSync(folder, { recursive: true });
    const files = coreBenchFiles(build);
    for (const part of ['corpus', 'queries', 'qrels'] as const)
      writeLines(path.join(folder, `${part}.jsonl`), files[part]);
    const text = `${JSON.stringify(report, null, 2)}\n`;
    writeInside(out, new Map([[REPORT_FILE, text]]));
    if (options.json === '-') console.log(text.trimEnd());
    else console.log(repoReportLines(report).join('\n'));
    console.error(
      `\nWritten to ${out}. Next: assay evaluate --benchmark ${options.out} --protocol core-bench`,
    );
  } finally {
    opened.close();
  }
}

function writeLines(file: string, lines: Iterable<string>): void {
  const handle = openSync(file, 'w');
  try {
    for (const line of lines) writeSync(handle, line);
  } finally {
    closeSync(handle);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError('input', 'unreadable', `${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}
