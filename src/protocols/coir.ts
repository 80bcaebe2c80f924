import { declareProtocol } from './declare.ts';
import { GRADED_AT_STANDARD_CUTOFFS } from './standard-measures.ts';

/** CoIR's evaluator: BEIR's without titles. */
export const COIR = declareProtocol({
  id: 'coir',
  title: 'CoIR',
  about: "CoIR's evaluator: BEIR's, with the text alone embedded.",
  source: 'CoIR-team/coir, which calls BEIR.',
  chosen: {
    scorePrecision: { value: 'float32', reason: 'pytrec_eval casts scores to float32' },
    depth: { value: 1_000, reason: 'as BEIR, whose evaluator it calls' },
    identicalIds: { value: 'dropped', reason: "BEIR's evaluator drops documents that bear the query's id" },
    queriesWithoutResults: {
      value: 'excluded',
      reason: 'the mean runs over the queries that pytrec_eval returns',
    },
    overall: { value: 'tasks-plain', reason: "CoIR's table averages its ten data sets" },
    measures: {
      value: GRADED_AT_STANDARD_CUTOFFS,
      reason: 'what CoIR reports, nDCG@10 being its main score',
    },
  },
  deviations: ['The released evaluator rounds means to 5 digits; here they keep full precision.'],
});
