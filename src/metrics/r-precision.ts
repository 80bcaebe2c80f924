import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Precision at as many ranks as there are relevant documents.
 *
 * @formula Rprec = relevant documents in the top R / R, where R is the number of relevant documents.
 * @edgeCases A ranking shorter than R is still divided by R. 0 when R = 0.
 * @source trec_eval `Rprec`.
 */
export const rPrecision: QueryMetric = {
  scope: 'query',
  name: 'Rprec',
  title: 'R-precision',
  definition: 'Relevant documents in the top R, divided by R, the number of relevant documents.',
  cutoff: 'none',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['R-Precision', 'RPrecision'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { level }) => {
    const relevant = query.relevantCount(level);
    return relevant === 0 ? 0 : query.relevantWithin(relevant, level) / relevant;
  },
};
