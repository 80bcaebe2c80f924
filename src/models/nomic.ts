import type { ModelDefinition, Prompts } from './model-definition.ts';

const SEARCH: Prompts = { default: { query: 'search_query: ', document: 'search_document: ' } };
const CODE: Prompts = {
  default: { query: 'Represent this query for searching relevant code: ', document: '' },
};

const NOMIC = {
  defaultDtype: 'fp32',
  padding: 'right',
  normalised: true,
  similarity: 'cosine',
  dimensions: 768,
  maxTokens: 8_192,
} as const satisfies Partial<ModelDefinition>;

/** Nomic's text models (mean, prefixes) and its code model, whose recipe SweRankEmbed-Small took over (first token). */
export const NOMIC_MODELS: readonly ModelDefinition[] = [
  {
    ...NOMIC,
    id: 'nomic-embed-text-v1.5',
    source: { kind: 'hub', repository: 'nomic-ai/nomic-embed-text-v1.5', revision: 'main' },
    upstream: {
      repository: 'nomic-ai/nomic-embed-text-v1.5',
      revision: 'b0753ae76394dd36bcfb912a46018088bca48be0',
    },
    dtypes: { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } },
    pooling: 'mean',
    layerNorm: true,
    matryoshka: [512, 256, 128, 64],
    prompts: SEARCH,
    parameters: 136_731_648,
    licence: 'Apache-2.0',
    memoryMegabytes: 900,
  },
  {
    ...NOMIC,
    id: 'modernbert-embed-base',
    source: { kind: 'hub', repository: 'nomic-ai/modernbert-embed-base', revision: 'main' },
    upstream: {
      repository: 'nomic-ai/modernbert-embed-base',
      revision: '5960f1566fb7cb1adf1eb6e816639cf4646d9b12',
    },
    dtypes: { fp32: {}, fp16: { needsShaderF16: true }, q8: { dependsOnBatch: true } },
    pooling: 'mean',
    matryoshka: [256],
    prompts: SEARCH,
    parameters: 149_014_272,
    licence: 'Apache-2.0',
    memoryMegabytes: 900,
  },
  {
    ...NOMIC,
    id: 'CodeRankEmbed',
    source: { kind: 'hub', repository: 'jamie8johnson/CodeRankEmbed-onnx', revision: 'main' },
    upstream: { repository: 'nomic-ai/CodeRankEmbed' },
    dtypes: { fp32: {} },
    pooling: 'cls',
    prompts: CODE,
    parameters: 136_731_648,
    licence: 'MIT',
    memoryMegabytes: 900,
    note: 'The ONNX file is a conversion by a third party.',
  },
  {
    ...NOMIC,
    id: 'SweRankEmbed-Small',
    source: { kind: 'hub', repository: 'Salesforce/SweRankEmbed-Small', revision: 'main' },
    upstream: { repository: 'Salesforce/SweRankEmbed-Small' },
    dtypes: { fp32: {} },
    pooling: 'cls',
    prompts: CODE,
    parameters: 136_731_648,
    licence: 'CC-BY-NC-4.0',
    memoryMegabytes: 900,
    note: 'No ONNX repository is known: convert it yourself and open the folder. The licence forbids commercial use.',
  },
];
