import type { ModelDefinition, Prompts } from './model-definition.ts';

const PROMPTS: Prompts = { default: { query: 'query: ', document: 'passage: ' } };

const E5 = {
  defaultDtype: 'fp32',
  dtypes: { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } },
  pooling: 'mean',
  padding: 'right',
  normalised: true,
  similarity: 'cosine',
  maxTokens: 512,
  prompts: PROMPTS,
  licence: 'MIT',
} as const satisfies Partial<ModelDefinition>;

/** intfloat's E5, English and multilingual: mean pooling, `query: ` and `passage: ` in front of every text. */
export const E5_MODELS: readonly ModelDefinition[] = [
  {
    ...E5,
    id: 'e5-small-v2',
    source: { kind: 'hub', repository: 'Xenova/e5-small-v2', revision: 'main' },
    upstream: { repository: 'intfloat/e5-small-v2', revision: 'dca8b1a9dae0d4575df2bf423a5edb485a431236' },
    dimensions: 384,
    parameters: 33_360_000,
    memoryMegabytes: 250,
  },
  {
    ...E5,
    id: 'e5-base-v2',
    source: { kind: 'hub', repository: 'Xenova/e5-base-v2', revision: 'main' },
    upstream: { repository: 'intfloat/e5-base-v2', revision: '1c644c92ad3ba1efdad3f1451a637716616a20e8' },
    dimensions: 768,
    parameters: 109_482_240,
    memoryMegabytes: 700,
  },
  {
    ...E5,
    id: 'e5-large-v2',
    source: { kind: 'hub', repository: 'Xenova/e5-large-v2', revision: 'main' },
    upstream: { repository: 'intfloat/e5-large-v2', revision: 'b322e09026e4ea05f42beadf4d661fb4e101d311' },
    dimensions: 1_024,
    parameters: 335_141_888,
    memoryMegabytes: 1_800,
  },
  {
    ...E5,
    id: 'multilingual-e5-small',
    source: { kind: 'hub', repository: 'Xenova/multilingual-e5-small', revision: 'main' },
    upstream: {
      repository: 'intfloat/multilingual-e5-small',
      revision: 'fd1525a9fd15316a2d503bf26ab031a61d056e98',
    },
    dimensions: 384,
    parameters: 117_653_760,
    memoryMegabytes: 700,
  },
  {
    ...E5,
    id: 'multilingual-e5-base',
    source: { kind: 'hub', repository: 'Xenova/multilingual-e5-base', revision: 'main' },
    upstream: {
      repository: 'intfloat/multilingual-e5-base',
      revision: 'd13f1b27baf31030b7fd040960d60d909913633f',
    },
    dimensions: 768,
    parameters: 278_043_648,
    memoryMegabytes: 1_500,
  },
];
