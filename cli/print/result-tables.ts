import Table from 'cli-table3';
import {
  EXEC_MEASURES,
  type ExecCell,
  type ExecReport,
} from '../../src/analyses/execretrieval/report-types.ts';
import type { ResultRecord } from '../../src/share/record.ts';

/** No lines: plain columns that survive a pipe. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Prints rows under a head; numbers stand at the right. NO_COLOR needs no handling: nothing is coloured. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...head],
    chars: PLAIN,
    colAligns: head.map((_, i) => (i === 0 ? 'left' : 'right')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/[ \t]+$/gm, '');
}

/** Metrics by k, each with its 95 % interval. */
export function metricTable(report: ExecReport): string {
  const rows = EXEC_MEASURES.map((measure) => [
    `${measure}@k`,
    ...report.cutoffs.map((k) =>
      cellText(report.cells.find((cell) => cell.measure === measure && cell.k === k)),
    ),
  ]);
  return plainTable(['', ...report.cutoffs.map((k) => `k = ${k}`)], rows);
}

/** exec@1 and near-clone misses by domain; deception by bug type. */
export function sliceTables(report: ExecReport): string {
  const domains = report.domains.map((slice) => [
    slice.domain,
    String(slice.queries),
    cellText(slice.cells.find(({ measure, k }) => measure === 'exec' && k === 1)),
    share(slice.nearCloneMisses),
  ]);
  const bugTypes = report.bugTypes.map(({ bugType, distractors, deception, atRank1 }) => [
    bugType,
    String(distractors),
    deception === null ? 'not mechanical' : estimate(deception.strict),
    share(atRank1),
  ]);
  return [
    plainTable(['domain', 'queries', 'exec@1', 'rank-1 misses that are near-clones'], domains),
    '',
    plainTable(['bug type', 'distractors', 'deceives', 'at rank 1, of queries with one'], bugTypes),
  ].join('\n');
}

/** The numerics check in one line. */
export function numericsLine({ numerics }: ResultRecord): string {
  const { verdict, probes, deviceError, quantisationError, limit } = numerics;
  const device =
    deviceError === undefined
      ? ''
      : `; largest margin change on this device ${deviceError.largestMarginChange.toExponential(1)} (limit ${limit.toExponential(0)})`;
  const file =
    quantisationError === undefined
      ? ''
      : `; against float32: cosine at least ${quantisationError.minCosine.toFixed(5)}`;
  return `Numerics: ${verdict} on ${probes} probes${device}${file}`;
}

function cellText(cell: ExecCell | undefined): string {
  return cell === undefined ? '' : estimate(cell);
}

function estimate({
  value,
  low,
  high,
}: {
  value: number | null;
  low: number | null;
  high: number | null;
}): string {
  if (value === null) return 'none';
  return low === null || high === null
    ? value.toFixed(3)
    : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

function share(of: { readonly count: number; readonly n: number; readonly value: number | null }): string {
  return of.value === null
    ? `${of.count} of ${of.n}`
    : `${of.count} of ${of.n} (${(100 * of.value).toFixed(1)} %)`;
}
