import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readRun } from '../../src/codecs/run-reader.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { claimLine, countStates, type CheckedClaim } from '../../src/share/claims.ts';
import { readLink } from '../../src/share/link.ts';
import type { ResultRecord } from '../../src/share/record.ts';
import { verifyPayload } from '../../src/share/verify-payload.ts';
import { verifyReceiptAgainstRecord } from '../../src/share/verify-receipt.ts';
import { verifyRecord } from '../../src/share/verify-record.ts';
import { verifyReceiptRun, verifyRecordRun, type ExecBenchmarkTables } from '../../src/share/verify-run.ts';
import { readExecCorpus, readExecQueries } from '../../src/sources/exec-tables.ts';
import { interruptSignal } from '../interrupt.ts';
import { localFile } from '../local-file.ts';
import { projectRoot } from '../project-root.ts';
import { resultSource, type ResultSource } from '../result-source.ts';
import { verifyByRunning } from '../verify/verify-by-running.ts';

interface VerifyOptions {
  readonly level: string;
  readonly run?: string;
  readonly benchmark?: string;
  readonly vectors?: string;
  readonly sample: number;
  readonly seed: number;
  readonly json?: string;
}

/** `assay verify`: one line a claim of a result. Ends with 1 when any claim differs. */
export function register(program: Command): void {
  program
    .command('verify <result>')
    .description('check a link, a record.json or a folder of evaluate, one line a claim')
    .addOption(
      new Option(
        '--level <N>',
        '0: the result alone; 1: with its run file; 2: vectors searched again; 3: texts encoded again; 4: code run again; each with those before it',
      )
        .choices(['0', '1', '2', '3', '4'])
        .default('1', '1 where a run file is at hand, else 0'),
    )
    .option('--run <FILE>', 'the run (TREC or JSON); default: run.trec beside the record')
    .option(
      '--benchmark <DIR>',
      'the benchmark (data/corpus.jsonl, data/queries.jsonl); default: bundled ones by name',
    )
    .option(
      '--vectors <DIR>',
      'documents.npy and queries.npy with their .json, as assay encode writes them (level 2)',
    )
    .option('--sample <N>', 'queries, pairs and verdicts that levels 2 to 4 look at; 0: all', wholeNumber, 50)
    .option('--seed <N>', 'which ones are drawn', wholeNumber, 7)
    .option('--json <FILE>', 'write the claims as JSON; - for standard output instead of lines')
    .addHelpText(
      'after',
      `
Each line says "recomputed and equal", "recomputed and different" or "only claimed". Ends with 1 when any differs.
A link that is too long for the shell can stand in a file. Levels 2 to 4 need the record; 3 and 4 run in headless
Chromium. A sample says with what chance it would have missed an alteration; choose a seed of your own.

Examples:
  assay verify assay-results/exec-mini-all-MiniLM-L6-v2
  assay verify link.txt
  assay verify my-result --level 4 --sample 20 --seed 31
  assay verify "https://assay.example/#/result?benchmark=…&r=…"`,
    )
    .action(verify);
}

async function verify(given: string, options: VerifyOptions): Promise<void> {
  const source = await resultSource(given);
  const level = Number(options.level);
  const claims = [
    ...(await levelZero(source)),
    ...(level >= 1 ? await levelOne(source, options) : []),
    ...(level >= 2 ? await higherLevels(source, level, options) : []),
  ];
  const { equal, different, claimed } = countStates(claims);
  const json = `${JSON.stringify({ result: source.kind, counts: { equal, different, claimed }, claims }, null, 1)}\n`;
  if (options.json === '-') process.stdout.write(json);
  else {
    if (options.json !== undefined) writeFileSync(options.json, json);
    for (const claim of claims) console.log(`level ${claim.level}  ${printable(claimLine(claim))}`);
    console.log(
      `\n${equal} recomputed and equal, ${different} recomputed and different, ${claimed} only claimed`,
    );
  }
  if (different > 0) process.exitCode = 1;
}

