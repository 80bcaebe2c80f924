import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'fflate';
import { reportLines, type ExecBuildReport } from '../../src/construct/exec/build-report.ts';
import { buildExecBenchmark, type ExecBuildSettings } from '../../src/construct/exec/build.ts';
import { BUG_TYPES, isBugType, type BugType } from '../../src/domain/bug-types.ts';
import { EVEN_SHARES, type WantedShares } from '../../src/construct/exec/choose-mutations.ts';
import { IMPORTED_LIMITS, PAPER_LIMITS } from '../../src/construct/exec/gates.ts';
import { execRetrievalFiles } from '../../src/construct/exec/layout.ts';
import { readTasks } from '../../src/construct/exec/read-tasks.ts';
import { SyntaxParsers } from '../../src/construct/syntax/syntax-parsers.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { digestOf } from '../../src/domain/digest.ts';
import { grammarFiles } from '../grammar-files.ts';
import { interruptSignal } from '../interrupt.ts';
import { executeInPage } from './execute-in-page.ts';
import { checkOutputFolder, REPORT_FILE, writeInside } from './output-folder.ts';

/** Options of `assay construct exec`. */
export interface ConstructExecOptions {
  readonly out: string;
  readonly distractors: number;
  readonly seed: number;
  readonly types?: string;
  readonly stack?: string;
  readonly limits: 'paper' | 'imported';
  readonly keepDocstrings: boolean;
  readonly mostCrashing: number;
  readonly mostMutants: number;
  readonly timeoutMs: number;
  readonly mutantTimeoutMs: number;
  readonly tasks?: number;
  readonly json?: string;
}

/** Reads a task file, builds the benchmark with the page's judge and writes it. */
export async function constructExec(file: string, options: ConstructExecOptions): Promise<void> {
  const out = checkOutputFolder(options.out);
  const wanted = parseShares(options.types);
  const stack = parseStack(options.stack);
  const bytes = readBytes(file);
  const parsers = await SyntaxParsers.open(grammarFiles, ['python']);
  const interrupt = interruptSignal();
  try {
    const read = readTasks(path.basename(file), decodeText(file, bytes), parsers, options);
    const tasks = read.tasks.slice(0, options.tasks ?? read.tasks.length);
    const { distractors, seed, mostCrashing, mostMutants, timeoutMs, mutantTimeoutMs } = options;

    const settings: ExecBuildSettings = {
      distractors,
      fewest: Math.min(3, distractors),
      wanted,
      seed,
      mostCrashing,
      mostMutants,
      timeoutMs,
      mutantTimeoutMs,
      ...(stack === undefined ? {} : { stack }),
      limits: options.limits === 'paper' ? PAPER_LIMITS : IMPORTED_LIMITS,
    };
    const build = await buildExecBenchmark(
      tasks,
      parsers,
      executeInPage(interrupt.signal),
      settings,
      (phase) => console.error(phase),
    );
    const files = await execRetrievalFiles(build.built, seed);
    const digests: Record<string, string> = {};
    for (const [name, content] of files) digests[name] = await digestOf(content);
    const { breaches: _, ...finalSweeps } = build.sweeps;
    const report: ExecBuildReport = {
      kind: 'construct exec',
      inputs: [{ name: path.basename(file), sha256: await digestOf(bytes) }],
      form: read.form,
      settings: { ...settings, limits: options.limits },
      changedOnReading: { docstringsRemoved: read.docstringsRemoved, unsplitTests: read.unsplitTests },
      numbers: build.numbers,
      finalSweeps,
      dropped: build.dropped,
      renamed: build.renamed,
      short: build.short,
      files: digests,
    };
    const reportText = `${JSON.stringify(report, null, 2)}\n`;
    writeInside(out, new Map([...files, [REPORT_FILE, reportText]]));
    if (options.json === '-') console.log(reportText.trimEnd());
    else console.log(reportLines(report).join('\n'));
    console.error(`\nWritten to ${out}. Next: assay evaluate --benchmark ${options.out}`);
  } catch (thrown) {
    if (!interrupt.signal.aborted) throw thrown;
    console.error('Interrupted. Nothing was written.');
    process.exitCode = 130;
  } finally {
    interrupt.dispose();
    parsers.close();
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new AppError('input', 'unreadable', `${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

function decodeText(file: string, bytes: Uint8Array): string {
  try {
    const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (cause) {
    throw new AppError(
      'input',
      'not-utf8',
      `${file} is neither UTF-8 text nor gzip of it: ${messageOf(cause)}.`,
      {
        cause,
      },
    );
  }
}

/** `off_by_one=2,wrong_operator=1` as shares; what is not named is not wanted. */
function parseShares(text: string | undefined): WantedShares {
  if (text === undefined) return EVEN_SHARES;
  const weights = new Map<BugType, number>();
  for (const part of text.split(',')) {
    const [name = '', weight = '1'] = part.split('=').map((side) => side.trim());
    const value = Number(weight);
    if (!isBugType(name) || !(value >= 0) || !Number.isFinite(value))
      throw new AppError(
        'input',
        'bad-types',
        `--types: "${part}" is not NAME=WEIGHT with a name of ${BUG_TYPES.join(', ')}.`,
      );
    weights.set(name, value);
  }
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  if (sum === 0) throw new AppError('input', 'bad-types', `--types: all weights of "${text}" are 0.`);
  return Object.fromEntries(BUG_TYPES.map((type) => [type, (weights.get(type) ?? 0) / sum])) as WantedShares;
}

/** `3` or `2-4` as the numbers of edits in a stack. */
function parseStack(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const match = /^([2-4])(?:-([2-4]))?$/.exec(text);
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (match === null || to < from)
    throw new AppError(
      'input',
      'bad-stack',
      `--stack: "${text}" is neither 2, 3, 4 nor a range such as 2-4.`,
    );
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
