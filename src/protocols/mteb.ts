import { declareProtocol } from './declare.ts';
import { GRADED_AT_STANDARD_CUTOFFS } from './standard-measures.ts';

/** MTEB's retrieval evaluator. */
export const MTEB = declareProtocol({
  id: 'mteb',
  title: 'MTEB retrieval',
  about: "MTEB's retrieval tasks: title joined to the text, pytrec_eval at level 1, the top 1,000.",
  source: 'embeddings-benchmark/mteb, retrieval evaluator and its metrics.',
  chosen: {
    documentTemplate: {
      value: 'title-space-text-stripped',
      reason: 'MTEB embeds (title + " " + text).strip()',
    },
    scorePrecision: { value: 'float32', reason: 'pytrec_eval casts scores to float32' },
    depth: { value: 1_000, reason: 'MTEB keeps the top 1,000' },
    queriesWithoutResults: {
      value: 'excluded',
      reason: 'the mean runs over the queries that pytrec_eval returns',
    },
    measures: {
      value: GRADED_AT_STANDARD_CUTOFFS,
      reason: 'what MTEB reports, nDCG@10 being its main score',
    },
  },
  deviations: [
    'MRR, capped recall and Hole sort by the score alone and keep the order of the result dictionary on ties; here ids decide.',
    'The released evaluator rounds means to 5 digits; here they keep full precision.',
  ],
});
