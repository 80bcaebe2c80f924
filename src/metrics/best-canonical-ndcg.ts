import { discountTable } from './discounts.ts';
import type { QueryMetric } from './metric.ts';

/**
 * Canonical nDCG in its other reading: only the best-placed canonical document counts.
 *
 * @formula best_canonical_nDCG@k = 1 / log2(r + 1), where r is the rank of the first document with a positive grade, or 0
 *   when r > k.
 * @edgeCases Equals `nDCG@k` where a query has one canonical document of grade 1; ExecRetrieval's text fits both readings,
 *   and `nDCG@k` is the default.
 * @source ExecRetrieval, Methodology: "canonical-ID nDCG".
 */
export const bestCanonicalNdcg: QueryMetric = {
  scope: 'query',
  name: 'best_canonical_nDCG',
  title: 'nDCG of the best canonical document',
  definition: '1 / log2(rank + 1) of the first canonical document in the top k, else 0.',
  cutoff: 'required',
  parameters: [],
  range: [0, 1],
  alsoCalled: ['canonical_nDCG'],
  needs: [],
  aggregate: 'mean',
  evaluate: ({ ranks, grades }, { cutoff }) => {
    const first = ranks[grades.findIndex((grade) => grade > 0)];
    return first === undefined || first > cutoff ? 0 : 1 / (discountTable(first)[first] as number);
  },
};
