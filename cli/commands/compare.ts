import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { comparisonSentence, type Comparison, type PairComparison } from '../../src/analyses/comparison.ts';
import type { Estimate } from '../../src/analyses/estimate.ts';
import { AppError } from '../../src/domain/app-error.ts';
import {
  comparedResults,
  compareResults,
  differencesInWords,
  type ComparedResult,
} from '../../src/share/compared-result.ts';
import { executionReceipt } from '../../src/share/link.ts';
import { checkRecordId } from '../../src/share/record.ts';
import { plainTable } from '../print/result-tables.ts';
import { resultSource } from '../result-source.ts';

interface CompareOptions {
  readonly metric?: string;
  readonly flips: string;
  readonly json?: string;
}

/** `assay compare`: results against each other, query by query. */
export function register(program: Command): void {
  program
    .command('compare <results...>')
    .description('compare links, record.json files or folders of evaluate, query by query')
    .option('--metric <NAME>', 'the metric; default: the first that all have, such as exec@1')
    .option('--flips <N>', 'queries shown on which a pair differs', '10')
    .option('--json <FILE>', 'write the comparison as JSON; - for standard output instead of the tables')
    .addHelpText(
      'after',
      `
Pairs get a paired table, exact McNemar, the bootstrap interval of the difference and a randomisation test;
"adjusted p" is Holm's over all pairs. Systems that share a letter do not differ beyond chance.

Examples:
  assay compare result-a result-b
  assay compare a/record.json b/link.txt --metric nDCG@10`,
    )
    .action(compare);
}

async function compare(given: readonly string[], options: CompareOptions): Promise<void> {
  if (given.length < 2)
    throw new AppError(
      'input',
      'not-comparable',
      'A comparison needs two results: two links, records or folders.',
    );
  const results = comparedResults(
    await Promise.all(
      given.map(async (one) => {
        const source = await resultSource(one);
        if (source.kind === 'record') return { record: await checkRecordId(source.record) };
        return { receipt: executionReceipt(source.payload) };
      }),
    ),
  );
  const metric = options.metric ?? firstShared(results);
  const comparison = compareResults(results, metric);
  const json = `${JSON.stringify({ ...comparison, origins: results.map(({ name, origin }) => ({ name, ...origin })) }, null, 1)}\n`;
  if (options.json === '-') {
    process.stdout.write(json);
    return;
  }
  if (options.json !== undefined) writeFileSync(options.json, json);
  console.log(tables(comparison, results, flipsOf(options.flips)));
}

function flipsOf(text: string): number {
  if (/^\d{1,6}$/u.test(text)) return Number(text);
  throw new AppError(
    'input',
    'bad-option',
    `--flips takes a whole number from 0, not ${JSON.stringify(text)}.`,
  );
}

function firstShared(results: readonly ComparedResult[]): string {
  const [first, ...others] = results;
  const metric = first?.report.columns.find((name) =>
    others.every(({ report }) => report.columns.includes(name)),
  );
  if (metric === undefined)
    throw new AppError('score', 'not-comparable', 'The results have no metric in common.');
  return metric;
}

function tables(comparison: Comparison, results: readonly ComparedResult[], flips: number): string {
  const { metric, benchmark } = { metric: comparison.measure, benchmark: results[0]?.origin.benchmark.id };
  const lines = [
    `${metric} on ${benchmark ?? 'one benchmark'}, ${comparison.queries} queries, ${results.length} systems`,
    '',
    plainTable(
      ['system', metric, 'tie group'],
      [...comparison.groups.systems]
        .sort((a, b) => b.mean - a.mean)
        .map(({ name, mean, letters }) => [name, mean.toFixed(4), letters]),
    ),
  ];
  for (const pair of comparison.pairs)
    lines.push('', ...pairLines(pair, comparison.pairs.length, results, flips));
  return lines.join('\n');
}

function pairLines(
  pair: PairComparison,
  pairs: number,
  results: readonly ComparedResult[],
  flips: number,
): string[] {
  const lines = [`${pair.a} (A) against ${pair.b} (B): ${comparisonSentence(pair, pairs)}`];
  const { table, mcnemar, randomisation, difference } = pair;
  if (table !== null)
    lines.push(
      plainTable(
        ['', 'both', 'A only', 'B only', 'neither'],
        [['queries', ...[table.both, table.aOnly, table.bOnly, table.neither].map(String)]],
      ),
    );
  lines.push(
    `  A ${pair.aMean.toFixed(4)}, B ${pair.bMean.toFixed(4)}; difference ${interval(difference)}`,
    ...(mcnemar === null ? [] : [`  exact McNemar p = ${pText(mcnemar.p)} (mid-p ${pText(mcnemar.midP)})`]),
    `  randomisation p = ${pText(randomisation.p)} (${randomisation.exact ? 'every' : 'sampled'} sign pattern); adjusted p = ${pText(pair.adjustedP)}`,
    `  smallest difference found with power .80: ${pair.detectable === null ? 'none' : pair.detectable.toFixed(3)}`,
  );
  if (pair.flipped.length > 0 && flips > 0) {
    const shown = pair.flipped.slice(0, flips).map(({ queryId, a, b }) => `${queryId} (A ${a}, B ${b})`);
    const more = pair.flipped.length - shown.length;
    lines.push(
      `  differ on ${pair.flipped.length} queries: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    );
  }
  const [a, b] = [pair.a, pair.b].map((name) => results.find((one) => one.name === name));
  const words = a === undefined || b === undefined ? [] : differencesInWords(a, b);
  lines.push(words.length === 0 ? '  They differ in nothing else that is recorded.' : '  What else differs:');
  return [...lines, ...words.map((line) => `    ${line}`)];
}

function interval({ value, low, high }: Estimate): string {
  const text = (number: number | null): string => (number === null ? '?' : number.toFixed(4));
  return `${text(value)} [${text(low)}, ${text(high)}]`;
}

function pText(p: number): string {
  return p < 0.001 ? p.toExponential(1) : p.toFixed(4);
}
