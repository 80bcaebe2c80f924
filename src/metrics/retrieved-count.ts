import type { QueryMetric } from './metric.ts';

/**
 * The number of documents retrieved.
 *
 * @formula NumRet = documents in the ranking, after exclusions and the visibility filter; summed over queries.
 * @edgeCases 0 for an empty ranking.
 * @source trec_eval `num_ret`.
 */
export const retrievedCount: QueryMetric = {
  scope: 'query',
  name: 'NumRet',
  title: 'Documents retrieved',
  definition: 'Documents in the ranking; summed over queries.',
  cutoff: 'none',
  parameters: [],
  range: [0, Infinity],
  alsoCalled: ['num_ret'],
  needs: [],
  aggregate: 'sum',
  evaluate: (query) => query.length,
};
