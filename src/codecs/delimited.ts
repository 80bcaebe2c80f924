import { parse, type CsvError } from 'csv-parse/browser/esm';
import { AppError } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import type { ReadOptions } from './jsonl.ts';
import { readLines } from './lines.ts';
import { htmlError, looksLikeHtml, quoted, rowError, type Row } from './row.ts';

/**
 * Reads a TSV file with a header line. A quotation mark is an ordinary character (an id `"x` must not swallow the next
 * line), so a value holds neither tab nor line end. Values are text, never numbers or missing: `NA` and `007` are ids.
 * Errors: `bad-columns` with line and text, `html-instead-of-data`.
 */
export async function* readTsv(
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  let header: readonly string[] | undefined;
  for await (const lines of readLines(source.stream(0, options.signal), source.name)) {
    const rows: Row[] = [];
    for (const { number, text, end } of lines) {
      if (text.trim() === '') continue;
      const values = text.split('\t');
      if (header === undefined) {
        if (looksLikeHtml(text)) throw htmlError(source.name);
        header = checkedHeader(source.name, number, values);
        continue;
      }
      if (values.length !== header.length)
        throw rowError(
          source.name,
          number,
          'bad-columns',
          `has ${values.length} columns where the header has ${header.length}: ${quoted(text)}`,
        );
      rows.push(rowOf(header, values, number, end));
    }
    options.onOffset?.(lines.at(-1)?.end ?? 0);
    if (rows.length > 0) yield rows;
  }
}

/**
 * Reads a CSV file with a header line by RFC 4180 (quoted values may hold line ends and doubled quotation marks); the
 * separator is a comma, or a semicolon where the header line has no comma. Values are text.
 * Errors: `bad-csv` with line and reason, `html-instead-of-data`.
 */
export async function* readCsv(
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  const delimiter = await csvDelimiter(source, options.signal);
  const parser = parse({ bom: true, delimiter, info: true, skip_empty_lines: true, relax_quotes: false });
  let ready: { record: string[]; info: { lines: number; bytes: number } }[] = [];
  let failure: unknown;
  parser.on('data', (row: { record: string[]; info: { lines: number; bytes: number } }) => ready.push(row));
  parser.on('error', (error: unknown) => {
    failure ??= error;
  });
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.on('close', resolve);
    parser.on('error', () => resolve());
  });
  let header: readonly string[] | undefined;
  const take = (): Row[] => {
    if (failure !== undefined) throw csvError(source.name, failure);
    const rows: Row[] = [];
    for (const { record, info } of ready) {
      if (header === undefined) header = checkedHeader(source.name, info.lines, record);
      else rows.push(rowOf(header, record, info.lines, info.bytes));
    }
    ready = [];
    return rows;
  };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const write = (text: string): Promise<void> =>
    text === '' ? Promise.resolve() : new Promise((resolve) => parser.write(text, () => resolve()));
  let offset = 0;
  for await (const piece of source.stream(0, options.signal)) {
    await write(decodeOr(source.name, () => decoder.decode(piece, { stream: true })));
    offset += piece.byteLength;
    options.onOffset?.(offset);
    const rows = take();
    if (rows.length > 0) yield rows;
  }
  await write(decodeOr(source.name, () => decoder.decode()));
  if (failure === undefined) parser.end();
  await ended;
  const rows = take();
  if (rows.length > 0) yield rows;
}

function decodeOr(file: string, decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new AppError('codec', 'not-utf8', `${file}: not UTF-8 text. Save the file as UTF-8.`, { cause });
  }
}

async function csvDelimiter(source: ByteSource, signal: AbortSignal | undefined): Promise<string> {
  for await (const lines of readLines(source.stream(0, signal), source.name)) {
    const first = lines[0]?.text ?? '';
    if (looksLikeHtml(first)) throw htmlError(source.name);
    return !first.includes(',') && first.includes(';') ? ';' : ',';
  }
  return ',';
}

function csvError(file: string, failure: unknown): AppError {
  const { message, lines } = failure as CsvError & { lines?: number };
  return rowError(file, lines ?? 0, 'bad-csv', message, failure);
}

function checkedHeader(file: string, line: number, names: readonly string[]): readonly string[] {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw rowError(file, line, 'bad-columns', `the header names the column ${quoted(twice)} twice`);
  return names;
}

function rowOf(header: readonly string[], values: readonly string[], line: number, end: number): Row {
  // Without a prototype a column named __proto__ is a column like any other.
  const value = Object.create(null) as Record<string, unknown>;
  for (const [i, name] of header.entries()) value[name] = values[i];
  return { value, line, end, numberText: () => undefined };
}
