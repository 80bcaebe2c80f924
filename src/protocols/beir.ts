import { declareProtocol } from './declare.ts';
import { GRADED_AT_STANDARD_CUTOFFS } from './standard-measures.ts';

/** BEIR's evaluator with its defaults. */
export const BEIR = declareProtocol({
  id: 'beir',
  title: 'BEIR',
  about: "BEIR's EvaluateRetrieval: as MTEB, with documents dropped that bear the query's id.",
  source: 'beir-cellar/beir, EvaluateRetrieval (ignore_identical_ids is on by default).',
  chosen: {
    documentTemplate: {
      value: 'title-space-text-stripped',
      reason: 'BEIR embeds (title + " " + text).strip()',
    },
    scorePrecision: { value: 'float32', reason: 'pytrec_eval casts scores to float32' },
    depth: { value: 1_000, reason: 'BEIR keeps as many as its highest k, 1,000' },
    identicalIds: {
      value: 'dropped',
      reason:
        'ignore_identical_ids is on by default: right for ArguAna and Quora, wrong where ids coincide by chance',
    },
    queriesWithoutResults: {
      value: 'excluded',
      reason: 'the mean runs over the queries that pytrec_eval returns',
    },
    measures: { value: GRADED_AT_STANDARD_CUTOFFS, reason: 'what BEIR reports' },
  },
  deviations: ['The released evaluator rounds means to 5 digits; here they keep full precision.'],
});
