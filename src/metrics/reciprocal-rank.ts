import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * One over the rank of the first relevant document.
 *
 * @formula RR@k = 1 / (rank of the first relevant document), or 0 when it lies below rank k.
 * @edgeCases 0 when nothing relevant is retrieved. The mean over queries is what others call MRR.
 * @source trec_eval `recip_rank`.
 */
export const reciprocalRank: QueryMetric = {
  scope: 'query',
  name: 'RR',
  title: 'Reciprocal rank',
  definition: 'One over the rank of the first relevant document.',
  cutoff: 'optional',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['MRR', 'recip_rank'],
  needs: [],
  aggregate: 'mean',
  evaluate: ({ ranks, grades }, { cutoff, level }) => {
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      if (rank > cutoff) return 0;
      if ((grades[i] as number) >= level) return 1 / rank;
    }
    return 0;
  },
};
