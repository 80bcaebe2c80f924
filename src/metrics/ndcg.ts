import { discountedGain, idealGain, type GainKind } from './gain.ts';
import type { JudgedRanking } from './judged-ranking.ts';
import type { QueryMetric } from './metric.ts';

/**
 * The gain of the ranking, discounted by rank, over the gain of the best possible ranking of all judged documents.
 *
 * @formula DCG@k = sum over ranks i = 1..k of gain(grade_i) / log2(i + 1); nDCG@k = DCG@k / ideal DCG@k. Gain is the grade
 *   (`nDCG@10`, as trec_eval and MTEB) or 2^grade - 1 (`nDCG(dcg='exp-log2')@10`, as gdeval and CORE-Bench's text).
 * @edgeCases Unjudged documents and grades of 0 and below gain 0 but hold their rank. The ideal counts judged documents
 *   that the ranking lacks. 0 when no document has a positive grade. There is no `rel`: as in trec_eval, the relevance
 *   level leaves gains alone; a protocol that zeroes grades below its level (CoREB) does so before this is computed.
 * @source Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; trec_eval `ndcg`, `ndcg_cut`.
 */
export const nDCG: QueryMetric = {
  scope: 'query',
  name: 'nDCG',
  title: 'Normalised discounted cumulative gain',
  definition: 'Gain of the top k, discounted by log2(rank + 1), over that of the best possible ranking.',
  cutoff: 'optional',
  parameters: [
    {
      kind: 'choice',
      name: 'dcg',
      meaning: 'gain: log2 = the grade itself, exp-log2 = 2^grade - 1',
      fallback: 'log2',
      choices: ['log2', 'exp-log2'],
    },
  ],
  range: [0, 1],
  alsoCalled: ['NDCG', 'ndcg_cut', 'canonical_ndcg'],
  needs: [],
  aggregate: 'mean',
  evaluate: (query, measure) =>
    normalisedGain(query, measure.cutoff, measure.parameters.get('dcg') as GainKind),
};

/** nDCG of a query at a cutoff; 0 when nothing has a positive grade. */
export function normalisedGain(query: JudgedRanking, cutoff: number, kind: GainKind): number {
  const ideal = idealGain(query.idealGrades, cutoff, kind);
  return ideal === 0 ? 0 : discountedGain(query.ranks, query.grades, cutoff, kind) / ideal;
}
