import { NO_PROMPTS, type ModelDefinition, type Prompts } from './model-definition.ts';

/** The prefixes of jina-code-embeddings, by task. */
const CODE_PROMPTS: Prompts = {
  default: {
    query: 'Find the most relevant code snippet given the following query:\n',
    document: 'Candidate code snippet:\n',
  },
  byTask: {
    nl2code: {
      query: 'Find the most relevant code snippet given the following query:\n',
      document: 'Candidate code snippet:\n',
    },
    code2code: {
      query: 'Find an equivalent code snippet given the following code snippet:\n',
      document: 'Candidate code snippet:\n',
    },
    code2nl: {
      query: 'Find the most relevant comment given the following code snippet:\n',
      document: 'Candidate comment:\n',
    },
  },
};

const CODE = {
  defaultDtype: 'fp32',
  dtypes: { fp32: {}, q8: { dependsOnBatch: true } },
  pooling: 'last',
  padding: 'left',
  normalised: true,
  similarity: 'cosine',
  maxTokens: 8_192,
  prompts: CODE_PROMPTS,
  licence: 'CC-BY-NC-4.0',
} as const satisfies Partial<ModelDefinition>;

/** Jina's code models: the BERT-like v2 (mean, no prompts) and the two on Qwen2.5-Coder (last token, a prefix a task). */
export const JINA_MODELS: readonly ModelDefinition[] = [
  {
    id: 'jina-embeddings-v2-base-code',
    source: {
      kind: 'hub',
      repository: 'jinaai/jina-embeddings-v2-base-code',
      revision: '516f4baf13dec4ddddda8631e019b5737c8bc250',
    },
    upstream: {
      repository: 'jinaai/jina-embeddings-v2-base-code',
      revision: '516f4baf13dec4ddddda8631e019b5737c8bc250',
    },
    defaultDtype: 'fp32',
    dtypes: {
      fp32: { megabytes: 642 },
      fp16: { megabytes: 321, needsShaderF16: true },
      q8: { megabytes: 162, dependsOnBatch: true },
    },
    pooling: 'mean',
    padding: 'right',
    normalised: true,
    similarity: 'cosine',
    dimensions: 768,
    maxTokens: 8_192,
    prompts: NO_PROMPTS,
    parameters: 160_801_536,
    licence: 'Apache-2.0',
    memoryMegabytes: 1_000,
  },
  {
    ...CODE,
    id: 'jina-code-embeddings-0.5b',
    source: { kind: 'hub', repository: 'nchapman/jina-code-embeddings-0.5b-onnx', revision: 'main' },
    upstream: { repository: 'jinaai/jina-code-embeddings-0.5b' },
    dimensions: 896,
    matryoshka: [512, 256, 128, 64],
    parameters: 494_032_768,
    memoryMegabytes: 2_500,
    note: 'The ONNX file is a conversion by a third party. The licence forbids commercial use.',
  },
  {
    ...CODE,
    id: 'jina-code-embeddings-1.5b',
    source: { kind: 'hub', repository: 'jinaai/jina-code-embeddings-1.5b', revision: 'main' },
    upstream: { repository: 'jinaai/jina-code-embeddings-1.5b' },
    dimensions: 1_536,
    matryoshka: [1_024, 512, 256, 128],
    parameters: 1_543_714_304,
    memoryMegabytes: 7_000,
    note: 'No ONNX repository is known: convert it yourself and open the folder. The licence forbids commercial use.',
  },
];
