import type { ModelDefinition, PromptPair, Prompts } from './model-definition.ts';

/** What Qwen3-Embedding and its like are told to do, in CoREB's words and in the default of the model card. */
const TASKS = {
  default: 'Given a web search query, retrieve relevant passages that answer the query',
  t2c: 'Retrieve the most relevant code implementation for the given problem description.',
  c2c: 'Retrieve equivalent code implementations across languages.',
  c2t: 'Retrieve the most relevant problem description for the given code implementation.',
} as const;

/** Prompts of an instruction template; documents take none. */
function instructions(template: (task: string) => string): Prompts {
  const pair = (task: string): PromptPair => ({ query: template(task), document: '' });
  return {
    default: pair(TASKS.default),
    byBenchmark: { coreb: { t2c: pair(TASKS.t2c), c2c: pair(TASKS.c2c), c2t: pair(TASKS.c2t) } },
  };
}

const LAST = {
  pooling: 'last',
  padding: 'left',
  normalised: true,
  similarity: 'cosine',
  dimensions: 1_024,
  maxTokens: 8_192,
  parameters: 595_776_512,
  licence: 'Apache-2.0',
  memoryMegabytes: 3_000,
} as const satisfies Partial<ModelDefinition>;

/** Decoders that read the last token and are told the task in front of the query. */
export const INSTRUCTED_MODELS: readonly ModelDefinition[] = [
  {
    ...LAST,
    id: 'Qwen3-Embedding-0.6B',
    source: { kind: 'hub', repository: 'onnx-community/Qwen3-Embedding-0.6B-ONNX', revision: 'main' },
    upstream: {
      repository: 'Qwen/Qwen3-Embedding-0.6B',
      revision: 'b22da495047858cce924d27d76261e96be6febc0',
    },
    defaultDtype: 'fp16',
    dtypes: {
      fp32: {},
      fp16: { needsShaderF16: true },
      q8: { dependsOnBatch: true },
      q4: {},
      q4f16: { needsShaderF16: true },
    },
    matryoshka: [768, 512, 256, 128, 64, 32],
    // No blank after the second colon.
    prompts: instructions((task) => `Instruct: ${task}\nQuery:`),
  },
  {
    ...LAST,
    id: 'F2LLM-v2-0.6B',
    source: { kind: 'hub', repository: 'onnx-community/F2LLM-v2-0.6B-ONNX', revision: 'main' },
    upstream: {
      repository: 'codefuse-ai/F2LLM-v2-0.6B',
      revision: '54b4e2dc74e01be7126d4cf5f016af6b21edc563',
    },
    defaultDtype: 'fp16',
    dtypes: {
      fp32: {},
      fp16: { needsShaderF16: true },
      q8: { dependsOnBatch: true },
      q4: {},
      q4f16: { needsShaderF16: true },
    },
    appendEos: true,
    // A blank after the second colon.
    prompts: instructions((task) => `Instruct: ${task}\nQuery: `),
  },
];
