import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Whether the first k files hold every file to be found.
 *
 * @formula FileAcc@k = 1 when all relevant files stand among the first k files, else 0; a file stands where its best chunk
 *   stands and has the highest grade of its judged chunks.
 * @edgeCases With more relevant files than k the value is 0. `FileAcc(match='any')@k` asks for one relevant file only. 0
 *   when nothing is relevant. Chunks that are not visible to the query are gone beforehand.
 * @source LocAgent and SweRank, `Acc@k`.
 */
export const fileAccuracy: QueryMetric = {
  scope: 'query',
  name: 'FileAcc',
  title: 'File accuracy',
  definition: '1 when the first k files hold every relevant file, else 0.',
  cutoff: 'required',
  parameters: [
    {
      kind: 'choice',
      name: 'match',
      meaning: 'whether all relevant files must be there or any one of them',
      fallback: 'all',
      choices: ['all', 'any'],
    },
    LEVEL_PARAMETER,
  ],
  range: [0, 1],
  alsoCalled: ['Acc', 'FileAccuracy'],
  needs: ['files'],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level, parameters }) => {
    const files = query.byFile();
    const wanted = parameters.get('match') === 'any' ? 1 : files.relevantCount(level);
    return wanted > 0 && files.relevantWithin(cutoff, level) >= wanted ? 1 : 0;
  },
};
