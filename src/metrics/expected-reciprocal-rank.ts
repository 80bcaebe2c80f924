import { AppError } from '../domain/app-error.ts';
import { gainOf, powerOfTwo } from './gain.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The expected reciprocal rank at which a reader who walks down the ranking is satisfied.
 *
 * @formula ERR@k = sum over ranks i <= k of (1/i) * s_i * product over j < i of (1 - s_j), where s = (2^grade - 1) / 2^max
 *   and max is the highest grade of the scale: 4 unless said, as in gdeval.
 * @edgeCases Unjudged documents and grades of 0 and below never satisfy. A grade above max is refused: write the scale's
 *   top, as in `ERR(max=5)@20`. Not normalised; gdeval rounds to 5 digits, this does not.
 * @source Chapelle and others, CIKM 2009; TREC's gdeval, ir_measures `ERR`.
 */
export const expectedReciprocalRank: QueryMetric = {
  scope: 'query',
  name: 'ERR',
  title: 'Expected reciprocal rank',
  definition: 'Expected reciprocal rank of the document that satisfies a reader going down the ranking.',
  cutoff: 'optional',
  parameters: [
    {
      kind: 'number',
      name: 'max',
      meaning: 'highest grade of the scale',
      fallback: 4,
      from: 1,
      to: 52,
      whole: true,
    },
  ],
  range: [0, 1],
  alsoCalled: ['ExpectedReciprocalRank'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, parameters, name }) => {
    const max = parameters.get('max') as number;
    const highest = query.idealGrades[0];
    if (highest !== undefined && highest > max)
      throw new AppError(
        'score',
        'grade-above-scale',
        `${name}: query "${query.ranking.queryId}" has grade ${highest}, above the scale's top of ${max}; write ERR(max=${highest}).`,
      );
    const { ranks, grades } = query;
    const scale = powerOfTwo(max);
    let unsatisfied = 1;
    let sum = 0;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      if (rank > cutoff) break;
      const satisfies = gainOf(grades[i] as number, 'exp-log2') / scale;
      sum += (unsatisfied * satisfies) / rank;
      unsatisfied *= 1 - satisfies;
    }
    return sum;
  },
};
