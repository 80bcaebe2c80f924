import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import { compareSystems, type Comparison } from '../analyses/comparison.ts';
import { AppError } from '../domain/app-error.ts';
import { explainDifferences, PROTOCOLS, type Protocol } from '../protocols/index.ts';
import {
  differencesBetween,
  originOfReceipt,
  originOfRecord,
  whyNotComparable,
  type ComparedOrigin,
} from './comparability.ts';
import type { Receipt } from './receipt.ts';
import { reportOfReceipt } from './recompute.ts';
import type { ResultRecord } from './record.ts';

/** One of several results that are compared. */
export interface ComparedResult {
  /** Distinct among the results. */
  readonly name: string;
  readonly origin: ComparedOrigin;
  readonly report: ExecReport;
  /** Whether the rows bear the benchmark's own query ids (a record's do, a receipt's do not). */
  readonly namesQueries: boolean;
}

/** A result to compare. A receipt's report, where it has been computed from its outcomes already, need not be computed again. */
export type GivenResult =
  { readonly record: ResultRecord } | { readonly receipt: Receipt; readonly report?: ExecReport };

/** Returns records and receipts as results with distinct names: the model, then weights, device and a number as needed. */
export function comparedResults(given: readonly GivenResult[]): ComparedResult[] {
  const drafts = given.map((one) =>
    'record' in one
      ? { origin: originOfRecord(one.record), report: one.record.report, namesQueries: true }
      : {
          origin: originOfReceipt(one.receipt),
          report: one.report ?? reportOfReceipt(one.receipt),
          namesQueries: false,
        },
  );
  const differ = (of: (origin: ComparedOrigin) => string): boolean =>
    new Set(drafts.map(({ origin }) => of(origin))).size > 1;
  const parts: ((origin: ComparedOrigin) => string)[] = [
    ({ model }) => model.id,
    ({ model }) => model.dtype,
    ({ device }) => device,
  ];
  const shown = parts.filter((part, i) => i === 0 || differ(part));
  const seen = new Map<string, number>();
  return drafts.map((draft) => {
    const plain = shown.map((part) => part(draft.origin)).join(', ');
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return { ...draft, name: count === 1 ? plain : `${plain} (${count})` };
  });
}

/**
 * Compares results on one metric by its values query by query.
 *
 * @throws AppError `not-comparable` with the reason, `unknown-metric` when one of the results lacks the metric
 */
export function compareResults(results: readonly ComparedResult[], metric: string): Comparison {
  const [first, ...others] = results;
  if (first === undefined || others.length === 0)
    throw new AppError('score', 'not-comparable', `A comparison needs two results, got ${results.length}.`);
  for (const other of others) {
    const reason = whyNotComparable(first.origin, other.origin);
    if (reason !== undefined)
      throw new AppError(
        'score',
        'not-comparable',
        `${first.name} and ${other.name} cannot be compared. ${reason}`,
      );
  }
  const ids = (results.find(({ namesQueries }) => namesQueries) ?? first).report.perQuery.map(
    ({ queryId }) => queryId,
  );
  const systems = results.map(({ name, report }) => {
    const column = report.columns.indexOf(metric);
    if (column < 0)
      throw new AppError(
        'score',
        'unknown-metric',
        `${name} has no metric ${JSON.stringify(metric)}. It has: ${report.columns.join(', ')}.`,
      );
    return { name, values: new Map(ids.map((id, i) => [id, report.perQuery[i]?.values[column] ?? 0])) };
  });
  return compareSystems(metric, systems, { seed: first.origin.seed });
}

/** Everything besides the outcomes in which two results differ, one sentence each; protocols setting by setting where both are known here. */
export function differencesInWords(a: ComparedResult, b: ComparedResult): string[] {
  return differencesBetween(a.origin, b.origin).flatMap((difference) => {
    if (difference.what === 'protocol') {
      const [one, other] = [protocolOf(a.origin), protocolOf(b.origin)];
      const words =
        one === undefined || other === undefined
          ? []
          : explainDifferences(one, other).map((field) => field.words);
      if (words.length > 0) return words;
    }
    return [`${difference.what}: ${a.name} has ${difference.a}; ${b.name} has ${difference.b}.`];
  });
}

function protocolOf({ protocol }: ComparedOrigin): Protocol | undefined {
  return PROTOCOLS.find(({ id }) => id === protocol.id);
}
