import { NO_PROMPTS, type ModelDefinition } from './model-definition.ts';

/** The model that comes with the app: 21 MB, weights stored in 8 and 6 bits, arithmetic in float32. Its folder has the recipe. */
export const ALL_MINILM_L6_V2: ModelDefinition = {
  id: 'all-MiniLM-L6-v2',
  source: { kind: 'bundled', folder: 'models/all-MiniLM-L6-v2' },
  upstream: {
    repository: 'sentence-transformers/all-MiniLM-L6-v2',
    revision: '1110a243fdf4706b3f48f1d95db1a4f5529b4d41',
  },
  dtypes: {
    q8: {
      megabytes: 21.4,
      files: [
        {
          path: 'onnx/model_quantized.onnx',
          bytes: 21_369_191,
          sha256: 'f221faa9ec2dce6fc20b54078ee633c8b5eaf92765018d0083f39c3f0e25577c',
        },
      ],
    },
  },
  defaultDtype: 'q8',
  files: [
    {
      path: 'config.json',
      bytes: 612,
      sha256: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41',
    },
    {
      path: 'tokenizer.json',
      bytes: 466_081,
      sha256: '5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b',
    },
    {
      path: 'tokenizer_config.json',
      bytes: 325,
      sha256: '39c7c36d398c119576c1f4eaf2ac4dcb5288a01198f81315c450295f6e65b4a1',
    },
  ],
  pooling: 'mean',
  padding: 'right',
  normalised: true,
  similarity: 'cosine',
  dimensions: 384,
  maxTokens: 256,
  prompts: NO_PROMPTS,
  parameters: 22_713_216,
  licence: 'Apache-2.0',
  memoryMegabytes: 120,
  probes: {
    path: 'probes.json',
    bytes: 296_591,
    sha256: 'e807cc62878cc858053194a7bb0626b813a54a9ac16874e79c049bece704490e',
  },
};

/** The same model as the hub's usual ONNX conversion, whose q8 computes in integers and is further from the original. */
export const XENOVA_ALL_MINILM_L6_V2: ModelDefinition = {
  ...ALL_MINILM_L6_V2,
  id: 'Xenova/all-MiniLM-L6-v2',
  source: { kind: 'hub', repository: 'Xenova/all-MiniLM-L6-v2', revision: 'main' },
  dtypes: {
    fp32: { megabytes: 90 },
    fp16: { megabytes: 45, needsShaderF16: true },
    q8: { megabytes: 23, dependsOnBatch: true },
  },
  defaultDtype: 'fp32',
  files: [],
  probes: undefined,
};
