import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Recall against what k places can hold.
 *
 * @formula R_cap@k = relevant documents in the top k / min(k, R), where R is the number of relevant documents.
 * @edgeCases 0 when R = 0 (BEIR divides by zero there, MTEB raises an error).
 * @source Thakur and others, BEIR, NeurIPS 2021 (`R_cap@k`).
 */
export const cappedRecall: QueryMetric = {
  scope: 'query',
  name: 'R_cap',
  title: 'Capped recall',
  definition: 'Relevant documents in the top k, divided by the smaller of k and all relevant documents.',
  cutoff: 'required',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['recall_cap', 'CappedRecall'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level }) => {
    const reachable = Math.min(cutoff, query.relevantCount(level));
    return reachable === 0 ? 0 : query.relevantWithin(cutoff, level) / reachable;
  },
};
