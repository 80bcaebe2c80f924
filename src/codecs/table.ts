import { AppError } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import { unpacked } from './compressed.ts';
import { readCsv, readTsv } from './delimited.ts';
import { readJsonDocument } from './json-document.ts';
import { readJsonLines } from './jsonl.ts';
import { readParquetRows } from './parquet.ts';
import type { Row } from './row.ts';

/** File formats that hold rows. */
export type TableFormat = 'jsonl' | 'json' | 'parquet' | 'csv' | 'tsv';

/** Where to start and what to read. */
export interface TableOptions {
  /** The `end` of the last row that was read, with its line. */
  readonly start?: { readonly offset: number; readonly line: number };
  /** Columns that are wanted; formats that can skip the others do. */
  readonly columns?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Progress in the format's own unit: bytes, or rows of a parquet file. */
  readonly onProgress?: (done: number, unit: 'bytes' | 'rows') => void;
}

const ENDINGS: readonly (readonly [RegExp, TableFormat])[] = [
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
  [/\.json$/i, 'json'],
  [/\.parquet$/i, 'parquet'],
  [/\.csv$/i, 'csv'],
  [/\.(tsv|tab)$/i, 'tsv'],
];

/** The format that a file name promises (an ending for gzip or zstd is looked through), or undefined. */
export function tableFormatOf(name: string): TableFormat | undefined {
  const plain = name.replace(/\.(gz|gzip|zst|zstd)$/i, '');
  return ENDINGS.find(([ending]) => ending.test(plain))?.[1];
}

const SNIFFED_BYTES = 64 * 1024;

/** The format of a file: by its ending, else by its first bytes; undefined when neither tells. */
export async function formatOf(source: ByteSource, signal?: AbortSignal): Promise<TableFormat | undefined> {
  const byName = tableFormatOf(source.name);
  if (byName !== undefined) return byName;
  const plain = await unpacked(source, signal);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of plain.stream(0, signal)) {
    pieces.push(piece.subarray(0, SNIFFED_BYTES - bytes));
    bytes += piece.byteLength;
    if (bytes >= SNIFFED_BYTES) break;
  }
  const text = pieces
    .map((piece) => new TextDecoder().decode(piece, { stream: true }))
    .join('')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('PAR1')) return 'parquet';
  if (text.startsWith('[')) return 'json';
  const firstLine = text.split(/\r?\n/, 1)[0] ?? '';
  if (text.startsWith('{')) return isJson(firstLine) ? 'jsonl' : 'json';
  if (firstLine.includes('\t')) return 'tsv';
  return firstLine.includes(',') || firstLine.includes(';') ? 'csv' : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Reads the rows of a file of any table format, unpacking it where needed. Errors: `unknown-format` and each codec's own. */
export async function* readTable(
  source: ByteSource,
  options: TableOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  const { start, columns, signal, onProgress } = options;
  const format = await formatOf(source, signal);
  const plain = await unpacked(source, signal);
  const onOffset = (offset: number): void => onProgress?.(offset, 'bytes');
  switch (format) {
    case 'jsonl':
      yield* readJsonLines(plain, { signal, onOffset, ...(start ? { start } : {}) });
      return;
    case 'parquet':
      yield* readParquetRows(plain, {
        signal,
        from: start?.offset ?? 0,
        ...(columns ? { columns } : {}),
        onRow: (rows) => onProgress?.(rows, 'rows'),
      });
      return;
    case 'json':
      yield* after(start, [await readJsonDocument(plain, signal)]);
      return;
    case 'csv':
      yield* after(start, readCsv(plain, { signal, onOffset }));
      return;
    case 'tsv':
      yield* after(start, readTsv(plain, { signal, onOffset }));
      return;
    case undefined:
      throw new AppError(
        'codec',
        'unknown-format',
        `${source.name}: neither its ending nor its first bytes tell a known format. Known: .jsonl, .json, .parquet, .csv, .tsv, each also with .gz or .zst.`,
      );
  }
}

/** The first rows of a file, for looking at its columns. */
export async function firstRows(source: ByteSource, count: number, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readTable(source, { signal })) {
    rows.push(...batch.slice(0, count - rows.length));
    if (rows.length >= count) break;
  }
  return rows;
}

/** Formats without random access are read again from their start; rows up to the known line are left out. */
async function* after(
  start: TableOptions['start'],
  batches: AsyncIterable<Row[]> | Iterable<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  for await (const batch of batches) {
    const rows = start === undefined ? batch : batch.filter((row) => row.line > start.line);
    if (rows.length > 0) yield rows;
  }
}
