import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The share of relevant documents among the first k.
 *
 * @formula P@k = relevant documents in the top k / k.
 * @edgeCases A ranking shorter than k is still divided by k. Unjudged documents count as not relevant.
 * @source trec_eval `P`.
 */
export const precision: QueryMetric = {
  scope: 'query',
  name: 'P',
  title: 'Precision',
  definition: 'Relevant documents in the top k, divided by k.',
  cutoff: 'required',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['Precision', 'Prec'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level }) => query.relevantWithin(cutoff, level) / cutoff,
};
