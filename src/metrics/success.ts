import { LEVEL_PARAMETER } from './level-parameter.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Whether the first k hold any relevant document.
 *
 * @formula Success@k = 1 when a relevant document stands in the top k, else 0.
 * @edgeCases A 0 or 1 a query, never a count (ranx's `hits` is a count).
 * @source trec_eval `success`.
 */
export const success: QueryMetric = {
  scope: 'query',
  name: 'Success',
  title: 'Success',
  definition: '1 when the top k hold a relevant document, else 0.',
  cutoff: 'required',
  parameters: [LEVEL_PARAMETER],
  range: [0, 1],
  alsoCalled: ['HitRate', 'Hits', 'Accuracy'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff, level }) => (query.relevantWithin(cutoff, level) > 0 ? 1 : 0),
};
