import { KNOWN_COLUMNS, type ColumnMapping } from '../../src/benchmarks/rows/columns.ts';
import type { ByteSource } from '../../src/codecs/byte-source.ts';
import { firstRows, formatOf } from '../../src/codecs/table.ts';
import type { TableAssignment, TableSample } from '../../src/contracts/data.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { isAborted } from '../../src/contracts/calls.ts';
import { listed } from '../../src/sources/layouts/detect.ts';
import { roleOf } from '../../src/sources/layouts/file-roles.ts';
import type { FileSet, LayoutReader } from '../../src/sources/layouts/layout.ts';
import { tableLayout } from '../../src/sources/layouts/table-layout.ts';

const SAMPLE_ROWS = 5;
const MAX_FILES = 50;
const LONGEST_SHOWN = 500;

/** The first rows of each file, cut for display. A file that is no table is listed with the reason. */
export async function inspectFiles(set: FileSet, signal?: AbortSignal): Promise<TableSample[]> {
  const samples: TableSample[] = [];
  for (const [path, file] of [...set.files].slice(0, MAX_FILES))
    samples.push(await sampleOf(path, file, signal));
  return samples;
}

/** What is what, as far as the columns' names and the files' names tell; undefined when a part is missing. */
export function guessAssignment(samples: readonly TableSample[]): TableAssignment | undefined {
  const withColumns = (role: 'corpus' | 'queries' | 'qrels'): TableSample | undefined =>
    samples.find((sample) => roleOf(sample.path)?.role === role && sample.columns.length > 0);
  const [corpus, queries, qrels] = [withColumns('corpus'), withColumns('queries'), withColumns('qrels')];
  const pick = (sample: TableSample | undefined, names: readonly string[]): string | undefined =>
    names.find((name) => sample?.columns.includes(name) ?? false);
  const { documents: d, queries: q, qrels: j } = KNOWN_COLUMNS;
  const found = {
    documentId: pick(corpus, d.id),
    documentText: pick(corpus, d.text),
    queryId: pick(queries, q.id),
    queryText: pick(queries, q.text),
    judgedQuery: pick(qrels, j.query),
    judgedDocument: pick(qrels, j.document),
  };
  if (corpus === undefined || queries === undefined || qrels === undefined) return undefined;
  const { documentId, documentText, queryId, queryText, judgedQuery, judgedDocument } = found;
  if (!documentId || !documentText || !queryId || !queryText || !judgedQuery || !judgedDocument)
    return undefined;
  const title = pick(corpus, d.title ?? []);
  const grade = pick(qrels, j.grade ?? []);
  return {
    documents: { file: corpus.path, id: documentId, text: documentText, ...(title ? { title } : {}) },
    queries: { file: queries.path, id: queryId, text: queryText },
    qrels: { file: qrels.path, query: judgedQuery, document: judgedDocument, ...(grade ? { grade } : {}) },
  };
}

/** Reads files as a person assigned them. Errors: `missing-file`. */
export function assignedLayout(set: FileSet, assignment: TableAssignment): LayoutReader {
  const { documents, queries, qrels } = assignment;
  const file = (path: string): ByteSource => {
    const found = set.files.get(path);
    if (found === undefined)
      throw new AppError(
        'input',
        'missing-file',
        `${set.name} has no file "${path}". It holds ${listed([...set.files.keys()])}.`,
      );
    return found;
  };
  const columns: ColumnMapping = {
    documents: {
      id: [documents.id],
      text: [documents.text],
      ...(documents.title ? { title: [documents.title] } : {}),
      ...(documents.language ? { language: [documents.language] } : {}),
    },
    queries: { id: [queries.id], text: [queries.text] },
    qrels: {
      query: [qrels.query],
      document: [qrels.document],
      ...(qrels.grade ? { grade: [qrels.grade] } : {}),
    },
  };
  return tableLayout({
    layout: 'beir',
    protocolId: 'beir',
    documents: [file(documents.file)],
    queries: [file(queries.file)],
    qrels: [file(qrels.file)],
    columns,
  });
}

async function sampleOf(
  path: string,
  file: ByteSource,
  signal: AbortSignal | undefined,
): Promise<TableSample> {
  try {
    const format = await formatOf(file, signal);
    if (format === undefined) return { path, columns: [], rows: [], problem: 'no known format' };
    const rows = await firstRows(file, SAMPLE_ROWS, signal);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row.value)))];
    return { path, format, columns, rows: rows.map((row) => shown(row.value)) };
  } catch (error) {
    if (isAborted(error)) throw error;
    return { path, columns: [], rows: [], problem: messageOf(error) };
  }
}

/** A row as plain data of bounded size. */
function shown(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (typeof member === 'bigint') return [name, member.toString()];
    const text = typeof member === 'string' ? member : JSON.stringify(member);
    if (text === undefined || text.length <= LONGEST_SHOWN) return [name, member];
    return [name, `${text.slice(0, LONGEST_SHOWN)}…`];
  });
  return Object.fromEntries(entries);
}
