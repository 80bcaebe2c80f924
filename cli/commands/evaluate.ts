import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ExecReport } from '../../src/analyses/execretrieval/report-types.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { benchmarkById } from '../../src/benchmarks/list.ts';
import { findModel } from '../../src/models/index.ts';
import { DTYPE_SUFFIXES, type Dtype } from '../../src/models/model-definition.ts';
import { findProtocol } from '../../src/protocols/index.ts';
import type { EvaluateAnswer } from '../../src/run/headless/evaluate.ts';
import type { EvaluateRequest } from '../../src/run/headless/requests.ts';
import { OWN_PROTOCOL, type RunRequest, type RunState } from '../../src/run/run-state.ts';
import { GRADED_RECORD_SCHEMA } from '../../src/share/graded-record.ts';
import { runInPage } from '../browser/page-session.ts';
import { interruptSignal } from '../interrupt.ts';
import { RunProgress } from '../print/progress.ts';
import { gradedTables, metricTable, numericsLine, sliceTables } from '../print/result-tables.ts';

interface EvaluateOptions {
  readonly benchmark: string;
  readonly model: string;
  readonly dtype?: Dtype;
  readonly protocol?: string;
  readonly hub?: string;
  readonly device: 'auto' | 'webgpu' | 'wasm';
  readonly queries?: number;
  readonly depth: number;
  readonly seed: number;
  readonly out?: string;
  readonly json?: string;
  readonly site: string;
}

/** `assay evaluate`: the page's own evaluation, driven in headless Chromium. */
export function register(program: Command): void {
  program
    .command('evaluate')
    .description('evaluate a model on a benchmark and write record, run, metrics and link')
    .option(
      '--benchmark <ID|FOLDER>',
      'a benchmark by name (core-bench-l2/REPOSITORY for one of many), or a folder in a known layout',
      'exec-mini',
    )
    .option('--model <ID>', 'an embedding model', 'all-MiniLM-L6-v2')
    .addOption(
      new Option('--dtype <NAME>', "weights to use; default: the model's own choice").choices(
        Object.keys(DTYPE_SUFFIXES),
      ),
    )
    .option('--protocol <ID>', "how it is scored; default: the benchmark's own protocol")
    .addOption(
      new Option('--device <NAME>', 'where the model runs')
        .choices(['auto', 'webgpu', 'wasm'])
        .default('auto'),
    )
    .option(
      '--queries <N>',
      'only the first N queries and their own snippets: a sub-benchmark with its own digest',
      wholeNumber(1),
    )
    .option('--depth <N>', 'documents kept per query', wholeNumber(10, 1_000), 1_000)
    .option('--seed <N>', 'seed of the bootstrap', wholeNumber(0), 20_260_510)
    .option('--hub <URL>', 'address of the hub, for mirrors', webAddress)
    .option('--out <DIR>', 'result folder; default: assay-results/BENCHMARK-MODEL')
    .option('--json <FILE>', 'write the record as JSON; - for standard output')
    .option('--site <URL>', 'the site that the link names', webAddress, 'http://localhost:4173/')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run evaluate\n  npm run evaluate -- --queries 2 --device webgpu\n  npm run assay -- evaluate --benchmark ./my-benchmark --out ./my-result',
    )
    .action(evaluate);
}

async function evaluate(options: EvaluateOptions): Promise<void> {
  const folder = benchmarkFolder(options.benchmark);
  // Said before a browser is started.
  const benchmark =
    folder === undefined ? benchmarkById(options.benchmark.split('/')[0] as string) : undefined;
  const protocolId = options.protocol ?? benchmark?.protocolId ?? OWN_PROTOCOL;
  if (protocolId !== OWN_PROTOCOL) findProtocol(protocolId);
  const model = findModel(options.model);
  const run: RunRequest = {
    benchmarkId: folder === undefined ? options.benchmark : path.basename(folder.path),
    modelId: model.id,
    dtype: options.dtype ?? model.defaultDtype,
    protocolId,
    device: options.device,
    depth: options.depth,
    seed: options.seed,
    ...(options.queries === undefined ? {} : { queries: options.queries }),
  };
  const out = path.resolve(options.out ?? path.join('assay-results', `${run.benchmarkId}-${run.modelId}`));
  checkJsonFile(options.json);
  makeFolder(out);
  const request: EvaluateRequest = {
    kind: 'evaluate',
    run,
    site: options.site,
    ...(options.hub === undefined ? {} : { hubUrl: options.hub }),
    ...(folder === undefined
      ? {}
      : { benchmarkFolder: { name: run.benchmarkId, files: [...folder.files.keys()] } }),
  };
  const interrupt = interruptSignal();
  const progress = new RunProgress();
  let answer: EvaluateAnswer;
  try {
    answer = (await runInPage(request, {
      outputFolder: out,
      profileFolder: path.join(out, '.profile'),
      onProgress: (state) => progress.update(state as RunState),
      signal: interrupt.signal,
      ...(folder === undefined ? {} : { files: folder.files }),
    })) as EvaluateAnswer;
  } catch (thrown) {
    if (!interrupt.signal.aborted) throw thrown;
    console.error(`Interrupted. What is done is kept in ${out}: the same command goes on from there.`);
    process.exitCode = 130;
    return;
  } finally {
    progress.stop();
    interrupt.dispose();
  }
  print(answer, options, out);
}

