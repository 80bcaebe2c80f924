import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The rate of relevance met by a reader who goes on from each document to the next with probability p.
 *
 * @formula RBP@k = (1 - p) * sum over relevant documents at ranks i <= k of p^(i - 1); p = 0.8 unless said.
 * @edgeCases Binary at the relevance level. No normalisation: a perfect ranking of R documents reaches 1 - p^R, not 1.
 * @source Moffat and Zobel, ACM TOIS 27(1), 2008; ir_measures `RBP(rel=1)`.
 */
export const rankBiasedPrecision: QueryMetric = {
  scope: 'query',
  name: 'RBP',
  title: 'Rank-biased precision',
  definition: 'Relevance weighted by (1 - p) p^(rank - 1).',
  cutoff: 'optional',
  parameters: [
    {
      kind: 'number',
      name: 'p',
      meaning: 'persistence: the probability of going on to the next document',
      fallback: 0.8,
      from: 0,
      to: 1,
      whole: false,
    },
    LEVEL_PARAMETER,
  ],
  range: [0, 1],
  alsoCalled: ['RankBiasedPrecision'],
  needs: [],
  aggregate: 'mean',
  evaluate: ({ ranks, grades }, { cutoff, level, parameters }) => {
    const p = parameters.get('p') as number;
    let weight = 1;
    let atRank = 1;
    let sum = 0;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      if (rank > cutoff) break;
      if ((grades[i] as number) < level) continue;
      // Multiplied out step by step: Math.pow is not specified to the bit.
      for (; atRank < rank; atRank++) weight *= p;
      sum += weight;
    }
    return (1 - p) * sum;
  },
};
