import type { ModelDefinition } from './model-definition.ts';

/** Google's EmbeddingGemma: the graph pools, projects and normalises itself. */
export const EMBEDDINGGEMMA_MODELS: readonly ModelDefinition[] = [
  {
    id: 'embeddinggemma-300m',
    source: { kind: 'hub', repository: 'onnx-community/embeddinggemma-300m-ONNX', revision: 'main' },
    upstream: {
      repository: 'google/embeddinggemma-300m',
      revision: '64614b0b8b64f0c6c1e52b07e4e9a4e8fe4d2da2',
    },
    defaultDtype: 'fp32',
    dtypes: { fp32: {}, q8: {}, q4: {} },
    pooling: 'sentence_embedding',
    padding: 'right',
    normalised: true,
    similarity: 'cosine',
    dimensions: 768,
    matryoshka: [512, 256, 128],
    maxTokens: 2_048,
    prompts: {
      default: { query: 'task: code retrieval | query: ', document: 'title: none | text: ' },
    },
    parameters: 307_581_696,
    licence: 'gemma',
    memoryMegabytes: 1_600,
    note: 'Its licence (Gemma terms) asks for consent on the hub.',
  },
];
