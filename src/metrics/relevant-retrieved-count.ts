import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The number of relevant documents retrieved.
 *
 * @formula NumRelRet = relevant documents in the ranking; summed over queries.
 * @edgeCases 0 for an empty ranking.
 * @source trec_eval `num_rel_ret`.
 */
export const relevantRetrievedCount: QueryMetric = {
  scope: 'query',
  name: 'NumRelRet',
  title: 'Relevant documents retrieved',
  definition: 'Relevant documents in the ranking; summed over queries.',
  cutoff: 'none',
  parameters: [LEVEL_PARAMETER],
  range: [0, Infinity],
  alsoCalled: ['num_rel_ret'],
  needs: [],
  aggregate: 'sum',
  evaluate: (query, { level }) => query.relevantWithin(Infinity, level),
};
