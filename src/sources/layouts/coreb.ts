import { KNOWN_COLUMNS, objectOf, type ColumnMapping } from '../../benchmarks/rows/columns.ts';
import { tableFormatOf } from '../../codecs/table.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import type { Row } from '../../codecs/row.ts';
import { AppError } from '../../domain/app-error.ts';
import type { FileSet, LayoutReader } from './layout.ts';
import { shortScalars, tableLayout } from './table-layout.ts';

/** CoREB's three tasks: text to code, code to code, code to text. */
export type CorebTask = 'text2code' | 'code2code' | 'code2text';

/** CoREB's columns with its own fall-backs; in code-to-text a query's own `text_id` is a label, never its id. */
const COLUMNS: ColumnMapping = {
  documents: {
    id: ['code_id', 'doc_id', 'id', 'text_id'],
    text: ['code', 'text', 'content'],
    language: ['language'],
  },
  queries: { id: ['query_id', 'id'], text: ['query', 'code', 'text', 'content'] },
  qrels: KNOWN_COLUMNS.qrels,
};

/**
 * Reads one task of a CoREB release: parquet files named `{config}-{release}-00000-of-00001.parquet`, or JSON Lines
 * named by their config. A query's extras carry subtask, language constraint and, in code-to-code, `anchorId`: the
 * document that is the query itself and is removed before the cut. Errors: `missing-file`.
 */
export function corebLayout(set: FileSet, task: CorebTask, release?: string): LayoutReader {
  const corpus = task === 'code2text' ? 'text_corpus' : 'code_corpus';
  const files = (config: string): ByteSource[] => {
    const found = [...set.files.keys()].filter((path) => isConfig(path, config, release)).sort();
    if (found.length === 0)
      throw new AppError(
        'input',
        'missing-file',
        `${set.name} has no file of the config "${config}"${release ? ` in ${release}` : ''}.`,
      );
    return found.map((path) => set.files.get(path) as ByteSource);
  };
  return tableLayout({
    layout: 'coreb',
    protocolId: 'coreb-paper',
    documents: files(corpus),
    queries: files(`${task}_queries`),
    qrels: files(`${task}_qrels`),
    columns: COLUMNS,
    dropIncompleteRows: true,
    queryExtra: (row) => corebQueryExtra(row, task),
    documentExtra: corebDocumentExtra,
  });
}

/** Whether a set of paths looks like a CoREB release. */
export function looksLikeCoreb(paths: Iterable<string>): boolean {
  return [...paths].some((path) => /(^|\/)(text2code|code2code|code2text)_qrels/.test(path));
}

function isConfig(path: string, config: string, release: string | undefined): boolean {
  if (tableFormatOf(path) === undefined) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  // `code_corpus_v2.jsonl` is what the released package reads.
  if (!new RegExp(`^${config}(_v2)?([-.]|$)`).test(name)) return false;
  return release === undefined || !/release_v\d+/.test(path) || path.includes(release);
}

function corebQueryExtra(row: Row, task: CorebTask): Record<string, string | number | boolean> {
  const { query_id: _id, query: _query, code: _code, text: _text, ...rest } = shortScalars(row);
  const meta = objectOf(row.value['meta']);
  const anchor = meta?.['anchor_code_id'] ?? row.value['anchor_code_id'];
  return { ...rest, ...(task === 'code2code' && typeof anchor === 'string' ? { anchorId: anchor } : {}) };
}

function corebDocumentExtra(row: Row): Record<string, string | number | boolean> {
  const {
    code_id: _id,
    code: _code,
    text: _text,
    text_id: _textId,
    language: _language,
    ...rest
  } = shortScalars(row);
  return rest;
}
