import { notHere, type Derivation, type PaperClaim, type PaperClaims } from './claim.ts';
import printed from './core-bench-tables.json';

const RUNS = "needs the models' rankings over the level's corpus (up to 9.4 M chunks)";
const DATA = 'needs the files of the level';

/** A printed cell: its numbers in the order in which they stand, e.g. two in `47.4/78.6` or `3,047 (60.2%)`. */
interface Cell {
  readonly text: string;
  readonly numbers: readonly number[];
  readonly decimals: readonly number[];
}

function cellOf(text: string): Cell | undefined {
  if (!/^[\d.,]+%?(?:\/[\d.]+)?(?: \([\d.]+%\))?$/u.test(text)) return undefined;
  const parts = text.match(/[\d.,]+/gu) ?? [];
  return {
    text,
    numbers: parts.map((part) => Number(part.replaceAll(',', ''))),
    decimals: parts.map((part) => part.split('.')[1]?.length ?? 0),
  };
}

interface Grid {
  readonly table: number;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The number in a row and column, or NaN. */
function at(grid: Grid, row: string, column: string, part = 0): number {
  const cells = grid.rows.find(([name, second]) => name === row || second === row);
  return cellOf(cells?.[grid.header.indexOf(column)] ?? '')?.numbers[part] ?? Number.NaN;
}

/** From what a cell follows by arithmetic on other printed cells; undefined when it needs data. */
function derivationOf(
  grid: Grid,
  row: readonly string[],
  c: number,
  part: number,
): { from: Derivation; inputError?: number } | undefined {
  const name = row[0] ?? '';
  const column = grid.header[c] ?? '';
  const own = (header: string, which = part): number =>
    cellOf(row[grid.header.indexOf(header)] ?? '')?.numbers[which] ?? Number.NaN;
  switch (grid.table) {
    case 1:
    case 8: {
      if (column === 'Rels/Q')
        return { from: { kind: 'ratio', of: own('#Qrels', 0), in: own('#Queries', 0) } };
      if (!name.endsWith('Total') || !column.startsWith('#')) return undefined;
      const level = rowsOfLevel(grid, name);
      const of = level
        .map((one) => cellOf(one[c] ?? '')?.numbers[0] ?? Number.NaN)
        .filter((number) => !Number.isNaN(number));
      return of.length === 0 ? undefined : { from: { kind: 'sum', of } };
    }
    case 2:
      if (name === 'Total') {
        const of = grid.rows
          .filter(([one]) => one !== 'Total')
          .map((one) => cellOf(one[c] ?? '')?.numbers[0] ?? 0);
        return { from: { kind: 'sum', of } };
      }
      return part === 1
        ? { from: { kind: 'ratio', of: own(column, 0), in: at(grid, 'Total', column), scale: 100 } }
        : undefined;
    case 3:
      if (column === 'L1–L3 Avg.')
        return {
          from: { kind: 'mean', of: ['L1', 'L2', 'L3'].map((level) => own(level)) },
          inputError: 0.05,
        };
      if (column === 'Rewrite Avg.')
        return {
          from: { kind: 'mean', of: ['L2-Rw', 'L3-Rw'].map((level) => own(level)) },
          inputError: 0.05,
        };
      return undefined;
    case 12:
      if (column === 'Filtered') return { from: { kind: 'difference', a: own('Raw'), b: own('Kept') } };
      if (column === 'Rate')
        return { from: { kind: 'ratio', of: own('Filtered'), in: own('Raw'), scale: 100 } };
      if (name === 'Total') {
        const of = grid.rows
          .filter(([one]) => one !== 'Total')
          .map((one) => cellOf(one[c] ?? '')?.numbers[0] ?? 0);
        return { from: { kind: 'sum', of } };
      }
      return undefined;
    default:
      return undefined;
  }
}

/** Rows above a level's total, up to the total of the level before. */
function rowsOfLevel(grid: Grid, total: string): readonly (readonly string[])[] {
  const end = grid.rows.findIndex(([name]) => name === total);
  const before = grid.rows.slice(0, end).findLastIndex(([name]) => (name ?? '').endsWith('Total'));
  return grid.rows.slice(before + 1, end);
}

function claimsOfTable(grid: Grid): PaperClaim[] {
  // Table 4 has its languages in a second line of head: eleven for each level.
  const names = grid.table === 4 ? (grid.rows.find(([first]) => first === 'Model') ?? []) : grid.header;
  return grid.rows.flatMap((row, r) =>
    row.flatMap((text, c): PaperClaim[] => {
      const cell = c === 0 ? undefined : cellOf(text);
      if (cell === undefined) return [];
      const [first = '', second = ''] = row;
      const rowName = grid.table === 1 ? `${first}, ${second}` : first;
      const level = grid.table === 4 ? (c <= 11 ? 'Level 2, ' : 'Level 3, ') : '';
      return cell.numbers.map((value, part) => {
        const derived = derivationOf(grid, row, c, part);
        const which = cell.numbers.length > 1 ? `, ${part + 1} of ${cell.text}` : '';
        return {
          id: `core-bench-table-${grid.table}-${r + 1}-${c}-${part + 1}`,
          place: `Table ${grid.table}`,
          statement: `${rowName}, ${level}${names[c] ?? ''}${which}`,
          value,
          decimals: cell.decimals[part] ?? 0,
          ...(derived ?? { from: notHere([3, 4, 5].includes(grid.table) ? RUNS : DATA) }),
        };
      });
    }),
  );
}

const grids: readonly Grid[] = printed.tables;
const table3 = grids.find(({ table }) => table === 3) as Grid;
const levels = (column: string): number[] =>
  table3.rows.flatMap((row) => cellOf(row[table3.header.indexOf(column)] ?? '')?.numbers[0] ?? []);
const table8 = grids.find(({ table }) => table === 8) as Grid;

type Row = readonly [
  place: string,
  statement: string,
  value: number,
  decimals: number,
  from: Derivation,
  inputError?: number,
];

const text: readonly Row[] = [
  [
    'Abstract',
    'queries, "over 180K"',
    180,
    0,
    { kind: 'ratio', of: 172_961 + 5_061 + 2_580, in: 1_000 },
    0.2,
  ],
  ['Abstract', 'broader-context labels, in thousands', 106, 0, { kind: 'ratio', of: 106_479, in: 1_000 }],
  ['section 3.1', 'chunks of Level 2, in millions', 9.38, 2, { kind: 'ratio', of: 9_377_120, in: 1_000_000 }],
  [
    'section 3.1',
    'Level 3 has so many times the qrels of Level 2, "roughly twice"',
    2,
    0,
    { kind: 'ratio', of: 106_479, in: 52_712 },
  ],
  [
    'section 3.1',
    'and so many times the relevant chunks per query, "nearly four"',
    4,
    0,
    { kind: 'ratio', of: 41.27, in: 10.42 },
  ],
  [
    'section 3.1',
    'bug reports and feature requests, per cent, "over 92"',
    92,
    0,
    { kind: 'ratio', of: 3_047 + 1_659 + 1_468 + 927, in: 5_061 + 2_580, scale: 100 },
    0.5,
  ],
  ['section 3.1', 'languages', 11, 0, notHere(DATA)],
  ['section 4.2', 'Qwen3-Embedding-8B, Level 1, nDCG@10', 71.7, 1, notHere(RUNS)],
  ['section 4.2', 'Qwen3-Embedding-8B, Level 2, nDCG@10', 20.3, 1, notHere(RUNS)],
  ['section 4.2', 'Qwen3-Embedding-8B, Level 3, Recall@100', 41.5, 1, notHere(RUNS)],
  [
    'section 4.4',
    'Spearman of Level 1 and Level 2 over Table 3 (the figure is a picture in our copy)',
    0.324,
    3,
    { kind: 'spearman', x: levels('L1'), y: levels('L2') },
  ],
  [
    'section 4.4',
    'Spearman of Level 1 and Level 3 over Table 3',
    0.348,
    3,
    { kind: 'spearman', x: levels('L1'), y: levels('L3') },
  ],
  [
    'section 4.4',
    'Spearman of Level 2 and Level 3 over Table 3',
    0.961,
    3,
    { kind: 'spearman', x: levels('L2'), y: levels('L3') },
  ],
  ['Table 6', 'django-15499: qrels of Level 2', 1, 0, notHere(DATA)],
  ['Table 6', 'django-15499: qrels of Level 3', 58, 0, notHere(DATA)],
  ['Table 6', 'grpc-go-3201: qrels of Level 2', 2, 0, notHere(DATA)],
  ['Table 6', 'grpc-go-3201: qrels of Level 3', 121, 0, notHere(DATA)],
  ['Table 7', 'streamlink-5926: characters of the raw report', 1_904, 0, notHere(DATA)],
  [
    'Table 10',
    'target expansion: cases',
    3,
    0,
    notHere('the table holds texts; its counts are those of Table 6'),
  ],
  ['Table 13', 'filtered queries shown', 4, 0, notHere('the table holds texts')],
  ['Table 14', 'query types shown', 5, 0, notHere('the table holds texts')],
  ['Table 15', 'rewrites shown', 3, 0, notHere('the table holds texts')],
  [
    'Table 8',
    'repositories of Level 2',
    at(table8, 'LEVEL-2 Total', '#Repos'),
    0,
    { kind: 'sum', of: [12, 10, 209, 319, 6, 35, 41] },
  ],
];

const places = [
  'Abstract',
  'section 3.1',
  'section 4.2',
  'section 4.4',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15].map((n) => `Table ${n}`),
];

/** CORE-Bench (code retrieval): every cell of the tables of our copy (9 and those of appendix G are not in it) and the figures of its text. */
export const coreBenchClaims: PaperClaims = {
  id: 'core-bench',
  title: 'CORE-Bench: A Comprehensive Benchmark for Code Retrieval in the Era of Agentic Coding',
  places,
  claims: [
    ...grids.flatMap(claimsOfTable),
    ...text.map(([place, statement, value, decimals, from, inputError], i): PaperClaim => ({
      id: `core-bench-text-${i + 1}`,
      place,
      statement,
      value,
      decimals,
      from,
      ...(inputError === undefined ? {} : { inputError }),
    })),
  ],
};
