import type { GradedRecord } from './graded-record.ts';

/** The metrics of a graded record as a small JSON file: what scripts read. */
export function gradedMetricsJson(record: GradedRecord): string {
  const { report } = record;
  const metrics = Object.fromEntries(
    report.cells.map(({ measure, value, low, high, n }) => [measure, { value, low, high, n }]),
  );
  const about = {
    record: record.id,
    benchmark: record.benchmark.id,
    model: record.model.id,
    protocol: record.protocol.id,
  };
  return `${JSON.stringify({ ...about, queries: report.counts.queries, counts: report.counts, metrics }, null, 2)}\n`;
}

/** One JSON line a judged query: values by measure, labels, the first ten with grades. */
export function gradedPerQueryJsonl({ report }: GradedRecord): string {
  return report.perQuery
    .map(({ queryId, labels, counted, values, hits, retrieved, positives }) => {
      const byMeasure = Object.fromEntries(report.columns.map((name, i) => [name, values[i] as number]));
      return `${JSON.stringify({ query_id: queryId, labels, counted, values: byMeasure, retrieved, positives, top: hits })}\n`;
    })
    .join('');
}
