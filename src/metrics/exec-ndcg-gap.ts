import type { QueryMetric } from './metric.ts';
import { normalisedGain } from './ndcg.ts';
import { passingWithin } from './passing.ts';

/**
 * How far finding something that works is from finding the canonical document.
 *
 * @formula exec_ndcg_gap@k = exec@k - nDCG@k for each query, nDCG over the canonical documents' ids with grade 1: gain
 *   1 / log2(rank + 1), ideal over min(k, canonical documents).
 * @edgeCases Negative when the canonical document stands high but fails its tests. A query without a ranking counts 0.
 * @source ExecRetrieval, released evaluator.
 */
export const execNdcgGap: QueryMetric = {
  scope: 'query',
  name: 'exec_ndcg_gap',
  title: 'Gap between execution and canonical nDCG',
  definition: 'exec@k minus nDCG@k over the canonical documents.',
  cutoff: 'required',
  parameters: [],
  range: [-1, 1],
  alsoCalled: ['gap'],
  needs: ['verdicts'],
  aggregate: 'mean',
  evaluate: (query, { cutoff }) =>
    (passingWithin(query, cutoff) > 0 ? 1 : 0) - normalisedGain(query, cutoff, 'log2'),
};
