import { COREB_MEASURES } from './coreb-measures.ts';
import { declareProtocol } from './declare.ts';

/** CoREB's copies on MTEB. */
export const COREB_MTEB = declareProtocol({
  id: 'coreb-mteb',
  title: 'CoREB, MTEB copy',
  about: "MTEB's evaluator on CoREB: any grade above 0 is relevant, and anchors stay in the ranking.",
  source: "embeddings-benchmark/mteb, tasks coreb-*; MTEB's retrieval evaluator.",
  chosen: {
    documentTemplate: {
      value: 'title-space-text-stripped',
      reason: 'MTEB embeds (title + " " + text).strip()',
    },
    scorePrecision: { value: 'float32', reason: 'pytrec_eval casts scores to float32' },
    depth: { value: 1_000, reason: 'MTEB keeps the top 1,000' },
    exclusions: { value: 'ignored', reason: 'MTEB excludes no anchor' },
    queriesWithoutResults: {
      value: 'excluded',
      reason: 'the mean runs over the queries that pytrec_eval returns',
    },
    overall: { value: 'tasks-plain', reason: 'MTEB averages tasks' },
    measures: { value: COREB_MEASURES, reason: 'the columns of A.6, for comparison' },
  },
  deviations: [
    'The copies hold positives only, so that all grades are alike; on the original grades gain is linear.',
    'The released evaluator rounds means to 5 digits; here they keep full precision.',
  ],
});
