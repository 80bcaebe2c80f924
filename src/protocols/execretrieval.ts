import { declareProtocol } from './declare.ts';

/** ExecRetrieval as its released evaluator scores it: canonical nDCG beside what passes when executed. */
export const EXECRETRIEVAL = declareProtocol({
  id: 'execretrieval',
  title: 'ExecRetrieval',
  about: "ExecRetrieval's released evaluator: exec@k by executed tests, nDCG@k on the canonical documents.",
  source: 'ExecRetrieval, Methodology, and its released evaluator (dataset revision ace5c3f).',
  chosen: {
    measures: {
      value: [
        'exec@1',
        'exec@3',
        'exec@5',
        'exec@10',
        'execution_precision@1',
        'execution_precision@3',
        'execution_precision@5',
        'execution_precision@10',
        'nDCG@1',
        'nDCG@3',
        'nDCG@5',
        'nDCG@10',
        'exec_ndcg_gap@1',
        'exec_ndcg_gap@3',
        'exec_ndcg_gap@5',
        'exec_ndcg_gap@10',
      ],
      reason: 'the paper reports these at k = 1, 3, 5, 10',
    },
  },
  deviations: ['How the released evaluator orders equal similarities is not stated; here ids decide.'],
});
