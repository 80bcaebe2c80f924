import Table from 'cli-table3';
import {
  EXEC_MEASURES,
  type DeceptionCell,
  type ExecCell,
  type ExecReport,
} from '../../src/analyses/execretrieval/report-types.ts';
import type { GradedReport } from '../../src/analyses/graded-report.ts';
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

/** Deception in its three readings and by span, the canonical below its own distractors, and near-clones at rank 1. */
export function deceptionTables(report: ExecReport): string {
  const { deception, canonicalBelow, nearCloneMisses, spans } = report;
  const row = (name: string, cell: DeceptionCell): string[] => [
    name,
    String(cell.triples),
    estimate(cell.strict),
    estimate(cell.ties),
    estimate(cell.half),
  ];
  const bySpan = spans?.buckets.map(({ bucket, deception: cell }) => row(`span ${bucket}`, cell)) ?? [];
  const lines = [
    plainTable(
      ['deception', 'triples', 'strict', 'ties deceive', 'ties one half'],
      [row('all', deception), ...bySpan],
    ),
    '',
    `Rank-1 misses that are near-clones: ${share(nearCloneMisses)}`,
    `Canonical below at least one of its distractors: ${share(canonicalBelow.strict)}; ` +
      `gap to the nearest: median ${fixed(canonicalBelow.gapToMax.median)}, mean ${fixed(canonicalBelow.gapToMax.mean.value)}`,
  ];
  if (report.counts.unknownTriples > 0)
    lines.push(
      `${report.counts.unknownTriples} triples left out of deception: their similarities are not known`,
    );
  if (spans !== null) {
    const { rho, n } = spans.spearman;
    lines.push(`Span and deception: Spearman's rho ${fixed(rho)} over ${n} triples`);
  }
  return lines.join('\n');
}

function fixed(value: number | null): string {
  return value === null ? 'not known' : value.toFixed(3);
}

/** Measures with their intervals, then the main measure of every slice. */
export function gradedTables({ cells, slices }: GradedReport): string {
  const main = cells[0]?.measure ?? '';
  const rows = slices.map(({ field, label, cells: ofSlice }) => {
    const cell = ofSlice[0];
    return [field, label, String(cell?.n ?? 0), cell === undefined ? '' : estimate(cell)];
  });
  return [
    plainTable(
      ['measure', 'queries', 'mean, 95 % interval'],
      cells.map((cell) => [cell.measure, String(cell.n), estimate(cell)]),
    ),
    ...(rows.length === 0 ? [] : ['', plainTable(['slice', 'label', 'queries', main], rows)]),
  ].join('\n');
}

/** The numerics check in one line. */
export function numericsLine({ numerics }: Pick<ResultRecord, 'numerics'>): string {
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