function print({ record, link, runFile }: EvaluateAnswer, options: EvaluateOptions, out: string): void {
  const text = JSON.stringify(record);
  if (options.json === '-') {
    console.log(text);
    return;
  }
  if (options.json !== undefined) writeFileSync(options.json, `${text}\n`);
  const { benchmark, model, device, protocol, report } = record;
  console.log(
    `\n${benchmark.name}, ${report.counts.queries} queries, ${benchmark.counts.documents} documents; ${model.id} ${model.dtype} on ${device.backend}; protocol ${protocol.id}\n`,
  );
  console.log(
    record.schema === GRADED_RECORD_SCHEMA ? gradedTables(record.report) : executedText(record.report),
  );
  console.log(numericsLine(record));
  for (const { message } of record.warnings) console.log(`Warning: ${message}`);
  const total = record.timings.reduce((sum, { ms }) => sum + ms, 0);
  // Loading a model and running Python are the two things that cannot be Assay's own overhead.
  const own = record.timings
    .filter(({ phase }) => ['load', 'search', 'score'].includes(phase))
    .reduce((sum, { ms }) => sum + ms, 0);
  const phases = record.timings.map(({ phase, ms }) => `${phase} ${(ms / 1_000).toFixed(1)} s`).join(', ');
  console.log(`\nTime: ${phases}; neither model nor Python: ${((100 * own) / total).toFixed(1)} %`);
  console.log(`Files: ${out}`);
  if (runFile === 'run.json')
    console.log('Ids hold blanks, which a TREC run cannot show: the run is in run.json.');
  if (link !== undefined) {
    const where = options.site.startsWith('http://localhost') ? '; opens where "npm start" runs' : '';
    console.log(`Link (${link.length} characters${where}): ${link}`);
  }
}

function executedText(report: ExecReport): string {
  const { nearCloneMisses, canonicalBelow } = report;
  return [
    metricTable(report),
    '',
    sliceTables(report),
    '',
    `Rank-1 misses that are near-clones: ${nearCloneMisses.count} of ${nearCloneMisses.n}`,
    `Canonical below one of its own distractors: ${canonicalBelow.strict.count} of ${canonicalBelow.queries} queries`,
  ].join('\n');
}

/** The folder's files by name, or undefined when the text names no folder. */
function benchmarkFolder(
  text: string,
): { readonly path: string; readonly files: ReadonlyMap<string, string> } | undefined {
  const looksLikePath = text.includes('/') || text.includes('\\') || text.startsWith('.');
  if (!existsSync(text)) {
    if (looksLikePath && (text.startsWith('.') || path.isAbsolute(text))) {
      throw new AppError('input', 'no-such-folder', `There is no folder ${text}.`);
    }
    return undefined;
  }
  if (!statSync(text).isDirectory())
    throw new AppError('input', 'not-a-folder', `${text} is a file; --benchmark takes a folder or a name.`);
  const root = path.resolve(text);
  const files = new Map<string, string>();
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(root, name);
    // A link that leads nowhere is no file.
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() === true && !name.split(path.sep).some((part) => part.startsWith('.')))
      files.set(name.split(path.sep).join('/'), file);
  }
  return { path: root, files };
}

/** Makes a folder that results can be written to; found out before the work, not after it. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (thrown) {
    throw new AppError(
      'input',
      'folder-not-writable',
      `Nothing can be written to ${folder} (${messageOf(thrown)}). Choose another folder with --out.`,
      { cause: thrown },
    );
  }
}

/** Where `--json` goes must exist before the work, not after it. */
function checkJsonFile(file: string | undefined): void {
  if (file === undefined || file === '-') return;
  const folder = path.dirname(path.resolve(file));
  if (existsSync(folder) && statSync(folder).isDirectory() && !isFolder(file)) return;
  throw new AppError(
    'input',
    'file-not-writable',
    `--json ${file} cannot be written: ${isFolder(file) ? 'it is a folder' : `there is no folder ${folder}`}.`,
  );
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** An address that a browser opens over the web: http or https. */
function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new InvalidArgumentError('An address that begins with http:// or https:// is wanted.');
}

function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to) {
      throw new InvalidArgumentError(
        `A whole number from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`} is wanted.`,
      );
    }
    return value;
  };
}
