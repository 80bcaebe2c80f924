import { InvalidArgumentError, Option, type Command } from 'commander';
import { BM25_VARIANTS, TOKENIZERS } from '../../src/models/lexical/index.ts';
import { interruptSignal } from '../interrupt.ts';
import { bm25Files, type Bm25FilesOptions } from '../lexical/bm25-files.ts';

/** `assay bm25`: rankings by BM25 from two files, as a TREC run on stdout. */
export function register(program: Command): void {
  const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);
  program
    .command('bm25')
    .description('rankings by BM25, as a TREC run on stdout')
    .requiredOption('--corpus <FILE>', 'documents: JSONL (_id, title, text), CSV, TSV or parquet')
    .requiredOption('--queries <FILE>', 'queries: the same forms (_id, text)')
    .requiredOption('--k <K>', 'documents per query', parseWhole)
    .addOption(new Option('--variant <NAME>', 'the formula').choices(ids(BM25_VARIANTS)).default('lucene'))
    .addOption(
      new Option('--tokenizer <NAME>', 'how texts become terms').choices(ids(TOKENIZERS)).default('code'),
    )
    .option('--k1 <NUMBER>', "saturation (default: the variant's)", parseNumber)
    .option('--b <NUMBER>', "length normalisation, 0 to 1 (default: the variant's)", parseNumber)
    .option('--delta <NUMBER>', "lower bound of BM25+ and BM25L (default: the variant's)", parseNumber)
    .addOption(
      new Option('--template <NAME>', 'how title and text are joined')
        .choices(['text', 'title-space-text-stripped'])
        .default('title-space-text-stripped'),
    )
    .option('--visible <FILE>', 'documents that exist for each query, forms as in "search"')
    .addOption(
      new Option('--statistics <OF>', 'whose idf and mean length, where documents are invisible')
        .choices(['corpus', 'visible'])
        .default('corpus'),
    )
    .option('--tag <TEXT>', 'last column of the run', 'assay-bm25')
    .addHelpText(
      'after',
      `
Variants:
${BM25_VARIANTS.map(({ id, about, formula }) => `  ${id.padEnd(16)} ${about}: ${formula}`).join('\n')}
Tokenizers:
${TOKENIZERS.map(({ id, about }) => `  ${id.padEnd(16)} ${about}`).join('\n')}

Documents without any term of the query score 0 and are ranked too; equal scores are ordered by document id, descending.

Examples:
  assay bm25 --corpus corpus.jsonl --queries queries.jsonl --k 100 > run.trec
  assay bm25 --corpus corpus.jsonl --queries queries.jsonl --k 10 --variant atire --tokenizer bm25s`,
    )
    .action(async (options: Bm25FilesOptions) => {
      const interrupt = interruptSignal();
      try {
        await bm25Files(options, interrupt.signal, (text) => process.stdout.write(text));
      } finally {
        interrupt.dispose();
      }
    });
}

function parseWhole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.');
  return Number(text);
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('A number is needed.');
  return value;
}
