import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The share of all relevant documents that the first k hold.
 *
 * @formula R@k = relevant documents in the top k / R, where R is the number of relevant documents.
 * @edgeCases With R > k the value cannot reach 1 (see `R_cap`). Judged documents that are not in the corpus stay in R. 0
 *   when R = 0.
 * @source trec_eval `recall`.
 */
export const recall: QueryMetric = {
  scope: 'query',
  name: 'R',
  title: 'Recall',
  definition: 'Relevant documents in the top k, divided by all relevant documents.',
  cutoff: 'required',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['Recall'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level }) => {
    const relevant = query.relevantCount(level);
    return relevant === 0 ? 0 : query.relevantWithin(cutoff, level) / relevant;
  },
};
