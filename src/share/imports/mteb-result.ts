import * as v from 'valibot';
import { AppError } from '../../domain/app-error.ts';

const scoresRow = v.looseObject({
  main_score: v.pipe(v.number(), v.finite()),
  hf_subset: v.optional(v.string(), 'default'),
});
const resultSchema = v.looseObject({
  task_name: v.pipe(v.string(), v.maxLength(500)),
  dataset_revision: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500)))),
  mteb_version: v.optional(v.nullable(v.string())),
  scores: v.record(v.string(), v.pipe(v.array(scoresRow), v.maxLength(1_000))),
});

/** One split and subset of a task of MTEB: numbers that somebody published, without any outcome. */
export interface ImportedScores {
  readonly task: string;
  readonly split: string;
  readonly subset: string;
  readonly revision: string | null;
  readonly mainScore: number;
  /** Metrics in Assay's grammar where it has them (`nDCG@10`), else under MTEB's name. */
  readonly metrics: ReadonlyMap<string, number>;
}

const NAMES: readonly (readonly [mteb: string, own: string])[] = [
  ['ndcg', 'nDCG'],
  ['map', 'AP'],
  ['recall', 'R'],
  ['precision', 'P'],
  ['mrr', 'RR'],
  ['hit_rate', 'Success'],
  ['exec', 'exec'],
  ['execution_precision', 'execution_precision'],
];

/**
 * Reads a result file of MTEB. The numbers are claims: there is nothing in the file from which they could be computed.
 *
 * @throws AppError `not-an-mteb-result` naming the member
 */
export function readMtebResult(text: string, name: string): ImportedScores[] {
  const parsed = v.safeParse(resultSchema, jsonOf(text, name));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new AppError(
      'input',
      'not-an-mteb-result',
      `${name} is not a result of MTEB: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`,
    );
  }
  const { task_name: task, dataset_revision: revision, scores } = parsed.output;
  return Object.entries(scores).flatMap(([split, rows]) =>
    rows.map((row) => ({
      task,
      split,
      subset: row.hf_subset,
      revision: revision ?? null,
      mainScore: row.main_score,
      metrics: metricsOf(row),
    })),
  );
}

function metricsOf(row: Readonly<Record<string, unknown>>): Map<string, number> {
  const metrics = new Map<string, number>();
  for (const [key, value] of Object.entries(row)) {
    if (typeof value !== 'number' || !Number.isFinite(value) || key === 'main_score') continue;
    const [, stem, k] = /^(.*)_at_(\d+)$/u.exec(key) ?? [];
    const own = NAMES.find(([mteb]) => mteb === stem)?.[1];
    metrics.set(own === undefined || k === undefined ? key : `${own}@${k}`, value);
  }
  return metrics;
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('input', 'not-json', `${name} is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
