import type { Snippet } from 'svelte';
import type { PlainTable } from './copy-table.ts';

/** One column of a table: what it holds, how it is shown, and what is copied. */
export interface TableColumn<Row> {
  /** Stable; appears in the address as the sort order. */
  readonly id: string;
  /** Head, with the unit in brackets where there is one. */
  readonly head: string;
  /** What the head means, on hover. */
  readonly hint?: string;
  readonly kind: 'text' | 'number';
  /** For sorting and copying: full precision; null sorts last. */
  readonly value: (row: Row) => string | number | null;
  /** What is shown; default: the value as text. */
  readonly text?: (row: Row) => string;
  /** Shown on hover; default: the full value where it differs from what is shown. */
  readonly title?: (row: Row) => string;
  /** Makes the cell a link; in long tables the arrow keys walk from link to link. */
  readonly href?: (row: Row) => string;
  /** Draws the cell instead of `text`; given the row and the column's id, so that one snippet can serve several columns. */
  readonly cell?: Snippet<[row: Row, columnId: string]>;
  /** Grid track in long tables, e.g. `72px` or `minmax(160px, 1fr)`. */
  readonly width?: string;
  readonly sortable?: boolean;
  /** Columns that only the copied table has, after this one: the ends of an interval. */
  readonly copied?: readonly {
    readonly head: string;
    readonly value: (row: Row) => string | number | null;
  }[];
}

/** A sort order as it stands in the address: `rank`, or `-rank` for descending. */
export interface SortOrder {
  readonly id: string;
  readonly descending: boolean;
}

/** Reads `-rank`; undefined for an absent text or an unknown column. Inverse: {@link printSort}. */
export function parseSort(text: string | undefined, ids: readonly string[]): SortOrder | undefined {
  if (text === undefined || text === '') return undefined;
  const descending = text.startsWith('-');
  const id = descending ? text.slice(1) : text;
  return ids.includes(id) ? { id, descending } : undefined;
}

/** Prints a sort order; undefined for none. Inverse: {@link parseSort}. */
export function printSort(order: SortOrder | undefined): string | undefined {
  if (order === undefined) return undefined;
  return order.descending ? `-${order.id}` : order.id;
}

/** The order after a click on a head: numbers start with the largest, texts with the first; then reversed; then none. */
export function nextSort(
  order: SortOrder | undefined,
  column: { readonly id: string; readonly kind: 'text' | 'number' },
): SortOrder | undefined {
  const first = column.kind === 'number';
  if (order?.id !== column.id) return { id: column.id, descending: first };
  return order.descending === first ? { id: column.id, descending: !first } : undefined;
}

/** The table as it is copied: heads and full values, in the order shown. */
export function plainTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): PlainTable {
  const all = columns.flatMap((column) => [column, ...(column.copied ?? [])]);
  return {
    heads: all.map(({ head }) => head),
    rows: rows.map((row) => all.map(({ value }) => value(row))),
  };
}
