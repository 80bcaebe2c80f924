import type { QueryMetric } from './metric.ts';
import { nDCG } from './ndcg.ts';

/**
 * nDCG over files instead of chunks.
 *
 * @formula FilenDCG@k = nDCG@k of the ranking of files; a file stands where its best chunk stands and has the highest grade
 *   of its judged chunks.
 * @edgeCases As `nDCG@k`; the ideal ranks files, not chunks. Chunks that are not visible to the query are gone beforehand.
 * @source Localisation in LocAgent, SweRank and CORE-Bench (code retrieval).
 */
export const fileNdcg: QueryMetric = {
  scope: 'query',
  name: 'FilenDCG',
  title: 'File nDCG',
  definition: 'nDCG over files, each at the rank of its best chunk.',
  cutoff: 'optional',
  parameters: nDCG.parameters,
  range: [0, 1],
  alsoCalled: ['FileNDCG'],
  needs: ['files'],
  aggregate: 'mean',
  evaluate: (query, measure) => nDCG.evaluate(query.byFile(), measure),
};
