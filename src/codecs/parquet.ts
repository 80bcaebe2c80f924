import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type RowGroup,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { AppError, messageOf } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import type { Row } from './row.ts';

/** Rows are decoded in portions of about this many bytes, whatever the size of the file's row groups. */
const TARGET_PORTION_BYTES = 32 * 1024 * 1024;
/** A page (the unit of compression) is about 1 MB in practice; a file that claims more than this is not believed. */
const MAX_PAGE_BYTES = 512 * 1024 * 1024;
/** No honest page shrinks more: run lengths reach about this on constant data. */
const MAX_PAGE_RATIO = 20_000;
/** Column chunks that are held while the portions of one row group are read. */
const MAX_HELD_CHUNK_BYTES = 256 * 1024 * 1024;

/** What a parquet file says of itself. */
export interface ParquetHead {
  readonly rows: number;
  /** Top-level columns in file order. */
  readonly columns: readonly string[];
  readonly rowGroups: number;
}

/** How to read. */
export interface ParquetReadOptions {
  /** Columns to read; default all. A column that the file lacks is left out. */
  readonly columns?: readonly string[];
  /** First row; default 0. */
  readonly from?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows read so far. */
  readonly onRow?: (rows: number) => void;
}

/** Returns what the file's footer says. Errors: `damaged-parquet`, `unsupported-compression`, `implausible-parquet`. */
export async function readParquetHead(source: ByteSource, signal?: AbortSignal): Promise<ParquetHead> {
  const metadata = await footerOf(source, await bufferOf(source, signal));
  return {
    rows: Number(metadata.num_rows),
    columns: columnsOf(metadata),
    rowGroups: metadata.row_groups.length,
  };
}

/**
 * Reads rows in order, in portions of bounded memory, fetching only the byte ranges of the wanted columns. int64 values
 * come as bigint at the top level (they may be ids) and as number or text inside structs; an absent value is null.
 * `line` of a row is its number from 1, `end` the number of rows up to it. Errors as {@link readParquetHead}.
 */
export async function* readParquetRows(
  source: ByteSource,
  options: ParquetReadOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  const { from = 0, signal, onRow } = options;
  const buffer = await bufferOf(source, signal);
  const metadata = await footerOf(source, buffer);
  const columns = columnsOf(metadata).filter((name) => options.columns?.includes(name) ?? true);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupRows = Number(group.num_rows);
    const groupEnd = groupStart + groupRows;
    const portion = portionOf(group, columns);
    const file = indexed(group) ? buffer : holding(buffer);
    for (let start = Math.max(groupStart, from); start < groupEnd; start += portion) {
      const end = Math.min(start + portion, groupEnd);
      const rows = await readPortion(source, file, metadata, columns, start, end);
      onRow?.(end);
      if (rows.length > 0) yield rows;
    }
    groupStart = groupEnd;
  }
}

async function readPortion(
  source: ByteSource,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  start: number,
  end: number,
): Promise<Row[]> {
  let table: unknown[][] = [];
  try {
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart: start,
      rowEnd: end,
      useOffsetIndex: true,
      compressors: boundedCompressors,
      onComplete: (rows) => {
        table = rows as unknown[][];
      },
    });
  } catch (error) {
    throw damaged(source, `rows ${start + 1} to ${end} cannot be read (${messageOf(error)})`, error);
  }
  if (table.length !== end - start)
    throw damaged(source, `rows ${start + 1} to ${end} were announced, ${table.length} are there`);
  return table.map((values, i) => {
    const value = Object.create(null) as Record<string, unknown>;
    for (const [c, name] of columns.entries()) value[name] = topLevelValue(values[c]);
    const number = start + i + 1;
    return {
      value,
      line: number,
      end: number,
      numberText: (member) => (typeof value[member] === 'number' ? String(value[member]) : undefined),
    };
  });
}

async function footerOf(source: ByteSource, file: AsyncBuffer): Promise<FileMetaData> {
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(source, messageOf(error), error);
  }
  const unknown = metadata.row_groups
    .flatMap((group) => group.columns)
    .map((column) => column.meta_data?.codec)
    .find((codec) => codec !== undefined && codec !== 'UNCOMPRESSED' && !(codec in compressors));
  if (unknown !== undefined)
    throw new AppError(
      'codec',
      'unsupported-compression',
      `${source.name} is compressed with ${unknown}, which is not supported. Supported: none, ${Object.keys(compressors).join(', ')}.`,
    );
  checkPlausible(source, metadata, file.byteLength);
  return metadata;
}