async function levelZero(source: ResultSource): Promise<CheckedClaim[]> {
  if (source.kind === 'link') return verifyPayload(source.payload);
  const claims = await verifyRecord(source.record);
  if (source.linkText === undefined) return claims;
  try {
    const receipt = await readLink(source.linkText);
    return [...claims, ...(await verifyReceiptAgainstRecord(receipt, source.record))];
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A spoilt link.txt is a finding about the folder, not a reason to stop.
    const link = { level: 0, name: 'link', claimed: 'link.txt beside the record' } as const;
    return [...claims, { ...link, state: 'different', found: messageOf(thrown) }];
  }
}

async function levelOne(source: ResultSource, { run, benchmark }: VerifyOptions): Promise<CheckedClaim[]> {
  const runFile = run ?? (source.kind === 'record' ? source.runFile : undefined);
  if (runFile === undefined) return [];
  const reading = await readRun(await localFile(runFile));
  if (source.kind === 'link') {
    if (source.payload.kind === 'summary') return [];
    return verifyReceiptRun(source.payload, reading.run);
  }
  return verifyRecordRun(source.record, reading.run, await tables(source.record, benchmark));
}

async function higherLevels(
  source: ResultSource,
  level: number,
  options: VerifyOptions,
): Promise<CheckedClaim[]> {
  if (source.kind === 'link')
    throw new AppError(
      'input',
      'needs-a-record',
      `Level ${level} needs the record, a link holds outcomes only. Ask for the result folder, or take --level 0.`,
    );
  const interrupt = interruptSignal();
  try {
    return await verifyByRunning(source.record, level, {
      sample: options.sample === 0 ? Number.POSITIVE_INFINITY : options.sample,
      seed: options.seed,
      dataFolder: await dataFolder(wholeId(source.record), options.benchmark),
      vectorsFolder: options.vectors,
      runFile: options.run ?? source.runFile,
      signal: interrupt.signal,
    });
  } finally {
    interrupt.dispose();
  }
}

/** A cut benchmark is called `whole/queries=N`. */
function wholeId({ benchmark }: ResultRecord): string {
  return benchmark.id.replace(/\/queries=\d+$/u, '');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError('A whole number from 0 is needed.');
  return Number(text);
}

/** The benchmark's tables, of the queries that were evaluated; undefined when its files are not here. */
async function tables(
  record: ResultRecord,
  folder: string | undefined,
): Promise<ExecBenchmarkTables | undefined> {
  const { benchmark, report } = record;
  const data = await dataFolder(wholeId(record), folder);
  if (data === undefined) return undefined;
  const corpus = await readExecCorpus(await localFile(path.join(data, 'corpus.jsonl')));
  const queries = await readExecQueries(await localFile(path.join(data, 'queries.jsonl')), corpus);
  // A cut benchmark keeps only some of the queries; a query that is not in the files shows as a difference.
  const evaluated = new Set(report.perQuery.map(({ queryId }) => queryId));
  const kept = benchmark.cutFrom === undefined ? queries : queries.filter(({ id }) => evaluated.has(id));
  return { queries: kept, snippets: corpus.snippets };
}

async function dataFolder(id: string, folder: string | undefined): Promise<string | undefined> {
  const bases =
    folder === undefined
      ? [path.join(projectRoot, 'dist/page/benchmarks', id), path.join(projectRoot, 'public/benchmarks', id)]
      : [folder];
  const places = bases.flatMap((base) => [path.join(base, 'data'), base]);
  const found = places.find((place) => existsSync(path.join(place, 'corpus.jsonl')));
  if (found === undefined && folder !== undefined)
    throw new AppError('input', 'file-missing', `There is no corpus.jsonl in ${folder} or its folder data.`);
  return found;
}

/** Names come from strangers: no control character reaches the terminal. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
