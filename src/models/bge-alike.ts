import type { ModelDefinition, Prompts } from './model-definition.ts';

const PROMPTS: Prompts = {
  default: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
};

const CLS = {
  defaultDtype: 'fp32',
  dtypes: { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } },
  pooling: 'cls',
  padding: 'right',
  normalised: true,
  similarity: 'cosine',
  maxTokens: 512,
  prompts: PROMPTS,
} as const satisfies Partial<ModelDefinition>;

/** BGE v1.5 and the models that took over its recipe: the first token, one sentence in front of queries. */
export const BGE_ALIKE_MODELS: readonly ModelDefinition[] = [
  {
    ...CLS,
    id: 'bge-small-en-v1.5',
    source: {
      kind: 'hub',
      repository: 'Xenova/bge-small-en-v1.5',
      revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    },
    upstream: { repository: 'BAAI/bge-small-en-v1.5', revision: '5c38ec7c405ec4b44b94cc5a9bb96e735b38267a' },
    dimensions: 384,
    parameters: 33_360_000,
    licence: 'MIT',
    memoryMegabytes: 250,
  },
  {
    ...CLS,
    id: 'bge-base-en-v1.5',
    source: { kind: 'hub', repository: 'Xenova/bge-base-en-v1.5', revision: 'main' },
    upstream: { repository: 'BAAI/bge-base-en-v1.5', revision: 'a5beb1e3e68b9ab74eb54cfd186867f64f240e1a' },
    dimensions: 768,
    parameters: 109_482_240,
    licence: 'MIT',
    memoryMegabytes: 700,
  },
  {
    ...CLS,
    id: 'bge-large-en-v1.5',
    source: { kind: 'hub', repository: 'Xenova/bge-large-en-v1.5', revision: 'main' },
    upstream: { repository: 'BAAI/bge-large-en-v1.5', revision: 'd4aa6901d3a41ba39fb536a557fa166f842b0e09' },
    dimensions: 1_024,
    parameters: 335_141_888,
    licence: 'MIT',
    memoryMegabytes: 1_800,
  },
  {
    ...CLS,
    id: 'bge-m3',
    source: { kind: 'hub', repository: 'Xenova/bge-m3', revision: 'main' },
    upstream: { repository: 'BAAI/bge-m3', revision: '5617a9f61b028005a4858fdac845db406aefb181' },
    dimensions: 1_024,
    maxTokens: 8_192,
    prompts: { default: { query: '', document: '' } },
    parameters: 567_754_752,
    licence: 'MIT',
    memoryMegabytes: 3_000,
  },
  {
    ...CLS,
    id: 'snowflake-arctic-embed-xs',
    source: { kind: 'hub', repository: 'Snowflake/snowflake-arctic-embed-xs', revision: 'main' },
    upstream: {
      repository: 'Snowflake/snowflake-arctic-embed-xs',
      revision: '742da4f66e1823b5b4dbe6c320a1375a1fd85f9e',
    },
    dimensions: 384,
    parameters: 22_713_216,
    licence: 'Apache-2.0',
    memoryMegabytes: 200,
  },
  {
    ...CLS,
    id: 'snowflake-arctic-embed-s',
    source: { kind: 'hub', repository: 'Snowflake/snowflake-arctic-embed-s', revision: 'main' },
    upstream: {
      repository: 'Snowflake/snowflake-arctic-embed-s',
      revision: 'd3c1d2d433dd0fdc8e9ca01331a5f225639e798f',
    },
    dimensions: 384,
    parameters: 33_360_000,
    licence: 'Apache-2.0',
    memoryMegabytes: 250,
  },
  {
    ...CLS,
    id: 'snowflake-arctic-embed-m',
    source: { kind: 'hub', repository: 'Snowflake/snowflake-arctic-embed-m', revision: 'main' },
    upstream: {
      repository: 'Snowflake/snowflake-arctic-embed-m',
      revision: 'cc17beacbac32366782584c8752220405a0f3f40',
    },
    dimensions: 768,
    parameters: 109_482_240,
    licence: 'Apache-2.0',
    memoryMegabytes: 700,
  },
  {
    ...CLS,
    id: 'mxbai-embed-large-v1',
    source: { kind: 'hub', repository: 'mixedbread-ai/mxbai-embed-large-v1', revision: 'main' },
    upstream: {
      repository: 'mixedbread-ai/mxbai-embed-large-v1',
      revision: '990580e27d329c7408b3741ecff85876e128e203',
    },
    dimensions: 1_024,
    matryoshka: [512],
    parameters: 335_141_888,
    licence: 'Apache-2.0',
    memoryMegabytes: 1_800,
  },
];
