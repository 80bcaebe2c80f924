import { compareUtf8 } from '../domain/ids.ts';
import type { SortOrder, TableColumn } from './table-column.ts';

/**
 * Returns the rows in the order wanted, in a new array. Numbers by value, texts by code point; rows without a value come
 * last in either direction; equal rows keep their places. Each row's value is read once.
 */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: SortOrder | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === order?.id);
  if (order === undefined || column === undefined) return rows;
  const values = rows.map(column.value);
  const sign = order.descending ? -1 : 1;
  const compare = (i: number, j: number): number => {
    const a = values[i] ?? null;
    const b = values[j] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return (
      sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareUtf8(String(a), String(b)))
    );
  };
  return rows
    .map((_, i) => i)
    .sort((i, j) => compare(i, j) || i - j)
    .map((i) => rows[i] as Row);
}
