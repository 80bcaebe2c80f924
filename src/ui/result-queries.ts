import type { ExecQueryRow, ExecReport, StripCell } from '../analyses/execretrieval/report-types.ts';
import { VERDICTS } from '../domain/verdict.ts';
import type { FilterField } from './query-filter.ts';

/** One query of a result as the list shows it. */
export interface QueryLine {
  readonly row: ExecQueryRow;
  /** Empty where this browser does not have the benchmark. */
  readonly text: string;
  /** False for a link: it holds ranks and verdicts, and the scores in its rows only stand in for the order. */
  readonly scored: boolean;
}

/** Returns the lines in the order of the report. */
export function queryLines(
  report: ExecReport,
  texts: ReadonlyMap<string, string> | undefined,
  scored: boolean,
): QueryLine[] {
  return report.perQuery.map((row) => ({ row, text: texts?.get(row.queryId) ?? '', scored }));
}

/** What stands at rank 1, if anything. */
export function firstOf(line: QueryLine): StripCell | undefined {
  return line.row.strip[0];
}

/** Score at rank 1 less score at rank 2; undefined with fewer than two, and where scores are not known. */
export function marginOf(line: QueryLine): number | undefined {
  const [first, second] = line.row.strip;
  return !line.scored || first === undefined || second === undefined ? undefined : first.score - second.score;
}

/** What the filter box of the query list knows: names, and every metric of the report as a number. */
export function queryFields(report: ExecReport): FilterField<QueryLine>[] {
  const domains = [...new Set(report.perQuery.flatMap(({ domain }) => domain ?? []))].sort();
  const bugs = [
    ...new Set(report.perQuery.flatMap(({ strip }) => strip.flatMap(({ bugType }) => bugType ?? []))),
  ].sort();
  return [
    { name: 'rank', kind: 'number', value: ({ row }) => row.firstPassingRank ?? undefined },
    { name: 'canonical', kind: 'number', value: ({ row }) => row.canonicalRanks[0] },
    { name: 'domain', kind: 'choice', value: ({ row }) => row.domain ?? undefined, choices: domains },
    {
      name: 'verdict',
      kind: 'choice',
      value: (line) => firstOf(line)?.verdict ?? undefined,
      choices: VERDICTS,
    },
    {
      name: 'first',
      kind: 'choice',
      value: ({ row }) => row.rankOne,
      choices: ['passes', 'near-clone', 'other-miss', 'no-ranking'],
    },
    { name: 'bug', kind: 'choice', value: (line) => firstOf(line)?.bugType ?? undefined, choices: bugs },
    { name: 'margin', kind: 'number', value: marginOf },
    { name: 'gap', kind: 'number', value: ({ row }) => row.gap?.toMax },
    { name: 'text', kind: 'text', value: ({ text }) => text },
    { name: 'id', kind: 'text', value: ({ row }) => row.queryId },
    ...report.columns.map((name, i): FilterField<QueryLine> => ({
      name,
      kind: 'number',
      value: ({ row }) => row.values[i],
    })),
  ];
}

/** What a snippet is to its query, in a word for tables. */
export const ROLE_NAMES = { canonical: 'canonical', distractor: 'near-clone', other: 'other task' } as const;
