import { COREB_MEASURES } from './coreb-measures.ts';
import { declareProtocol } from './declare.ts';

/** CoREB as its paper describes the scoring. */
export const COREB_PAPER = declareProtocol({
  id: 'coreb-paper',
  title: 'CoREB, paper',
  about:
    "CoREB's appendix A.6: level 2 with lower grades zeroed, anchors removed, each model's own prompts and pooling.",
  source: 'CoREB, A.3, A.6, B.4 and B.9.',
  chosen: {
    similarity: { value: 'cosine', reason: 'A.6: "ranks all items by cosine similarity"' },
    scorePrecision: {
      value: 'float32',
      reason: 'A.6: evaluation by pytrec_eval, which casts scores to float32',
    },
    relevanceLevel: { value: 2, reason: 'A.6: all metrics at relevance_level 2' },
    gradesBelowLevel: {
      value: 'zeroed',
      reason: 'A.6: hard negatives are zeroed for nDCG; they gain nothing and still hold their rank',
    },
    queriesWithoutRelevant: {
      value: 'zero',
      reason:
        'A.6 and the released code score them 0; A.3 says that they are excluded, which this setting can do',
    },
    overall: {
      value: 'tasks-by-queries-with-relevant',
      reason: 'only these weights let Qwen3-8B trail 0.6B, as the paper says',
    },
    measures: { value: COREB_MEASURES, reason: 'A.6' },
  },
});
