import { KNOWN_COLUMNS, type ColumnMapping } from '../../benchmarks/rows/columns.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import { firstRows } from '../../codecs/table.ts';
import { AppError } from '../../domain/app-error.ts';
import { corebLayout, looksLikeCoreb, type CorebTask } from './coreb.ts';
import { execRetrievalLayout } from './exec-retrieval.ts';
import { chooseFiles, subsetsOf } from './file-roles.ts';
import { findFile, type FileSet, type LayoutReader } from './layout.ts';
import { tableLayout } from './table-layout.ts';

/** What a caller knows beforehand. */
export interface DetectOptions {
  /** A subset, a task or a repository, where the files hold several. */
  readonly part?: string;
  /** Columns that the user assigned by hand. */
  readonly columns?: ColumnMapping;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out how a set of files is laid out: ExecRetrieval (queries with test_suite), CoREB, CORE-Bench (queries with
 * filtered_corpus_id), or the corpus / queries / qrels of BEIR, MTEB and CoIR.
 * Errors: `missing-file` with what was found, `unknown-part` with the parts that there are.
 */
export async function detectLayout(set: FileSet, options: DetectOptions = {}): Promise<LayoutReader> {
  const { part, signal } = options;
  const paths = [...set.files.keys()];
  if (looksLikeCoreb(paths)) return corebLayout(set, corebTaskOf(part), part?.match(/release_v\d+/)?.[0]);
  const queries = findFile(set, 'queries.jsonl', 'data/queries.jsonl');
  const corpus = findFile(set, 'corpus.jsonl', 'data/corpus.jsonl');
  const hasQrels = subsetsOf(paths).length > 0;
  if (!hasQrels && (corpus !== undefined || queries !== undefined)) {
    // Its own message names what is missing of that layout.
    return execRetrievalLayout(set);
  }
  if (queries !== undefined && (await hasColumn(queries, 'test_suite', signal)))
    return execRetrievalLayout(set);
  return retrievalLayout(set, options);
}

async function retrievalLayout(
  set: FileSet,
  { part, columns = KNOWN_COLUMNS, signal }: DetectOptions,
): Promise<LayoutReader> {
  const paths = [...set.files.keys()];
  const subsets = subsetsOf(paths);
  if (part !== undefined && !subsets.includes(part.toLowerCase()))
    throw new AppError(
      'input',
      'unknown-part',
      `${set.name} has no part "${part}". It has: ${subsets.join(', ') || 'none'}.`,
    );
  if (part === undefined && subsets.length > 1 && !subsets.includes(''))
    throw new AppError(
      'input',
      'part-needed',
      `${set.name} holds ${subsets.length} benchmarks; name one of them: ${subsets.slice(0, 20).join(', ')}${subsets.length > 20 ? ' …' : ''}.`,
    );
  const chosen = chooseFiles(paths, part?.toLowerCase());
  const missing = (['corpus', 'queries', 'qrels'] as const).filter((role) => chosen[role].length === 0);
  if (missing.length > 0)
    throw new AppError(
      'input',
      'missing-file',
      `${set.name} has no file for ${missing.join(' and ')}. It holds ${listed(paths)}.`,
    );
  const sources = (list: readonly string[]): ByteSource[] =>
    list.map((path) => set.files.get(path) as ByteSource);
  const queries = sources(chosen.queries);
  const visibility = queries[0] !== undefined && (await hasColumn(queries[0], 'filtered_corpus_id', signal));
  const parquet = chosen.corpus.some((path) => path.endsWith('.parquet'));
  return tableLayout({
    layout: visibility ? 'core-bench' : parquet ? 'mteb' : 'beir',
    protocolId: visibility ? 'core-bench' : parquet ? 'mteb' : 'beir',
    documents: sources(chosen.corpus),
    queries,
    qrels: sources(chosen.qrels),
    columns,
  });
}

async function hasColumn(
  file: ByteSource,
  column: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const rows = await firstRows(file, 20, signal);
  return rows.some((row) => Object.hasOwn(row.value, column));
}

function corebTaskOf(part: string | undefined): CorebTask {
  const text = part ?? 'text2code';
  if (/code2code|c2c/.test(text)) return 'code2code';
  if (/code2text|c2t/.test(text)) return 'code2text';
  if (/text2code|t2c/.test(text) || part === undefined) return 'text2code';
  throw new AppError(
    'input',
    'unknown-part',
    `CoREB has no task "${text}". It has text2code, code2code and code2text.`,
  );
}

/** The first few paths, for a message. */
export function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'no files';
  return paths.slice(0, 8).join(', ') + (paths.length > 8 ? ` and ${paths.length - 8} more` : '');
}
