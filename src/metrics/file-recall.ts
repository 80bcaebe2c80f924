import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';
import { recall } from './recall.ts';

/**
 * The share of all relevant files that the first k files hold.
 *
 * @formula FileR@k = relevant files among the first k files / relevant files; a file stands where its best chunk stands and
 *   has the highest grade of its judged chunks.
 * @edgeCases As `R@k`. Chunks that are not visible to the query are gone beforehand.
 * @source Localisation in LocAgent, SweRank and CORE-Bench (code retrieval).
 */
export const fileRecall: QueryMetric = {
  scope: 'query',
  name: 'FileR',
  title: 'File recall',
  definition: 'Relevant files among the first k files, divided by all relevant files.',
  cutoff: 'required',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['FileRecall'],
  needs: ['files'],
  aggregate: 'mean',
  evaluate: (query, measure) => recall.evaluate(query.byFile(), measure),
};
