import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { mean } from '../../stats/summation.ts';
import { bootstrapShare, estimateMeans, orNull } from '../estimate.ts';
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

/** Of the failing snippets at rank 1: how many are the query's own near-clones. Interval: queries resampled. */
export function nearCloneMisses(
  scored: readonly ScoredQuery[],
  options: BootstrapOptions,
): ExecReport['nearCloneMisses'] {
  const nearClone = scored.map(({ row }) => (row.rankOne === 'near-clone' ? 1 : 0));
  const miss = scored.map(({ row }, i) => (row.rankOne === 'other-miss' ? 1 : (nearClone[i] as number)));
  return bootstrapShare(nearClone, miss, options);
}
