import type { QueryMetric } from './metric.ts';
import { passingWithin } from './passing.ts';

/**
 * The share of the first k that pass every test of the query.
 *
 * @formula execution_precision@k = passing documents in the top k / k.
 * @edgeCases A shorter ranking is still divided by k; `execution_precision(over='returned')@k` is the other reading,
 *   divided by min(k, documents retrieved). The paper names the measure without a formula; its printed values agree with k.
 * @source ExecRetrieval, Methodology and released evaluator.
 */
export const executionPrecision: QueryMetric = {
  scope: 'query',
  name: 'execution_precision',
  title: 'Execution precision',
  definition: 'Documents in the top k that pass every test, divided by k.',
  cutoff: 'required',
  parameters: [
    {
      kind: 'choice',
      name: 'over',
      meaning: 'denominator: k, or returned = the smaller of k and the documents retrieved',
      fallback: 'k',
      choices: ['k', 'returned'],
    },
  ],
  range: [0, 1],
  alsoCalled: ['exec_precision', 'exec_P'],
  needs: ['verdicts'],
  aggregate: 'mean',
  evaluate: (query, { cutoff, parameters }) => {
    const over = parameters.get('over') === 'returned' ? Math.min(cutoff, query.length) : cutoff;
    return over === 0 ? 0 : passingWithin(query, cutoff) / over;
  },
};
