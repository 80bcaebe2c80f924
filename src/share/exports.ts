import type { ResultRecord } from './record.ts';

/** The metrics of a record as a small JSON file: what scripts read. */
export function metricsJson(record: ResultRecord): string {
  const { report } = record;
  const metrics = Object.fromEntries(
    report.columns.map((name, i) => {
      const { value, low, high, n, upper } = report.cells[i] as (typeof report.cells)[number];
      return [name, { value, low, high, n, upper }];
    }),
  );
  const { nearCloneMisses, deception, canonicalBelow } = report;
  return `${JSON.stringify(
    {
      record: record.id,
      benchmark: record.benchmark.id,
      model: record.model.id,
      protocol: record.protocol.id,
      queries: report.counts.queries,
      metrics,
      nearCloneMisses,
      deception: deception.strict,
      canonicalBelowADistractor: canonicalBelow.strict,
    },
    null,
    2,
  )}\n`;
}

/** One JSON line a query: values by measure, the first ten with verdicts, the canonical's ranks. */
export function perQueryJsonl(record: ResultRecord): string {
  const { columns, perQuery } = record.report;
  return perQuery
    .map((row) => {
      const values = Object.fromEntries(columns.map((name, i) => [name, row.values[i] as number]));
      return `${JSON.stringify({ query_id: row.queryId, domain: row.domain, values, canonical_ranks: row.canonicalRanks, rank_one: row.rankOne, top: row.strip })}\n`;
    })
    .join('');
}
