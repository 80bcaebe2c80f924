/** Vectors that were made elsewhere: .npy, .npz or parquet, checked before they are searched with. */
import { columnOf, idText } from '../benchmarks/rows/columns.ts';
import type { ByteSource } from '../codecs/byte-source.ts';
import { readNpyMatrix, type Matrix } from '../codecs/npy.ts';
import { readNpz } from '../codecs/npz.ts';
import { readParquetRows } from '../codecs/parquet.ts';
import { quoted, rowError } from '../codecs/row.ts';
import { readAll } from '../codecs/sequential-source.ts';
import { AppError } from '../domain/app-error.ts';

/** A matrix of a file, with the ids of its rows where the file has them. */
export interface VectorTable {
  /** File, and member of an .npz. */
  readonly name: string;
  readonly matrix: Matrix;
  readonly ids?: readonly string[];
}

/** Held in memory at once while it is put in order: 1,000,000 vectors of 384 dimensions. */
const MOST_BYTES = 1_600_000_000;

const ID_COLUMNS = ['id', '_id', 'corpus_id', 'query_id', 'doc_id'];
const VECTOR_COLUMNS = ['embedding', 'vector', 'embeddings', 'values'];

/**
 * Returns the matrices of a file by its name's end: one for .npy and parquet, one a member for .npz. Errors: those of the
 * codecs, `vectors-format` for other files.
 */
export async function readVectorTables(source: ByteSource, signal?: AbortSignal): Promise<VectorTable[]> {
  if (/\.npy$/i.test(source.name)) return [await readNpy(source, source.name, signal)];
  if (/\.npz$/i.test(source.name)) {
    const members = await readNpz(source, signal);
    return Promise.all(members.map(({ key, npy }) => readNpy(npy, `${source.name}, ${key}`, signal)));
  }
  if (/\.parquet$/i.test(source.name)) return [await readParquet(source, signal)];
  throw new AppError(
    'input',
    'vectors-format',
    `${source.name} is neither .npy, .npz nor .parquet: vectors are read from these.`,
  );
}

async function readNpy(
  source: ByteSource,
  name: string,
  signal: AbortSignal | undefined,
): Promise<VectorTable> {
  return { name, matrix: readNpyMatrix(await readAll(source, MOST_BYTES, signal), name) };
}

async function readParquet(source: ByteSource, signal: AbortSignal | undefined): Promise<VectorTable> {
  const ids: string[] = [];
  const rows: Float32Array[] = [];
  let columns = 0;
  for await (const batch of readParquetRows(source, signal ? { signal } : {}))
    for (const { value, line, numberText } of batch) {
      const idColumn = columnOf(value, ID_COLUMNS);
      const vectorColumn = columnOf(value, VECTOR_COLUMNS);
      const id = idColumn === undefined ? undefined : idText(value[idColumn], numberText(idColumn));
      const vector = vectorColumn === undefined ? undefined : value[vectorColumn];
      if (id === undefined || !(Array.isArray(vector) || ArrayBuffer.isView(vector)))
        throw rowError(
          source.name,
          line,
          'bad-row',
          `needs an id (${ID_COLUMNS.join(', ')}) and a list of numbers (${VECTOR_COLUMNS.join(', ')}), found ${quoted(Object.keys(value))}`,
        );
      const numbers = Float32Array.from(vector as ArrayLike<number>, Number);
      columns ||= numbers.length;
      if (numbers.length !== columns)
        throw rowError(
          source.name,
          line,
          'bad-row',
          `has ${numbers.length} dimensions where row 1 has ${columns}`,
        );
      ids.push(id);
      rows.push(numbers);
    }
  const values = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => values.set(row, i * columns));
  return { name: source.name, matrix: { rows: rows.length, columns, values }, ids };
}

/**
 * Returns the tables for documents and queries from those of a folder or an .npz: told apart by their row counts. Errors
 * (`vectors-rows`): no table, or more than one, has the rows of either.
 */
export function assignTables(
  tables: readonly VectorTable[],
  counts: { readonly documents: number; readonly queries: number },
): { readonly documents: VectorTable; readonly queries: VectorTable } {
  const shapes = tables.map(({ name, matrix }) => `${name}: ${matrix.rows} × ${matrix.columns}`).join('; ');
  const only = (rows: number, what: string): VectorTable => {
    const fitting = tables.filter(({ matrix }) => matrix.rows === rows);
    if (fitting.length === 1) return fitting[0] as VectorTable;
    throw new AppError(
      'input',
      'vectors-rows',
      `${fitting.length === 0 ? 'no' : fitting.length} matrices have ${rows} rows, one for each of the ${what}. There are ${shapes || 'none'}.`,
    );
  };
  if (counts.documents === counts.queries && tables.length > 1)
    throw new AppError(
      'input',
      'vectors-rows',
      `documents and queries are equally many (${counts.documents}): name the file of each. There are ${shapes}.`,
    );
  return { documents: only(counts.documents, 'documents'), queries: only(counts.queries, 'queries') };
}

/** Vectors in the order of a set's ids, and what was noticed on the way. */
export interface ArrangedVectors {
  readonly values: Float32Array;
  readonly rows: number;
  readonly dimensions: number;
  readonly zeroRows: number;
  /** Least and greatest length of a vector that is not zero; equal lengths make cosine and dot rank alike. */
  readonly norms: readonly [number, number];
  /** Ids of the file that the set does not have. */
  readonly unknownIds: number;
}

/**
 * Returns a table's vectors in the order of `wantedIds`: by id where ids are known, else row by row. Errors: `vectors-rows`
 * (counts differ), `vectors-ids` (an id without a vector, an id twice), `vectors-not-finite` (the row and its id).
 */
export function arrangeVectors(table: VectorTable, wantedIds: readonly string[]): ArrangedVectors {
  const { name, matrix, ids } = table;
  const { columns } = matrix;
  if (!ids && matrix.rows !== wantedIds.length)
    throw new AppError(
      'input',
      'vectors-rows',
      `${name} has ${matrix.rows} rows and no ids; ${wantedIds.length} belong, in the order of the file they were made from.`,
    );
  const rowOf = ids && indexIds(name, ids);
  const values = new Float32Array(wantedIds.length * columns);
  let zeroRows = 0;
  let [least, greatest] = [Infinity, 0];
  wantedIds.forEach((id, i) => {
    const row = rowOf ? rowOf.get(id) : i;
    if (row === undefined)
      throw new AppError('input', 'vectors-ids', `${name} has no vector for "${id}" (row ${i} of the set).`);
    const vector = matrix.values.subarray(row * columns, (row + 1) * columns);
    if (!vector.every(Number.isFinite))
      throw new AppError(
        'input',
        'vectors-not-finite',
        `${name}, row ${row} ("${id}"), holds NaN or infinity.`,
      );
    values.set(vector, i * columns);
    const norm = Math.hypot(...vector);
    if (norm === 0) zeroRows++;
    else [least, greatest] = [Math.min(least, norm), Math.max(greatest, norm)];
  });
  return {
    values,
    rows: wantedIds.length,
    dimensions: columns,
    zeroRows,
    norms: greatest === 0 ? [0, 0] : [least, greatest],
    unknownIds: ids ? matrix.rows - wantedIds.length : 0,
  };
}

function indexIds(name: string, ids: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>();
  ids.forEach((id, row) => {
    if (rows.has(id))
      throw new AppError('input', 'vectors-ids', `${name} has two vectors for "${id}" (row ${row}).`);
    rows.set(id, row);
  });
  return rows;
}
