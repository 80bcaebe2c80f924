import type { BenchmarkLayout } from '../../benchmarks/definition.ts';
import { columnOf, gradeOf, idText, objectOf, type ColumnMapping } from '../../benchmarks/rows/columns.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import { quoted, rowError, type Row } from '../../codecs/row.ts';
import { readTable } from '../../codecs/table.ts';
import type {
  DocumentRow,
  JudgementRow,
  LayoutReader,
  Placed,
  QueryRow,
  ReadContext,
  ReadPosition,
} from './layout.ts';

/** A benchmark as tables of documents, queries and judgements: shards in order. */
export interface TableLayout {
  readonly layout: BenchmarkLayout;
  readonly protocolId: string;
  readonly documents: readonly ByteSource[];
  readonly queries: readonly ByteSource[];
  readonly qrels: readonly ByteSource[];
  readonly columns: ColumnMapping;
  /** Used where a document's row names none. */
  readonly language?: string;
  /** Rows without id or text are counted and left out (as CoREB's evaluator does) instead of being an error. */
  readonly dropIncompleteRows?: boolean;
  /** What a query's row says beside id and text, for slices; default: its short scalar columns. */
  readonly queryExtra?: (row: Row) => Readonly<Record<string, unknown>>;
  readonly documentExtra?: (row: Row) => Readonly<Record<string, unknown>>;
}

const LONGEST_EXTRA = 200;

/** Reads any benchmark that is three tables. Errors: `bad-row` with file, line and value, and the codecs' own. */
export function tableLayout(layout: TableLayout): LayoutReader {
  const { documents, queries, qrels, columns } = layout;
  return {
    layout: layout.layout,
    protocolId: layout.protocolId,
    files: [...documents, ...queries, ...qrels],
    documents: (start, context) =>
      read(documents, 'documents', start, context, (row, file) => documentOf(layout, row, file, context)),
    queries: (context) =>
      read(queries, 'queries', undefined, context, (row, file) => queryOf(layout, row, file, context)),
    judgements: (context) =>
      read(qrels, 'judgements', undefined, context, (row, file) => judgementOf(columns.qrels, row, file)),
  };
}

/** Reads shards in order from a place on; a row that maps to undefined is left out. */
async function* read<T>(
  files: readonly ByteSource[],
  what: string,
  start: ReadPosition | undefined,
  context: ReadContext,
  map: (row: Row, file: string) => T | undefined,
): AsyncGenerator<Placed<T>[], void, undefined> {
  for (const [index, file] of files.entries()) {
    if (start !== undefined && index < start.file) continue;
    const total = await file.size(context.signal);
    const step = files.length === 1 ? file.name : `${what}, file ${index + 1} of ${files.length}`;
    const rows = readTable(file, {
      signal: context.signal,
      ...(start?.file === index ? { start } : {}),
      onProgress: (done, unit) =>
        context.onProgress?.({
          step,
          done,
          unit,
          ...(unit === 'bytes' && total !== undefined ? { total } : {}),
        }),
    });
    for await (const batch of rows) {
      const placed: Placed<T>[] = [];
      for (const row of batch) {
        const value = map(row, file.name);
        if (value !== undefined)
          placed.push({
            value,
            file: file.name,
            line: row.line,
            next: { file: index, offset: row.end, line: row.line },
          });
      }
      if (placed.length > 0) yield placed;
    }
  }
}

function documentOf(
  layout: TableLayout,
  row: Row,
  file: string,
  context: ReadContext,
): DocumentRow | undefined {
  const columns = layout.columns.documents;
  const idColumn = columnOf(row.value, columns.id);
  const textColumn = columnOf(row.value, columns.text);
  if (layout.dropIncompleteRows === true && (idColumn === undefined || textColumn === undefined)) {
    context.warn('incomplete-row', 'rows without id or text are left out', `${file}, line ${row.line}`);
    return undefined;
  }
  const title = textAt(row, columnOf(row.value, columns.title));
  const language = textAt(row, columnOf(row.value, columns.language))?.toLowerCase() ?? layout.language;
  const extra = layout.documentExtra?.(row);
  return {
    id: requiredId(row, file, idColumn, columns.id),
    text: requiredText(row, file, textColumn, columns.text),
    ...(title ? { title } : {}),
    ...(language ? { language } : {}),
    ...(extra ? { extra } : {}),
  };
}

