import { AppError } from '../../domain/app-error.ts';
import { nearNames } from '../../domain/near-names.ts';
import type { RerankerDefinition } from './reranker-definition.ts';

const BERT_DTYPES = { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } } as const;

/** Every reranker that Assay knows by name, the one that needs no download first. */
export const RERANKERS: readonly RerankerDefinition[] = [
  {
    id: 'max-sim',
    scoring: { kind: 'max-sim', encoder: 'all-MiniLM-L6-v2' },
    dtypes: { q8: {} },
    defaultDtype: 'q8',
    maxTokens: 256,
    parameters: 22_713_216,
    licence: 'Apache-2.0',
    note: 'Late interaction over the token vectors of the bundled model, which was not trained for it.',
  },
  {
    id: 'ms-marco-MiniLM-L-6-v2',
    scoring: { kind: 'one-logit' },
    source: { kind: 'hub', repository: 'Xenova/ms-marco-MiniLM-L-6-v2', revision: 'main' },
    dtypes: BERT_DTYPES,
    defaultDtype: 'fp32',
    maxTokens: 512,
    parameters: 22_713_601,
    licence: 'Apache-2.0',
  },
  {
    id: 'bge-reranker-base',
    scoring: { kind: 'one-logit' },
    source: { kind: 'hub', repository: 'Xenova/bge-reranker-base', revision: 'main' },
    dtypes: BERT_DTYPES,
    defaultDtype: 'fp32',
    maxTokens: 512,
    parameters: 278_044_417,
    licence: 'MIT',
  },
  {
    id: 'mxbai-rerank-xsmall-v1',
    scoring: { kind: 'one-logit' },
    source: {
      kind: 'hub',
      repository: 'mixedbread-ai/mxbai-rerank-xsmall-v1',
      revision: 'b5c6e9da73abc3711f593f705371cdbe9e0fe422',
    },
    dtypes: BERT_DTYPES,
    defaultDtype: 'fp32',
    maxTokens: 512,
    parameters: 70_830_337,
    licence: 'Apache-2.0',
  },
  {
    id: 'jina-reranker-v2-base-multilingual',
    scoring: { kind: 'one-logit' },
    source: {
      kind: 'hub',
      repository: 'jinaai/jina-reranker-v2-base-multilingual',
      revision: '126747772a932960028d9f4dc93bd5d9c4869be4',
    },
    dtypes: BERT_DTYPES,
    defaultDtype: 'fp32',
    maxTokens: 1_024,
    parameters: 278_000_000,
    licence: 'CC-BY-NC-4.0',
    note: 'The licence forbids commercial use.',
  },
  {
    id: 'Qwen3-Reranker-0.6B',
    scoring: {
      kind: 'yes-no',
      prefix:
        '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
      suffix: '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
      body: (instruction, query, document) =>
        `<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${document}`,
      yes: 'yes',
      no: 'no',
      instruction: 'Given a web search query, retrieve relevant passages that answer the query',
    },
    source: { kind: 'hub', repository: 'onnx-community/Qwen3-Reranker-0.6B-ONNX', revision: 'main' },
    dtypes: { q8: { dependsOnBatch: true }, q4: {} },
    defaultDtype: 'q8',
    maxTokens: 8_192,
    parameters: 595_776_512,
    licence: 'Apache-2.0',
  },
];

/** Returns the reranker of that id. Errors: `unknown-reranker`, with near ids or all. */
export function findReranker(id: string): RerankerDefinition {
  const found = RERANKERS.find((candidate) => candidate.id === id);
  if (found) return found;
  const ids = RERANKERS.map((known) => known.id);
  const near = nearNames(id, ids);
  throw new AppError(
    'rerank',
    'unknown-reranker',
    `There is no reranker "${id}". ${near.length > 0 ? `Near ones: ${near.join(', ')}.` : `Known: ${ids.join(', ')}.`}`,
  );
}
