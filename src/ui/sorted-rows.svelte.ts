import {
  createSortedRowModel,
  createTable,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  type ColumnDef,
  type RowData,
} from '@tanstack/svelte-table';
import type { SortOrder, TableColumn } from './table-column.ts';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

/**
 * Returns the rows in the order wanted, as reactive state. Rows without a value come last in either direction; equal
 * rows keep their places. Call while a component is set up.
 */
export function sortedRows<Row>(
  rows: () => readonly Row[],
  columns: () => readonly TableColumn<Row>[],
  order: () => SortOrder | undefined,
): { readonly rows: readonly Row[] } {
  const definitions = $derived(
    columns().map((column): ColumnDef<typeof features, RowData & Row> => ({
      id: column.id,
      accessorFn: (row) => column.value(row) ?? undefined,
      sortFn: 'basic',
      sortUndefined: 'last',
    })),
  );
  const sorting = $derived.by(() => {
    const wanted = order();
    return wanted === undefined ? [] : [{ id: wanted.id, desc: wanted.descending }];
  });
  const table = createTable<typeof features, RowData & Row>({
    features,
    get columns() {
      return definitions;
    },
    get data() {
      return rows() as readonly (RowData & Row)[];
    },
    state: {
      get sorting() {
        return sorting;
      },
    },
  });
  const ordered = $derived(table.getRowModel().rows.map((row) => row.original));
  return {
    get rows() {
      return ordered;
    },
  };
}
