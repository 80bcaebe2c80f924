import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { PAPERS } from '../../src/benchmarks/claims/list.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { readExecResults } from '../../src/share/imports/exec-results.ts';
import { readExecCorpus, readExecQueries } from '../../src/sources/exec-tables.ts';
import { reproduce, type ReleasedReports, type ReproducedClaim } from '../../src/verify/reproduce.ts';
import { localFile, localText } from '../local-file.ts';

interface ReproduceOptions {
  readonly data?: string;
  readonly only?: string;
  readonly json?: string;
}

const WORDS = { equal: 'equal', differs: 'differs', 'not-recomputable': 'not recomputable here' } as const;

/** `assay reproduce`: every number that a paper states, recomputed as far as what is at hand allows. */
export function register(program: Command): void {
  program
    .command('reproduce')
    .addArgument(new Argument('<paper>', 'which paper').choices(PAPERS.map(({ id }) => id)))
    .description("recompute a paper's numbers, one line a claim")
    .option('--data <DIR>', "ExecRetrieval's released files: results/*.json, data/*.jsonl")
    .option('--only <TEXT>', 'only claims of places that begin so, such as "Table 3"')
    .option('--json <FILE>', 'write the claims as JSON; - for standard output instead of lines')
    .addHelpText(
      'after',
      `
Ends with 1 when any number differs. Numbers that need data which is not here say what they need.

Examples:
  assay reproduce core-bench --only "Table 12"
  assay reproduce execretrieval --data ./execretrieval`,
    )
    .action(async (id: string, options: ReproduceOptions) => {
      const paper = PAPERS.find((one) => one.id === id);
      if (paper === undefined) throw new AppError('input', 'unknown-paper', `There is no paper ${id}.`);
      const released = options.data === undefined ? new Map() : await releasedReports(options.data);
      const { only } = options;
      const all = reproduce(paper, released).filter(
        ({ claim }) => only === undefined || claim.place.startsWith(only),
      );
      const counts = { equal: 0, differs: 0, 'not-recomputable': 0 };
      for (const { state } of all) counts[state]++;
      const json = `${JSON.stringify({ paper: paper.id, title: paper.title, counts, claims: all }, null, 1)}\n`;
      if (options.json === '-') process.stdout.write(json);
      else {
        if (options.json !== undefined) writeFileSync(options.json, json);
        for (const one of all) console.log(lineOf(one));
        console.log(
          `\n${paper.title}: ${all.length} numbers; ${counts.equal} equal, ${counts.differs} differ, ${counts['not-recomputable']} not recomputable here`,
        );
      }
      if (counts.differs > 0) process.exitCode = 1;
    });
}

function lineOf({ claim, state, found, note }: ReproducedClaim): string {
  const by =
    state === 'differs' && found !== undefined ? ` by ${Number((found - claim.value).toPrecision(3))}` : '';
  const value = found === undefined ? '' : `, found ${Number(found.toPrecision(6))}`;
  return `${`${WORDS[state]}${by}`.padEnd(22)}  ${claim.place}: ${claim.statement}: ${claim.value}${value}${note === undefined ? '' : ` (${note})`}`;
}

async function releasedReports(folder: string): Promise<ReleasedReports> {
  const results = path.join(folder, 'results');
  if (!existsSync(results) || !statSync(results).isDirectory())
    throw new AppError(
      'input',
      'file-missing',
      `There is no folder ${results}. --data names a copy of the released data set.`,
    );
  const paired = await pairedDistractors(path.join(folder, 'data'));
  const reports = new Map<string, ReturnType<typeof readExecResults>['report']>();
  for (const name of readdirSync(results).sort()) {
    // The board itself has no outcomes.
    if (!name.endsWith('.json') || name === 'full_leaderboard.json') continue;
    const { system, report } = readExecResults(
      await localText(path.join(results, name)),
      name,
      paired.distractors,
      {
        domains: paired.domains,
      },
    );
    reports.set(system, report);
  }
  return reports;
}

async function pairedDistractors(data: string): Promise<{
  readonly distractors: ReadonlyMap<string, readonly string[]>;
  readonly domains: ReadonlyMap<string, string | null>;
}> {
  const [corpusFile, queriesFile] = [path.join(data, 'corpus.jsonl'), path.join(data, 'queries.jsonl')];
  if (!existsSync(corpusFile) || !existsSync(queriesFile))
    return { distractors: new Map(), domains: new Map() };
  const queries = await readExecQueries(
    await localFile(queriesFile),
    await readExecCorpus(await localFile(corpusFile)),
  );
  return {
    distractors: new Map(queries.map(({ id, distractorIds }) => [id, distractorIds])),
    domains: new Map(queries.map(({ id, domain }) => [id, domain])),
  };
}
