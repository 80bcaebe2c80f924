import type { FlippedQuery, PairComparison } from '../analyses/comparison.ts';
import { estimateMean, type Estimate } from '../analyses/estimate.ts';
import type { ExecQueryRow } from '../analyses/execretrieval/report-types.ts';
import { comparedResults, type ComparedResult } from '../share/compared-result.ts';
import { whyNotComparable } from '../share/comparability.ts';
import type { OpenedResult } from './opened-result.ts';

/** One of the results that are compared, with where it was opened from. */
export interface ComparedSide extends ComparedResult {
  readonly result: OpenedResult;
}

/** Returns the results as sides with distinct names. */
export function sidesOf(results: readonly OpenedResult[]): ComparedSide[] {
  const compared = comparedResults(
    results.map((result) =>
      result.origin === 'own'
        ? { record: result.record }
        : { receipt: result.receipt, report: result.report },
    ),
  );
  return compared.map((side, i) => ({ ...side, result: results[i] as OpenedResult }));
}

/** Returns every reason for which sides cannot be compared with the first one. */
export function refusals(sides: readonly ComparedSide[]): string[] {
  const [first, ...others] = sides;
  if (first === undefined) return [];
  return others.flatMap((side) => {
    const reason = whyNotComparable(first.origin, side.origin);
    return reason === undefined ? [] : [`${first.name} and ${side.name}: ${reason}`];
  });
}

/** Metrics that all sides have. */
export function sharedMetrics(sides: readonly ComparedSide[]): readonly string[] {
  const [first, ...others] = sides;
  return (first?.report.columns ?? []).filter((name) =>
    others.every(({ report }) => report.columns.includes(name)),
  );
}

/**
 * Returns the ids that stand for the queries, in the order of the reports: a receipt holds outcomes in its benchmark's
 * order without ids, so those of any record among the sides are used for all.
 */
export function sharedIds(sides: readonly ComparedSide[]): readonly string[] {
  const named = sides.find(({ namesQueries }) => namesQueries) ?? sides[0];
  return named?.report.perQuery.map(({ queryId }) => queryId) ?? [];
}

/** A slice in which two systems are held against each other. */
export interface SliceDifference {
  readonly slice: string;
  readonly n: number;
  readonly a: number;
  readonly b: number;
  /** a less b with its bootstrap interval. */
  readonly difference: Estimate;
}

/** Returns the difference of two sides in each domain; empty where no side knows the domains (receipts carry none). */
export function domainDifferences(
  sides: readonly ComparedSide[],
  pair: Pick<PairComparison, 'a' | 'b'>,
  metric: string,
): SliceDifference[] {
  const a = sides.find(({ name }) => name === pair.a)?.report;
  const b = sides.find(({ name }) => name === pair.b)?.report;
  const known = sides.find(({ report }) => report.perQuery.some(({ domain }) => domain !== null));
  if (a === undefined || b === undefined || known === undefined) return [];
  const [columnA, columnB] = [a.columns.indexOf(metric), b.columns.indexOf(metric)];
  const rows = new Map<string, number[]>();
  known.report.perQuery.forEach(({ domain }, i) => {
    if (domain === null) return;
    const list = rows.get(domain) ?? [];
    list.push(i);
    rows.set(domain, list);
  });
  return [...rows]
    .map(([slice, indices]) => {
      const of = (report: typeof a, column: number): number[] =>
        indices.map((i) => report.perQuery[i]?.values[column] ?? 0);
      const [valuesA, valuesB] = [of(a, columnA), of(b, columnB)];
      return {
        slice,
        n: indices.length,
        a: average(valuesA),
        b: average(valuesB),
        difference: estimateMean(Float64Array.from(valuesA, (value, i) => value - (valuesB[i] ?? 0))),
      };
    })
    .sort((x, y) => Math.abs(y.difference.value ?? 0) - Math.abs(x.difference.value ?? 0));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A flipped query with both systems' rankings. */
export interface FlippedLine extends FlippedQuery {
  readonly rowA: ExecQueryRow;
  readonly rowB: ExecQueryRow;
}

/** Returns the flipped queries of a pair with both rankings. */
export function flippedLines(sides: readonly ComparedSide[], pair: PairComparison): FlippedLine[] {
  const a = sides.find(({ name }) => name === pair.a)?.report;
  const b = sides.find(({ name }) => name === pair.b)?.report;
  const places = new Map(sharedIds(sides).map((id, i) => [id, i]));
  return pair.flipped.flatMap((query) => {
    const place = places.get(query.queryId);
    const [rowA, rowB] = place === undefined ? [] : [a?.perQuery[place], b?.perQuery[place]];
    return rowA === undefined || rowB === undefined ? [] : [{ ...query, rowA, rowB }];
  });
}
