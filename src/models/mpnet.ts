import { NO_PROMPTS, type ModelDefinition } from './model-definition.ts';

/** The one family here whose vectors are compared by dot product as they are. */
export const MPNET_MODELS: readonly ModelDefinition[] = [
  {
    id: 'multi-qa-mpnet-base-dot-v1',
    source: { kind: 'hub', repository: 'Xenova/multi-qa-mpnet-base-dot-v1', revision: 'main' },
    upstream: {
      repository: 'sentence-transformers/multi-qa-mpnet-base-dot-v1',
      revision: '3af7c6da5b3e1bea796ef6c97fe237538cbe6e7f',
    },
    defaultDtype: 'fp32',
    dtypes: { fp32: {}, q8: { dependsOnBatch: true } },
    pooling: 'cls',
    padding: 'right',
    normalised: false,
    similarity: 'dot',
    dimensions: 768,
    maxTokens: 512,
    prompts: NO_PROMPTS,
    parameters: 109_486_978,
    licence: 'not stated on the model card',
    memoryMegabytes: 700,
  },
];
