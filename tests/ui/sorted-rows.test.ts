import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedRows } from '../../src/ui/sorted-rows.ts';
import { nextSort, parseSort, plainTable, printSort, type TableColumn } from '../../src/ui/table-column.ts';

interface Row {
  readonly name: string;
  readonly score: number | null;
}
const columns: readonly TableColumn<Row>[] = [
  { id: 'name', head: 'Name', kind: 'text', value: ({ name }) => name },
  {
    id: 'score',
    head: 'Score',
    kind: 'number',
    value: ({ score }) => score,
    copied: [{ head: 'Twice', value: ({ score }) => (score === null ? null : 2 * score) }],
  },
];
const rows: readonly Row[] = [
  { name: 'b', score: 2 },
  { name: 'c', score: null },
  { name: 'a', score: 10 },
  { name: 'd', score: 2 },
];
const names = (sort: string): string =>
  sortedRows(rows, columns, parseSort(sort, ['name', 'score']))
    .map(({ name }) => name)
    .join('');

describe('sorting', () => {
  it('orders numbers by value, keeps equal rows in place and puts rows without a value last', () => {
    expect(names('score')).toBe('bdac');
    expect(names('-score')).toBe('abdc');
    expect(names('name')).toBe('abcd');
    expect(names('-name')).toBe('dcba');
  });

  it('leaves the rows alone without an order or with an unknown column', () => {
    expect(names('')).toBe('bcad');
    expect(names('-colour')).toBe('bcad');
  });

  it('is a permutation in order, for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.double({ noNaN: true }))), fc.boolean(), (scores, descending) => {
        const made = scores.map((score, i) => ({ name: String(i), score }));
        const sorted = sortedRows(made, columns, { id: 'score', descending });
        expect(new Set(sorted)).toEqual(new Set(made));
        const kept = sorted.flatMap(({ score }) => score ?? []);
        expect(sorted.slice(0, kept.length).every(({ score }) => score !== null)).toBe(true);
        for (let i = 1; i < kept.length; i++) {
          const [before, after] = [kept[i - 1] as number, kept[i] as number];
          expect(descending ? before >= after : before <= after).toBe(true);
        }
      }),
    );
  });

  it('goes from the most telling direction to the other one to none', () => {
    const number = { id: 'score', kind: 'number' } as const;
    const first = nextSort(undefined, number);
    const second = nextSort(first, number);
    expect([first, second, nextSort(second, number)].map(printSort)).toEqual(['-score', 'score', undefined]);
    expect(printSort(nextSort(first, { id: 'name', kind: 'text' }))).toBe('name');
  });

  it('copies full values with the columns that only copies have', () => {
    expect(plainTable(columns, rows.slice(0, 2))).toEqual({
      heads: ['Name', 'Score', 'Twice'],
      rows: [
        ['b', 2, 4],
        ['c', null, null],
      ],
    });
  });
});
