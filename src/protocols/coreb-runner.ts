import { COREB_MEASURES } from './coreb-measures.ts';
import { declareProtocol } from './declare.ts';

/** CoREB as its released package computes it. */
export const COREB_RUNNER = declareProtocol({
  id: 'coreb-runner',
  title: 'CoREB, released runner',
  about:
    "CoREB's package coreb 0.1.0: scoring as in the paper, but every model with mean pooling, 512 tokens and no prompts.",
  source: 'Package coreb 0.1.0, read and run.',
  chosen: {
    promptPolicy: { value: 'none', reason: 'the runner passes texts as they are' },
    pooling: {
      value: 'mean',
      reason: 'the runner averages tokens unless the model returns a sentence vector',
    },
    maxTokens: { value: 512, reason: 'the runner cuts at 512 tokens' },
    similarity: { value: 'cosine', reason: 'the runner scales vectors to unit length' },
    scorePrecision: { value: 'float32', reason: 'float32 vectors, and pytrec_eval casts scores to float32' },
    depth: { value: 1_000, reason: 'the runner keeps the top 1,000' },
    identicalIds: {
      value: 'dropped',
      reason: "the runner's search skips a document whose id equals the query's",
    },
    relevanceLevel: { value: 2, reason: 'relevance_level=2 in the package' },
    gradesBelowLevel: { value: 'zeroed', reason: 'the package sets grades below 2 to 0 before scoring' },
    queriesWithoutResults: { value: 'excluded', reason: 'the mean runs over queries in both qrels and run' },
    overall: { value: 'tasks-by-queries', reason: 'the other reading: 1,200 code-to-text queries' },
    measures: { value: COREB_MEASURES, reason: 'A.6' },
  },
  deviations: [
    'Its search leaves ties at the cut to the device, and its second pass for code-to-code (nDCG, recall, MRR at 1, 5, 10, 20 without the anchor) leaves ties in list order; here ids decide (releasedCorebEvaluation has its readings).',
    'MRR, capped recall and accuracy divide by all queries of the qrels in the package; here every measure has the same denominator.',
    'The package rounds means to 5 digits, except in the second pass; here they keep full precision.',
  ],
});
