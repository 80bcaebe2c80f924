import { declareProtocol } from './declare.ts';

/** CORE-Bench (code retrieval): only what existed at the query's commit is ranked. */
export const CORE_BENCH = declareProtocol({
  id: 'core-bench',
  title: 'CORE-Bench (code retrieval)',
  about:
    'CORE-Bench (code retrieval): nDCG@10 and Recall@100 over the documents visible to each query, filtered before the cut.',
  source: 'arXiv 2606.11864, section 4.1 and appendix D.',
  chosen: {
    visibility: {
      value: 'listed',
      reason:
        'section 4.1: the merged corpus is filtered for each query, so that metrics see only visible documents',
    },
    invisibleJudged: {
      value: 'dropped',
      reason:
        'inferred: metrics are computed "only over the documents visible"; keeping them is the other reading',
    },
    gain: {
      value: 'exponential',
      reason: 'appendix D has gain 2^rel - 1; on its binary labels that equals the linear gain',
    },
    overall: {
      value: 'sub-datasets',
      reason: 'inferred: the paper does not say, and its table 3 cannot be the mean over queries',
    },
    measures: {
      value: ["nDCG(dcg='exp-log2')@10", 'nDCG@10', 'R@100'],
      reason: 'section 4.1 reports nDCG@10 and Recall@100; on binary labels both gains agree',
    },
  },
});
