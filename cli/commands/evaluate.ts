import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '../../src/domain/app-error.ts';
import { BENCHMARKS, benchmarkById } from '../../src/benchmarks/list.ts';
import { findModel } from '../../src/models/index.ts';
import { DTYPE_SUFFIXES, type Dtype } from '../../src/models/model-definition.ts';
import { findProtocol } from '../../src/protocols/index.ts';
import type { EvaluateAnswer } from '../../src/run/headless/evaluate.ts';
import type { EvaluateRequest } from '../../src/run/headless/requests.ts';
import { isRunnable } from '../../src/run/runnable.ts';
import type { RunRequest, RunState } from '../../src/run/run-state.ts';
import { runInPage } from '../browser/page-session.ts';
import { interruptSignal } from '../interrupt.ts';
import { RunProgress } from '../print/progress.ts';
import { metricTable, numericsLine, sliceTables } from '../print/result-tables.ts';

interface EvaluateOptions {
  readonly benchmark: string;
  readonly model: string;
  readonly dtype?: Dtype;
  readonly protocol: string;
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
      'a benchmark by name, or a folder in the ExecRetrieval layout',
      'exec-mini',
    )
    .option('--model <ID>', 'an embedding model', 'all-MiniLM-L6-v2')
    .addOption(
      new Option('--dtype <NAME>', "weights to use; default: the model's own choice").choices(
        Object.keys(DTYPE_SUFFIXES),
      ),
    )
    .option('--protocol <ID>', 'how it is scored', 'execretrieval')
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
    .option('--out <DIR>', 'result folder; default: assay-results/BENCHMARK-MODEL')
    .option('--json <FILE>', 'write the record as JSON; - for standard output')
    .option('--site <URL>', 'the site that the link names', 'http://localhost:4173/')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run evaluate\n  npm run evaluate -- --queries 2 --device webgpu\n  npm run assay -- evaluate --benchmark ./my-benchmark --out ./my-result',
    )
    .action(evaluate);
}

async function evaluate(options: EvaluateOptions): Promise<void> {
  const folder = benchmarkFolder(options.benchmark);
  // Said before a browser is started: what is not known, and what cannot be scored to the end.
  if (folder === undefined) requireRunnable(options.benchmark);
  findProtocol(options.protocol);
  const model = findModel(options.model);
  const run: RunRequest = {
    benchmarkId: folder === undefined ? options.benchmark : path.basename(folder.path),
    modelId: model.id,
    dtype: options.dtype ?? model.defaultDtype,
    protocolId: options.protocol,
    device: options.device,
    depth: options.depth,
    seed: options.seed,
    ...(options.queries === undefined ? {} : { queries: options.queries }),
  };
  const out = path.resolve(options.out ?? path.join('assay-results', `${run.benchmarkId}-${run.modelId}`));
  mkdirSync(out, { recursive: true });
  const request: EvaluateRequest = {
    kind: 'evaluate',
    run,
    site: options.site,
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

function print({ record, link }: EvaluateAnswer, options: EvaluateOptions, out: string): void {
  const { report } = record;
  const text = JSON.stringify(record);
  if (options.json === '-') {
    console.log(text);
    return;
  }
  if (options.json !== undefined) writeFileSync(options.json, `${text}\n`);
  console.log(
    `\n${record.benchmark.name}, ${report.counts.queries} queries, ${record.benchmark.counts.documents} documents; ${record.model.id} ${record.model.dtype} on ${record.device.backend}; protocol ${record.protocol.id}\n`,
  );
  console.log(metricTable(report));
  console.log(`\n${sliceTables(report)}`);
  const { nearCloneMisses, canonicalBelow } = report;
  console.log(`\nRank-1 misses that are near-clones: ${nearCloneMisses.count} of ${nearCloneMisses.n}`);
  console.log(
    `Canonical below one of its own distractors: ${canonicalBelow.strict.count} of ${canonicalBelow.queries} queries`,
  );
  console.log(numericsLine(record));
  for (const { message } of record.warnings) console.log(`Warning: ${message}`);
  const total = record.timings.reduce((sum, { ms }) => sum + ms, 0);
  // Loading a model and running Python are the two things that cannot be Assay's own overhead.
  const own = record.timings
    .filter(({ phase }) => ['load', 'search', 'score'].includes(phase))
    .reduce((sum, { ms }) => sum + ms, 0);
  console.log(
    `\nTime: ${record.timings.map(({ phase, ms }) => `${phase} ${(ms / 1_000).toFixed(1)} s`).join(', ')}; neither model nor Python: ${((100 * own) / total).toFixed(1)} %`,
  );
  console.log(`Files: ${out}`);
  console.log(
    `Link (${link.length} characters${options.site.startsWith('http://localhost') ? '; opens where "npm start" runs' : ''}): ${link}`,
  );
}

function requireRunnable(id: string): void {
  const benchmark = benchmarkById(id);
  if (isRunnable(benchmark)) return;
  const known = BENCHMARKS.filter(isRunnable).map((runnable) => runnable.id);
  throw new AppError(
    'input',
    'not-executable',
    `${id} is graded, not executed; an evaluation scores executed benchmarks so far (${known.join(', ')}). Make a run with "assay encode" and "assay search", then score it with "assay score".`,
  );
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
    if (statSync(file).isFile() && !name.split(path.sep).some((part) => part.startsWith('.')))
      files.set(name.split(path.sep).join('/'), file);
  }
  return { path: root, files };
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
