import type { FlippedQuery, PairComparison } from '../analyses/comparison.ts';
import { compareSystems, type Comparison } from '../analyses/comparison.ts';
import { estimateMean, type Estimate } from '../analyses/estimate.ts';
import type { ExecQueryRow } from '../analyses/execretrieval/report-types.ts';
import {
  originOfReceipt,
  originOfRecord,
  whyNotComparable,
  type ComparedOrigin,
} from '../share/comparability.ts';
import { factsOf, type OpenedResult } from './opened-result.ts';

/** One of the results that are compared. */
export interface ComparedSide {
  /** Distinct among the sides: the model, with weights, device and a number as far as needed to tell them apart. */
  readonly name: string;
  readonly result: OpenedResult;
  readonly origin: ComparedOrigin;
}

/** Returns the results as sides with distinct names. */
export function sidesOf(results: readonly OpenedResult[]): ComparedSide[] {
  const seen = new Map<string, number>();
  const facts = results.map(factsOf);
  const differ = (key: 'dtype' | 'device'): boolean => new Set(facts.map((one) => one[key])).size > 1;
  const [dtypesDiffer, devicesDiffer] = [differ('dtype'), differ('device')];
  return results.map((result, i) => {
    const { model, dtype, device } = facts[i] as (typeof facts)[number];
    const plain = `${model}${dtypesDiffer ? ` ${dtype}` : ''}${devicesDiffer ? `, ${device}` : ''}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return {
      name: count === 1 ? plain : `${plain} (${count})`,
      result,
      origin: result.origin === 'own' ? originOfRecord(result.record) : originOfReceipt(result.receipt),
    };
  });
}

/** Returns every reason for which two of the sides cannot be compared, each said once. */
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
  return (first?.result.report.columns ?? []).filter((name) =>
    others.every(({ result }) => result.report.columns.includes(name)),
  );
}

/**
 * Returns the ids that stand for the queries, in the order of the reports: a receipt holds outcomes in its benchmark's
 * order without ids, so those of any record among the sides are used for all.
 */
export function sharedIds(sides: readonly ComparedSide[]): readonly string[] {
  const named = sides.find(({ result }) => result.origin === 'own') ?? sides[0];
  return named?.result.report.perQuery.map(({ queryId }) => queryId) ?? [];
}

/** Compares the sides, which must be comparable, on one metric that all have. */
export function compareSides(sides: readonly ComparedSide[], metric: string): Comparison {
  const ids = sharedIds(sides);
  const seed = sides[0]?.origin.seed;
  return compareSystems(
    metric,
    sides.map(({ name, result: { report } }) => {
      const column = report.columns.indexOf(metric);
      return { name, values: new Map(ids.map((id, i) => [id, report.perQuery[i]?.values[column] ?? 0])) };
    }),
    seed === undefined ? {} : { seed },
  );
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
  const a = sides.find(({ name }) => name === pair.a)?.result.report;
  const b = sides.find(({ name }) => name === pair.b)?.result.report;
  const known = sides.find(({ result }) => result.report.perQuery.some(({ domain }) => domain !== null));
  if (a === undefined || b === undefined || known === undefined) return [];
  const [columnA, columnB] = [a.columns.indexOf(metric), b.columns.indexOf(metric)];
  const rows = new Map<string, number[]>();
  known.result.report.perQuery.forEach(({ domain }, i) => {
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
  const a = sides.find(({ name }) => name === pair.a)?.result.report;
  const b = sides.find(({ name }) => name === pair.b)?.result.report;
  const places = new Map(sharedIds(sides).map((id, i) => [id, i]));
  return pair.flipped.flatMap((query) => {
    const place = places.get(query.queryId);
    const [rowA, rowB] = place === undefined ? [] : [a?.perQuery[place], b?.perQuery[place]];
    return rowA === undefined || rowB === undefined ? [] : [{ ...query, rowA, rowB }];
  });
}