function queryOf(layout: TableLayout, row: Row, file: string, context: ReadContext): QueryRow | undefined {
  const columns = layout.columns.queries;
  const idColumn = columnOf(row.value, columns.id);
  const textColumn = columnOf(row.value, columns.text);
  if (layout.dropIncompleteRows === true && (idColumn === undefined || textColumn === undefined)) {
    context.warn('incomplete-row', 'rows without id or text are left out', `${file}, line ${row.line}`);
    return undefined;
  }
  const visibleColumn = columnOf(row.value, columns.visible);
  const visible = visibleColumn === undefined ? undefined : visibleIds(row, file, visibleColumn);
  const used = [idColumn, textColumn, visibleColumn];
  return {
    id: requiredId(row, file, idColumn, columns.id),
    text: requiredText(row, file, textColumn, columns.text),
    extra: layout.queryExtra?.(row) ?? shortScalars(row, used),
    ...(visible && visible.length > 0 ? { visible } : {}),
  };
}

function judgementOf(columns: ColumnMapping['qrels'], row: Row, file: string): JudgementRow {
  const gradeColumn = columnOf(row.value, columns.grade);
  const grade = gradeColumn === undefined ? 1 : gradeOf(row.value[gradeColumn]);
  if (grade === undefined)
    throw rowError(
      file,
      row.line,
      'bad-row',
      `"${gradeColumn}" must be a whole number, found ${quoted(row.value[gradeColumn as string])}`,
    );
  return {
    queryId: requiredId(row, file, columnOf(row.value, columns.query), columns.query),
    documentId: requiredId(row, file, columnOf(row.value, columns.document), columns.document),
    grade,
  };
}

function requiredId(row: Row, file: string, column: string | undefined, names: readonly string[]): string {
  const id = column === undefined ? undefined : idText(row.value[column], row.numberText(column));
  if (id !== undefined) return id;
  if (column === undefined) throw missingColumn(row, file, 'an id', names);
  throw rowError(
    file,
    row.line,
    'bad-row',
    `"${column}" must be an id (text that is not empty, or a number), found ${quoted(row.value[column])}`,
  );
}

function requiredText(row: Row, file: string, column: string | undefined, names: readonly string[]): string {
  const text = textAt(row, column);
  if (text !== undefined) return text;
  if (column === undefined) throw missingColumn(row, file, 'a text', names);
  throw rowError(file, row.line, 'bad-row', `"${column}" must be text, found ${quoted(row.value[column])}`);
}

function missingColumn(row: Row, file: string, what: string, names: readonly string[]): Error {
  const has = Object.keys(row.value).join(', ');
  return rowError(
    file,
    row.line,
    'missing-column',
    `needs ${what} in one of the columns ${names.join(', ')}; it has ${has}`,
  );
}

function textAt(row: Row, column: string | undefined): string | undefined {
  const value = column === undefined ? undefined : row.value[column];
  // Half a character has no UTF-8 form: it becomes U+FFFD here as it would in a file.
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : undefined;
}

function visibleIds(row: Row, file: string, column: string): string[] {
  const value = row.value[column];
  if (!Array.isArray(value))
    throw rowError(
      file,
      row.line,
      'bad-row',
      `"${column}" must be a list of document ids, found ${quoted(value)}`,
    );
  return value.map((entry: unknown) => {
    const id = idText(entry, undefined);
    if (id === undefined)
      throw rowError(file, row.line, 'bad-row', `"${column}" holds ${quoted(entry)}, which is no id`);
    return id;
  });
}

/** What may be sliced by: short texts, numbers and truth values, also one level down in `meta` or `metadata`. */
export function shortScalars(
  row: Row,
  used: readonly (string | undefined)[] = [],
): Record<string, string | number | boolean> {
  const found: Record<string, string | number | boolean> = {};
  const take = (name: string, value: unknown): void => {
    if (name === '__proto__' || Object.hasOwn(found, name)) return;
    if (typeof value === 'bigint') found[name] = Number(value);
    else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      found[name] = value;
    else if (
      typeof value === 'string' &&
      value !== '' &&
      value.length <= LONGEST_EXTRA &&
      !/\p{Surrogate}/u.test(value)
    )
      found[name] = value;
  };
  const nested = ['meta', 'metadata'].filter((name) => objectOf(row.value[name]) !== undefined);
  for (const [name, value] of Object.entries(row.value))
    if (!used.includes(name) && !nested.includes(name)) take(name, value);
  for (const name of nested)
    for (const [member, value] of Object.entries(objectOf(row.value[name]) ?? {})) take(member, value);
  return found;
}
