import type { ResultRecord } from '../record.ts';

/** MTEB's names of measures: `nDCG@10` is `ndcg_at_10`. */
function mtebName(measure: string, k: number): string {
  return `${measure.toLowerCase()}_at_${k}`;
}

/**
 * Returns a record as the JSON that mteb reads with `TaskResult.from_disk`: the scores under split `test`, subset `default`.
 * The main score is the record's first metric. Only what mteb's schema holds is in it; the record's id stands in the scores
 * as text, so that whoever has the record can see that they belong together.
 *
 * @param mtebVersion the version of mteb whose schema is meant
 */
export function mtebResultJson(record: ResultRecord, mtebVersion = '2.0.0'): string {
  const { report, benchmark, timings } = record;
  const scores: Record<string, unknown> = {};
  for (const { measure, k, value } of report.cells) if (value !== null) scores[mtebName(measure, k)] = value;
  const [first] = report.cells;
  return `${JSON.stringify(
    {
      dataset_revision: benchmark.digest,
      task_name: taskName(benchmark.id),
      mteb_version: mtebVersion,
      scores: {
        test: [
          {
            ...scores,
            main_score: first?.value ?? 0,
            hf_subset: 'default',
            languages: ['eng-Latn', 'python-Code'],
            assay_record: record.id,
          },
        ],
      },
      evaluation_time: timings.reduce((sum, { ms }) => sum + ms, 0) / 1_000,
      kg_co2_emissions: null,
    },
    null,
    2,
  )}\n`;
}

/** mteb names files and tasks alike: no slash or blank. */
function taskName(id: string): string {
  return id.replace(/[^A-Za-z0-9._-]+/gu, '-');
}
