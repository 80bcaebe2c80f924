import { InvalidArgumentError, Option, type Command } from 'commander';
import { interruptSignal } from '../interrupt.ts';
import { searchFiles, type SearchFilesOptions } from '../search/search-files.ts';

/** `assay search`: exact rankings from two .npy files, as a TREC run on stdout. */
export function register(program: Command): void {
  program
    .command('search')
    .description('exact top-k of query vectors over document vectors, as a TREC run on stdout')
    .requiredOption('--documents <FILE>', '.npy matrix of document vectors (float32 or float16)')
    .requiredOption('--queries <FILE>', '.npy matrix of query vectors')
    .requiredOption('--k <K>', 'documents per query, 1 to 1000', parseWhole)
    .option('--ids <FILE>', 'document ids, one a line (default: row numbers from 0)')
    .option('--query-ids <FILE>', 'query ids, one a line (default: row numbers from 0)')
    .addOption(
      new Option('--similarity <NAME>', 'how vectors are compared')
        .choices(['cosine', 'dot'])
        .default('cosine'),
    )
    .option(
      '--visible <FILE>',
      'documents that exist for each query: JSON {"query": ["document", …]} or "query document" lines',
    )
    .option('--exclude <FILE>', 'documents taken out for each query (anchors), same forms')
    .option('--threads <N>', 'threads', parseWhole, 1)
    .option('--tag <TEXT>', 'last column of the run', 'assay')
    .addHelpText(
      'after',
      `
Scores are float64 sums from left to right; equal scores are ordered by document id, descending, in UTF-8 bytes.
--visible: a query that a JSON file does not name sees every document; one without a line in a file of pairs sees none.

Examples:
  assay search --documents D.npy --queries Q.npy --k 100 --ids ids.txt > run.trec
  assay search --documents D.npy --queries Q.npy --k 10 --similarity dot --exclude anchors.tsv --threads 2`,
    )
    .action(async (options: SearchFilesOptions) => {
      const interrupt = interruptSignal();
      try {
        await searchFiles(options, interrupt.signal, (text) => process.stdout.write(text));
      } finally {
        interrupt.dispose();
      }
    });
}

function parseWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}
