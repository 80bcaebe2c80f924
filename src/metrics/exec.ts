import type { QueryMetric } from './metric.ts';
import { passingWithin } from './passing.ts';

/**
 * Whether the first k hold a document that passes every test of the query.
 *
 * @formula exec@k = 1 when a passing document stands in the top k, else 0.
 * @edgeCases Passing means the verdict `pass`: timeout, unsupported, platform-sensitive and a missing verdict do not count
 *   and stay in the denominator. Any passing document counts, not only the query's own canonical. A query without a ranking counts 0.
 * @source ExecRetrieval, Methodology: "at least one passing snippet in the top k".
 */
export const exec: QueryMetric = {
  scope: 'query',
  name: 'exec',
  title: 'Executed success',
  definition: '1 when the top k hold a document that passes every test, else 0.',
  cutoff: 'required',
  parameters: [],
  range: [0, 1],
  alsoCalled: ['pass', 'exec_at'],
  needs: ['verdicts'],
  aggregate: 'mean',
  evaluate: (query, { cutoff }) => (passingWithin(query, cutoff) > 0 ? 1 : 0),
};
