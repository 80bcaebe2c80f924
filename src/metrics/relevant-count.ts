import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The number of relevant documents, retrieved or not.
 *
 * @formula NumRel = judged documents with a grade of at least the level; summed over queries that have a ranking.
 * @edgeCases Judged documents that are not in the corpus count.
 * @source trec_eval `num_rel`.
 */
export const relevantCount: QueryMetric = {
  scope: 'query',
  name: 'NumRel',
  title: 'Relevant documents',
  definition: 'Relevant documents of the query, retrieved or not; summed over queries.',
  cutoff: 'none',
  parameters: [LEVEL_PARAMETER],
  range: [0, Infinity],
  alsoCalled: ['num_rel'],
  needs: [],
  aggregate: 'sum',
  evaluate: (query, { level }) => query.relevantCount(level),
};
