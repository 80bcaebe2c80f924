import { dump } from 'js-yaml';
import type { ResultRecord } from '../record.ts';

/**
 * Returns a record as `.eval_results/*.yaml` of a model repository on the hub: one entry a metric.
 *
 * @param datasetId the benchmark's data set on the hub, `owner/name`
 * @param url a link that shows the result, for the entry's source
 */
export function evalResultsYaml(record: ResultRecord, datasetId: string, url: string): string {
  const { report, benchmark, protocol, model, createdAt } = record;
  const entries = report.cells
    .filter(({ value }) => value !== null)
    .map(({ measure, k, value, low, high }) => ({
      dataset: { id: datasetId, task_id: `${measure}@${k}`, revision: benchmark.digest },
      value,
      date: createdAt.slice(0, 10),
      source: { url, name: 'Assay' },
      notes: `${report.counts.queries} queries, 95 % interval ${low} to ${high}, ${model.id} ${model.dtype}, protocol ${protocol.id}`,
    }));
  return dump(entries, { lineWidth: -1 });
}