/** A footer may claim anything: what it claims must fit the bytes that are there before anything is allocated for it. */
function checkPlausible(source: ByteSource, metadata: FileMetaData, fileBytes: number): void {
  const implausible = (what: string): AppError =>
    new AppError(
      'codec',
      'implausible-parquet',
      `${source.name} claims ${what} in ${fileBytes} bytes. It is damaged or not what it says.`,
    );
  let rows = 0n;
  for (const group of metadata.row_groups) {
    rows += group.num_rows;
    let unpacked = 0n;
    for (const { meta_data } of group.columns) {
      if (meta_data === undefined) continue;
      const start = meta_data.dictionary_page_offset ?? meta_data.data_page_offset;
      if (meta_data.total_compressed_size < 0n || start + meta_data.total_compressed_size > BigInt(fileBytes))
        throw implausible(`a column of ${meta_data.total_compressed_size} bytes at ${start}`);
      unpacked += meta_data.total_uncompressed_size;
    }
    if (group.num_rows < 0n || unpacked > BigInt(fileBytes) * BigInt(MAX_PAGE_RATIO))
      throw implausible(`${unpacked} unpacked bytes`);
    // Every row has an id of its own, so a row takes at least one unpacked byte.
    if (group.num_rows > unpacked + 1n)
      throw implausible(`${group.num_rows} rows of ${unpacked} bytes in all`);
  }
  if (rows !== metadata.num_rows) throw implausible(`${metadata.num_rows} rows, its row groups ${rows}`);
}

/** Each decompressor behind a bound on what it may produce. */
const boundedCompressors: Compressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, outputLength: number) => {
      if (outputLength > MAX_PAGE_BYTES || outputLength > (input.byteLength + 64) * MAX_PAGE_RATIO)
        throw new Error(`a page of ${input.byteLength} bytes claims to unpack to ${outputLength}`);
      const output = unpack(input, outputLength);
      if (output.byteLength !== outputLength)
        throw new Error(`a page unpacked to ${output.byteLength} bytes instead of ${outputLength}`);
      return output;
    },
  ]),
);

function columnsOf(metadata: FileMetaData): string[] {
  return parquetSchema(metadata).children.map((child) => child.element.name);
}

/** Rows to decode at a time. */
function portionOf(group: RowGroup, columns: readonly string[]): number {
  const rows = Number(group.num_rows);
  const bytes = group.columns
    .filter((column) => columns.includes(column.meta_data?.path_in_schema[0] ?? ''))
    .reduce((sum, column) => sum + Number(column.meta_data?.total_uncompressed_size ?? 0n), 0);
  return Math.max(1, Math.min(rows, Math.floor((rows * TARGET_PORTION_BYTES) / Math.max(bytes, 1)) || 1));
}

/** Whether the pages of a row group can be found one by one. */
function indexed(group: RowGroup): boolean {
  return group.columns.every((column) => column.offset_index_offset !== undefined);
}

/** Keeps the ranges that were read: without a page index each portion of a row group asks for the same whole columns. */
function holding(file: AsyncBuffer): AsyncBuffer {
  const held = new Map<string, Promise<ArrayBuffer>>();
  let bytes = 0;
  return {
    byteLength: file.byteLength,
    slice(start, end = file.byteLength) {
      const key = `${start}-${end}`;
      const known = held.get(key);
      if (known !== undefined) return known;
      const read = Promise.resolve(file.slice(start, end));
      if (bytes + end - start <= MAX_HELD_CHUNK_BYTES) {
        bytes += end - start;
        held.set(key, read);
      }
      return read;
    },
  };
}

async function bufferOf(source: ByteSource, signal: AbortSignal | undefined): Promise<AsyncBuffer> {
  const size = await source.size(signal);
  if (size === undefined)
    throw new AppError(
      'codec',
      'unknown-size',
      `${source.name}: a parquet file is read from its end, and nobody says how long it is. Download it and drop the file on the page.`,
    );
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = await source.slice(start, Math.min(end, size), signal);
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    },
  };
}

function damaged(source: ByteSource, what: string, cause?: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError(
    'codec',
    'damaged-parquet',
    `${source.name} is not a whole parquet file: ${what}. Fetch it again.`,
    cause === undefined ? undefined : { cause },
  );
}

function topLevelValue(value: unknown): unknown {
  return typeof value === 'bigint' ? value : plainValue(value);
}

/** A nested value as JSON could hold it. */
function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, plainValue);
  const plain = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) plain[name] = plainValue(member);
  return plain;
}
