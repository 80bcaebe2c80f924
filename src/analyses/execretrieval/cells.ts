import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { mean } from '../../stats/summation.ts';
import { estimateMeans, orNull, share } from '../estimate.ts';
import type { ExecCell, ExecMeasure, ExecQuery, ExecQueryRow, ExecReport } from './report-types.ts';

/** A cell's place: measure and cutoff. */
export interface Column {
  readonly measure: ExecMeasure;
  readonly k: number;
}

/** A query with its row and the values that it would have at best (see {@link ExecCell.upper}). */
export interface ScoredQuery {
  readonly query: ExecQuery;
  readonly row: ExecQueryRow;
  readonly upper: readonly number[];
}

/** Returns the cells of some queries, one a column, all from the same resamples. */
export function cellsOf(
  scored: readonly ScoredQuery[],
  columns: readonly Column[],
  options: BootstrapOptions,
): ExecCell[] {
  const lists = columns.map((_, c) => Float64Array.from(scored, ({ row }) => row.values[c] as number));
  return estimateMeans(lists, options).map((estimate, c) => ({
    ...(columns[c] as Column),
    ...estimate,
    upper: orNull(mean(scored.map(({ upper }) => upper[c] as number))),
  }));
}

/** Of the failing snippets at rank 1: how many are the query's own near-clones. */
export function nearCloneMisses(scored: readonly ScoredQuery[]): ExecReport['nearCloneMisses'] {
  const nearClones = scored.filter(({ row }) => row.rankOne === 'near-clone').length;
  const others = scored.filter(({ row }) => row.rankOne === 'other-miss').length;
  return share(nearClones, nearClones + others);
}
