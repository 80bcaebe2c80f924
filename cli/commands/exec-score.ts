import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecCell, ExecReport } from '../../src/analyses/execretrieval/report-types.ts';
import { readRun } from '../../src/codecs/run-reader.ts';
import {
  readExecCorpus,
  readExecQueries,
  readExecSimilarities,
  readExecVerdicts,
} from '../../src/sources/exec-tables.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { localFile } from '../local-file.ts';
import { deceptionTables, metricTable, sliceTables } from '../print/result-tables.ts';

interface ExecScoreOptions {
  readonly corpus: string;
  readonly queries: string;
  readonly run: string;
  readonly verdicts: string;
  readonly similarities?: string;
  readonly cutoffs: readonly number[];
  readonly resamples: number;
  readonly seed: number;
  readonly json?: string;
}

/** `assay exec-score`: an executed benchmark's measures from files, without a browser and without running anything. */
export function register(program: Command): void {
  program
    .command('exec-score')
    .description(
      'exec@k, execution precision, canonical nDCG, gap, deception and near-clones, with intervals',
    )
    .requiredOption('--corpus <file>', 'corpus.jsonl in ExecRetrieval layout')
    .requiredOption('--queries <file>', 'queries.jsonl in ExecRetrieval layout')
    .requiredOption('--run <file>', 'ranked snippets: TREC, or JSON {"query": {"document": score}}')
    .requiredOption('--verdicts <file>', 'JSON Lines {"query_id", "corpus_id", "verdict"}')
    .option(
      '--similarities <file>',
      'JSON Lines {"query_id", "corpus_id", "similarity"} of own snippets, for deception (default: the scores of the run)',
    )
    .option('--cutoffs <list>', 'values of k', parseCutoffs, [1, 3, 5, 10])
    .option('--resamples <n>', 'bootstrap resamples of the queries', parseCount, 5_000)
    .option('--seed <n>', 'seed of the resamples', parseSeed, 20_260_510)
    .option('--json <file>', 'write the whole report as JSON; - for stdout instead of the tables')
    .addHelpText(
      'after',
      `
Only "pass" passes; a pair in the top k without a verdict counts as not passing and is counted in the warnings.
"upper" in the JSON counts unsupported and platform-sensitive as passing.

Examples:
  assay exec-score --corpus corpus.jsonl --queries queries.jsonl --run run.trec --verdicts verdicts.jsonl
  assay exec-score --corpus c.jsonl --queries q.jsonl --run r.json --verdicts v.jsonl --json report.json`,
    )
    .action(async (options: ExecScoreOptions) => {
      const report = await reportOf(options);
      for (const { message, examples } of report.warnings)
        console.error(`${message} ${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : ''}`);
      const json = `${JSON.stringify(withTables(report))}\n`;
      if (options.json === '-') process.stdout.write(json);
      else {
        if (options.json !== undefined) await writeFile(options.json, json);
        console.log(tables(report));
      }
    });
}

async function reportOf(options: ExecScoreOptions): Promise<ExecReport> {
  const corpus = await readExecCorpus(await localFile(options.corpus));
  const queries = await readExecQueries(await localFile(options.queries), corpus);
  const verdicts = await readExecVerdicts(await localFile(options.verdicts));
  const { run } = await readRun(await localFile(options.run));
  if (!queries.some(({ id }) => run.has(id)))
    throw new AppError(
      'score',
      'no-overlap',
      `${options.run} and ${options.queries} have no query in common: the run has ${JSON.stringify([...run.keys()][0] ?? 'none')}, the benchmark ${JSON.stringify(queries[0]?.id ?? 'none')}. Check that both belong together and write query ids alike.`,
    );
  const similarities =
    options.similarities === undefined
      ? undefined
      : await readExecSimilarities(await localFile(options.similarities));
  return execRetrievalReport({
    queries,
    snippets: corpus.snippets,
    run,
    verdicts,
    ...(similarities === undefined ? {} : { similarities }),
    cutoffs: options.cutoffs,
    resamples: options.resamples,
    seed: options.seed,
  });
}

/** The report with its means and intervals by name in front, as `assay score` prints means. */
function withTables(report: ExecReport): object {
  const byName = <T>(of: (cell: ExecCell) => T): Record<string, T> =>
    Object.fromEntries(report.cells.map((cell, c) => [report.columns[c], of(cell)]));
  return {
    mean: byName(({ value }) => value),
    ci95: byName(({ low, high }) => [low, high]),
    upper: byName(({ upper }) => upper),
    ...report,
  };
}

function tables(report: ExecReport): string {
  return [
    metricTable(report),
    '',
    sliceTables(report),
    '',
    deceptionTables(report),
    '',
    `${report.counts.queries} queries; 95 % intervals from ${report.resamples} resamples, seed ${report.seed}`,
  ].join('\n');
}

function parseCutoffs(text: string): number[] {
  const cutoffs = text.split(',').map(Number);
  if (!cutoffs.every((k) => Number.isInteger(k) && k >= 1) || new Set(cutoffs).size < cutoffs.length)
    throw new InvalidArgumentError('Cutoffs are different whole numbers from 1, such as 1,3,5,10.');
  return cutoffs.sort((a, b) => a - b);
}

function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,6}$/u.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.');
  return Number(text);
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^[0-9]+$/u.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError('A seed is a whole number from 0.');
  return seed;
}
