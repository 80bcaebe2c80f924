import { NO_PROMPTS, type ModelDefinition } from './model-definition.ts';

const GTE = {
  defaultDtype: 'fp32',
  dtypes: { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } },
  padding: 'right',
  normalised: true,
  similarity: 'cosine',
  prompts: NO_PROMPTS,
} as const satisfies Partial<ModelDefinition>;

/** thenlper's GTE (mean) and Alibaba's on ModernBERT (first token): no prompts. */
export const GTE_MODELS: readonly ModelDefinition[] = [
  {
    ...GTE,
    id: 'gte-small',
    source: { kind: 'hub', repository: 'Xenova/gte-small', revision: 'main' },
    upstream: { repository: 'thenlper/gte-small' },
    pooling: 'mean',
    dimensions: 384,
    maxTokens: 512,
    parameters: 33_360_000,
    licence: 'MIT',
    memoryMegabytes: 250,
  },
  {
    ...GTE,
    id: 'gte-base',
    source: { kind: 'hub', repository: 'Xenova/gte-base', revision: 'main' },
    upstream: { repository: 'thenlper/gte-base' },
    pooling: 'mean',
    dimensions: 768,
    maxTokens: 512,
    parameters: 109_482_240,
    licence: 'MIT',
    memoryMegabytes: 700,
  },
  {
    ...GTE,
    id: 'gte-large',
    source: { kind: 'hub', repository: 'Xenova/gte-large', revision: 'main' },
    upstream: { repository: 'thenlper/gte-large' },
    pooling: 'mean',
    dimensions: 1_024,
    maxTokens: 512,
    parameters: 335_141_888,
    licence: 'MIT',
    memoryMegabytes: 1_800,
  },
  {
    ...GTE,
    id: 'gte-modernbert-base',
    source: { kind: 'hub', repository: 'Alibaba-NLP/gte-modernbert-base', revision: 'main' },
    upstream: {
      repository: 'Alibaba-NLP/gte-modernbert-base',
      revision: '7ca8b4ca700621b67618669f5378fe5f5820b8e4',
    },
    pooling: 'cls',
    dimensions: 768,
    maxTokens: 8_192,
    parameters: 149_014_272,
    licence: 'Apache-2.0',
    memoryMegabytes: 900,
  },
];
