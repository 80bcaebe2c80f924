import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * How often judged documents that are not relevant stand above relevant ones; unjudged documents are ignored.
 *
 * @formula Bpref = (1 / R) * sum over retrieved relevant documents of 1 - min(n, R) / min(R, N), where n counts the judged
 *   not-relevant documents above it, R the relevant documents and N the judged not-relevant ones.
 * @edgeCases A relevant document with none above it counts 1, also when N = 0. Negative grades are not judged
 *   not-relevant here, as in trec_eval. 0 when R = 0.
 * @source Buckley and Voorhees, SIGIR 2004; trec_eval `bpref`.
 */
export const bpref: QueryMetric = {
  scope: 'query',
  name: 'Bpref',
  title: 'Binary preference',
  definition: 'Share of judged pairs in which the relevant document stands above the not-relevant one.',
  cutoff: 'none',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['bpref'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { level }) => {
    const relevant = query.relevantCount(level);
    if (relevant === 0) return 0;
    const bound = Math.min(relevant, query.nonRelevantCount(level));
    let above = 0;
    let sum = 0;
    for (const grade of query.grades) {
      if (grade >= level) sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / bound;
      else if (grade >= 0) above++;
    }
    return sum / relevant;
  },
};
