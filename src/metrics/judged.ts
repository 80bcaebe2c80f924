import type { QueryMetric } from './metric.ts';

/**
 * The share of the first k that this query's judgements cover.
 *
 * @formula judged@k = documents in the top k that are judged for this query / min(k, documents retrieved).
 * @edgeCases Every grade counts as judged, negative ones too. 0 for an empty ranking (ir_measures divides by zero).
 * @source ir_measures `Judged`.
 */
export const judged: QueryMetric = {
  scope: 'query',
  name: 'judged',
  title: 'Judged share',
  definition: 'Share of the top k that is judged for the query.',
  cutoff: 'required',
  parameters: [],
  range: [0, 1],
  alsoCalled: ['Judged'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, { cutoff }) => {
    const shown = Math.min(cutoff, query.length);
    return shown === 0 ? 0 : query.relevantWithin(cutoff, -Infinity) / shown;
  },
};
