import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

const SMOOTHING = 1e-5;

/**
 * Average precision estimated where only a sample of the pool was judged.
 *
 * @formula infAP = (1 / R) * sum over retrieved relevant documents at rank k of 1/k + ((k-1)/k) * (pooled / (k-1)) *
 *   ((rel + e) / (rel + nonrel + 2e)), counts taken above rank k, e = 0.00001; at rank 1 the summand is 1.
 * @edgeCases Pooled documents are those in the judgements, whatever their grade: a negative grade means "in the pool, not
 *   judged". Documents absent from the judgements lie outside the pool. 0 when R = 0.
 * @source Yilmaz and Aslam, CIKM 2006; trec_eval `infAP`.
 */
export const inferredAveragePrecision: QueryMetric = {
  scope: 'query',
  name: 'infAP',
  title: 'Inferred average precision',
  definition: 'Average precision estimated from a sample of judgements.',
  cutoff: 'none',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['inferredAP'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { level }) => {
    const total = query.relevantCount(level);
    if (total === 0) return 0;
    const { ranks, grades } = query;
    let relevant = 0;
    let nonRelevant = 0;
    let unjudged = 0;
    let sum = 0;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      const grade = grades[i] as number;
      if (grade >= level) {
        if (rank === 1) sum += 1;
        else {
          const above = rank - 1;
          const pooled = (relevant + nonRelevant + unjudged) / above;
          const precision = (relevant + SMOOTHING) / (relevant + nonRelevant + 2 * SMOOTHING);
          sum += 1 / rank + (above / rank) * pooled * precision;
        }
        relevant++;
      } else if (grade >= 0) nonRelevant++;
      else unjudged++;
    }
    return sum / total;
  },
};
