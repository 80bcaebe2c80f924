import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Precision at the rank of each relevant document, averaged over all relevant documents.
 *
 * @formula AP@k = (1 / R) * sum over relevant documents at ranks i <= k of (relevant documents in the top i) / i, where R
 *   is the number of relevant documents, retrieved or not.
 * @edgeCases Always divided by R, as in trec_eval, ranx and MTEB: neither by min(k, R) nor by the relevant documents
 *   retrieved. 0 when R = 0.
 * @source trec_eval `map`, `map_cut`.
 */
export const averagePrecision: QueryMetric = {
  scope: 'query',
  name: 'AP',
  title: 'Average precision',
  definition: 'Precision at each relevant document, averaged over all relevant documents.',
  cutoff: 'optional',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['MAP', 'map_cut'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level }) => {
    const relevant = query.relevantCount(level);
    if (relevant === 0) return 0;
    const { ranks, grades } = query;
    let found = 0;
    let sum = 0;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      if (rank > cutoff) break;
      if ((grades[i] as number) < level) continue;
      found++;
      sum += found / rank;
    }
    return sum / relevant;
  },
};
