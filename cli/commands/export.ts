import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { AppError } from '../../src/domain/app-error.ts';
import { comparedResults } from '../../src/share/compared-result.ts';
import { bibtexEntry } from '../../src/share/exports/bibtex.ts';
import { evalResultsYaml } from '../../src/share/exports/eval-results.ts';
import { mtebResultJson } from '../../src/share/exports/mteb-result.ts';
import { resultPageHtml } from '../../src/share/exports/result-page.ts';
import { csvText, latexTable, resultsTable } from '../../src/share/exports/tables.ts';
import { executionReceipt, printLink } from '../../src/share/link.ts';
import { receiptOf } from '../../src/share/receipt.ts';
import { checkRecordId, type ResultRecord } from '../../src/share/record.ts';
import { summaryOf } from '../../src/share/summary.ts';
import { resultSource, type ResultSource } from '../result-source.ts';

const FORMATS = ['html', 'csv', 'latex', 'bibtex', 'mteb', 'eval-results', 'link', 'summary-link'] as const;

interface ExportOptions {
  readonly format: (typeof FORMATS)[number];
  readonly metrics?: string;
  readonly site: string;
  readonly dataset?: string;
  readonly out?: string;
}

/** `assay export`: results in the forms that other tools and papers take. */
export function register(program: Command): void {
  program
    .command('export <results...>')
    .description('write results as a page, a table, a citation, or a file of another tool')
    .addOption(new Option('--format <NAME>', 'what to write').choices(FORMATS).makeOptionMandatory())
    .option(
      '--metrics <LIST>',
      'columns of csv, latex and summary-link, such as exec@1,nDCG@10; default: all',
    )
    .option('--site <URL>', 'the site that links name', 'http://localhost:4173/')
    .option('--dataset <OWNER/NAME>', "the benchmark's data set on the hub, for eval-results")
    .option('--out <FILE>', 'the file to write; default: standard output')
    .addHelpText(
      'after',
      `
csv and latex take several results and compare them: tie groups stand beside the numbers. mteb writes what
mteb's TaskResult.from_disk reads; eval-results what a model repository keeps under .eval_results/.

Examples:
  assay export my-result --format html --out result.html
  assay export a b c --format latex --metrics exec@1,exec@10,nDCG@10`,
    )
    .action(async (given: readonly string[], options: ExportOptions) => {
      const text = await exported(await Promise.all(given.map(resultSource)), options);
      if (options.out === undefined) process.stdout.write(text);
      else writeFileSync(options.out, text);
    });
}

async function exported(sources: readonly ResultSource[], options: ExportOptions): Promise<string> {
  const { format, site } = options;
  const names = options.metrics?.split(',').map((name) => name.trim());
  if (format === 'csv' || format === 'latex') {
    const results = comparedResults(
      await Promise.all(
        sources.map(async (source) =>
          source.kind === 'link'
            ? { receipt: executionReceipt(source.payload) }
            : { record: await checkRecordId(source.record) },
        ),
      ),
    );
    const table = resultsTable(results, names ?? results[0]?.report.columns ?? []);
    if (format === 'csv') return csvText(table);
    const { benchmark, queries } = results[0]?.origin ?? { benchmark: { id: '' }, queries: 0 };
    return latexTable(table, `Results on ${benchmark.id}, ${queries} queries.`);
  }
  const records = await Promise.all(sources.map(recordOf));
  if (format === 'summary-link') return `${await printLink(summaryOf(records, names), site)}\n`;
  const [record, ...others] = records;
  if (record === undefined || others.length > 0)
    throw new AppError('input', 'bad-option', `--format ${format} takes one result, got ${sources.length}.`);
  const link = await printLink(await receiptOf(record), site);
  switch (format) {
    case 'link':
      return `${link}\n`;
    case 'html':
      return resultPageHtml(record, link);
    case 'bibtex':
      return bibtexEntry(record, link);
    case 'mteb':
      return mtebResultJson(record);
    case 'eval-results':
      if (options.dataset === undefined || !/^[\w.-]+\/[\w.-]+$/u.test(options.dataset))
        throw new AppError(
          'input',
          'bad-option',
          'eval-results needs --dataset OWNER/NAME, as the hub names the benchmark.',
        );
      return evalResultsYaml(record, options.dataset, link);
  }
}

async function recordOf(source: ResultSource): Promise<ResultRecord> {
  if (source.kind === 'record') return checkRecordId(source.record);
  throw new AppError(
    'input',
    'needs-a-record',
    'This format needs the record; a link holds too little of it. Give the record.json or the folder.',
  );
}
