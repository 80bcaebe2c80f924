/** The only place that touches transformers.js and onnxruntime: tokenizer and graph behind two small interfaces. */
import { AutoModel, AutoTokenizer, env, LogLevel, Tensor } from '@huggingface/transformers';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { Device, RuntimeAssets } from '../../src/contracts/encode.ts';
import type { Dtype } from '../../src/models/model-definition.ts';
import type { ModelShape, TokenBatch } from './batching.ts';
import { toFloat32, type TensorData } from './pooling.ts';
import { closingTokens, type TextTokenizer } from './tokens.ts';

/** What a graph gives for a batch: states of every position (rows × length × width), or one finished vector a row. */
export interface ModelOutput {
  readonly kind: 'tokens' | 'sentence';
  readonly values: Float32Array;
}

/** A model that is loaded on a device. */
export interface LoadedModel {
  readonly tokenizer: TextTokenizer;
  readonly shape: ModelShape;
  /** Positions that the model has, from its config; undefined where it does not say. */
  readonly positions?: number;
  run(batch: TokenBatch, want: ModelOutput['kind']): Promise<ModelOutput>;
  dispose(): Promise<void>;
}

/** Files of the model in memory, by path. */
export type ModelFileMap = ReadonlyMap<string, Uint8Array>;

const HOST = 'https://model.invalid/';
const NAME = 'model';

/**
 * Gives onnxruntime its files and takes transformers.js off the network: every file comes from the map, nothing from a
 * hub, a CDN or a cache of its own.
 */
export async function prepareRuntime(assets: RuntimeAssets, threads: number): Promise<void> {
  const onnx = env.backends.onnx.wasm;
  if (!onnx) throw new AppError('model', 'runtime-missing', 'onnxruntime has no WASM backend in this build');
  onnx.wasmBinary = await fetchWasm(assets.onnxWasmUrl);
  // Members are set, the object stays: transformers.js holds a reference to it.
  onnx.wasmPaths = { mjs: assets.onnxModuleUrl, wasm: assets.onnxWasmUrl };
  onnx.numThreads = threads;
}

/** Returns wasm bytes from an address, unpacked when they are gzipped. Errors: `runtime-missing`. */
async function fetchWasm(url: string): Promise<ArrayBuffer> {
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw new AppError(
      'model',
      'runtime-missing',
      `the runtime ${url} could not be fetched: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0x1f && second === 0x8b)
    bytes = await new Response(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')),
    ).arrayBuffer();
  if (new DataView(bytes).getUint32(0) !== 0x0061736d)
    throw new AppError('model', 'runtime-missing', `${url} is neither WASM nor gzipped WASM`);
  return bytes;
}

/** Versions of what computes, for records. */
export function runtimeVersions(): Record<string, string> {
  return {
    'transformers.js': env.version,
    'onnxruntime-web': env.backends.onnx.versions?.web ?? env.backends.onnx.versions?.common ?? 'unknown',
  };
}

/** How to load a model. */
export interface LoadOptions {
  readonly modelId: string;
  readonly files: ModelFileMap;
  readonly weightsPath: string;
  readonly dtype: Dtype;
  readonly device: Device;
  /** Whether the tokenizer should add an end-of-text token where it does not do so itself. */
  readonly appendEos: boolean;
  /** Tests in Node run onnxruntime's WASM there, where transformers.js knows no `wasm`. */
  readonly transformersDevice?: 'auto';
}

/**
 * Loads tokenizer and graph. Errors: `model-unusable` (naming the file that could not be used), `device-lost`,
 * `out-of-memory`, `runtime-failed`.
 */
export async function loadModel(options: LoadOptions): Promise<LoadedModel> {
  serveOnly(options.files);
  const { modelId, weightsPath, dtype, device, transformersDevice } = options;
  const tokenizer = await AutoTokenizer.from_pretrained(NAME).catch((cause: unknown) => {
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: tokenizer.json or tokenizer_config.json cannot be used: ${messageOf(cause)}`,
      { cause },
    );
  });
  const slash = weightsPath.lastIndexOf('/');
  const suffix = /^(.*?)(_fp16|_quantized|_int8|_uint8|_q4|_q4f16|_bnb4)?\.onnx$/.exec(
    weightsPath.slice(slash + 1),
  );
  const model = await AutoModel.from_pretrained(NAME, {
    dtype,
    device: transformersDevice ?? device,
    subfolder: weightsPath.slice(0, Math.max(0, slash)),
    ...(suffix?.[1] && { model_file_name: suffix[1] }),
    // Names the backend itself: a device that cannot be had is an error, never another device.
    session_options: { executionProviders: [device] },
  }).catch((cause: unknown) => {
    throw describeFailure(cause, modelId, weightsPath);
  });
  const session = model.sessions['model'] as {
    inputNames: readonly string[];
    outputNames: readonly string[];
  };
  const config = model.config as unknown as Record<string, unknown>;
  return {
    tokenizer: wrapTokenizer(tokenizer, options.appendEos),
    shape: shapeOf(config),
    ...(typeof config['max_position_embeddings'] === 'number' && {
      positions: config['max_position_embeddings'],
    }),
    async run(batch, want) {
      const dims = [batch.rows, batch.length];
      let outputs: Record<string, Tensor>;
      try {
        outputs = (await model({
          input_ids: new Tensor('int64', batch.ids, dims),
          attention_mask: new Tensor('int64', batch.mask, dims),
        })) as Record<string, Tensor>;
      } catch (cause) {
        throw describeFailure(cause, modelId, weightsPath);
      }
      try {
        return readOutput(outputs, want, batch, modelId, session.outputNames);
      } finally {
        for (const output of Object.values(outputs)) output.dispose();
      }
    },
    async dispose() {
      await model.dispose();
    },
  };
}

function serveOnly(files: ModelFileMap): void {
  env.logLevel = LogLevel.ERROR;
  env.allowLocalModels = false;
  env.allowRemoteModels = true;
  env.remoteHost = HOST;
  env.remotePathTemplate = '{model}';
  env.useFSCache = false;
  env.useBrowserCache = false;
  // Otherwise the module is imported from a blob:, which the page's policy does not allow.
  env.useWasmCache = false;
  env.useCustomCache = true;
  env.customCache = {
    match: async (key: string) => {
      const bytes = files.get(decodeURIComponent(key.slice(`${HOST}${NAME}/`.length)));
      return bytes && new Response(bytes as Uint8Array<ArrayBuffer>);
    },
    put: async () => undefined,
  } as unknown as NonNullable<typeof env.customCache>;
  env.fetch = async () => new Response(null, { status: 404 });
}

type Tokenizer = Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>;

function wrapTokenizer(tokenizer: Tokenizer, appendEos: boolean): TextTokenizer {
  const bare = (text: string): number[] => tokenizer.encode(text);
  const eos = idOf(tokenizer, tokenizer.eos_token);
  const ofEmpty = bare('');
  const closing = closingTokens(ofEmpty, bare('a'));
  const add = appendEos && closing.length === 0 && eos !== undefined;
  return {
    tokenise: add ? (text) => [...bare(text), eos] : bare,
    closing: add ? [eos] : closing,
    // Masked positions never count, so that any id does for a tokenizer without a pad token.
    padId: tokenizer.pad_token_id ?? eos ?? 0,
  };
}

function idOf(tokenizer: Tokenizer, token: string | null | undefined): number | undefined {
  if (typeof token !== 'string') return undefined;
  const id = tokenizer.convert_tokens_to_ids(token);
  return typeof id === 'number' ? id : undefined;
}

function readOutput(
  outputs: Readonly<Record<string, Tensor>>,
  want: ModelOutput['kind'],
  batch: TokenBatch,
  modelId: string,
  names: readonly string[],
): ModelOutput {
  const tokens = outputs['last_hidden_state'] ?? outputs['token_embeddings'] ?? outputs['hidden_states'];
  const chosen = want === 'sentence' ? outputs['sentence_embedding'] : tokens;
  if (!chosen)
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: the graph gives ${names.join(', ')}, but ${want === 'sentence' ? 'sentence_embedding' : 'last_hidden_state'} is needed: choose another pooling`,
    );
  const rows = chosen.dims[0];
  if (rows !== batch.rows || (want === 'tokens' && chosen.dims[1] !== batch.length))
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: the graph gives shape ${chosen.dims.join(' × ')} for ${batch.rows} texts of ${batch.length} tokens`,
    );
  // Copied: the tensor's own memory goes when it is disposed.
  return { kind: want, values: toFloat32(chosen.data as unknown as TensorData).slice() };
}

function shapeOf(config: Readonly<Record<string, unknown>>): ModelShape {
  const numberOf = (names: readonly string[], otherwise: number): number => {
    for (const name of names) if (typeof config[name] === 'number') return config[name] as number;
    return otherwise;
  };
  const hiddenSize = numberOf(['hidden_size', 'n_embd', 'dim'], 768);
  return {
    hiddenSize,
    intermediateSize: numberOf(['intermediate_size', 'n_inner', 'hidden_dim'], 4 * hiddenSize),
    attentionHeads: numberOf(['num_attention_heads', 'n_head', 'n_heads'], 12),
  };
}

/** Returns what a failure of the runtime means, as one error with a code that says what to do about it. */
export function describeFailure(cause: unknown, modelId: string, weightsPath: string): AppError {
  const message = messageOf(cause);
  const options = { cause };
  if (/device.{0,20}lost|lost.{0,20}device|GPUDevice|AbortError/i.test(message))
    return new AppError(
      'encode',
      'device-lost',
      `model ${modelId}: the graphics device was lost: ${message}`,
      options,
    );
  if (
    /out of memory|bad_alloc|allocat|memory access out of bounds|Array buffer allocation|OOM\b|std::length_error/i.test(
      message,
    )
  )
    return new AppError('encode', 'out-of-memory', `model ${modelId}: memory ran out: ${message}`, options);
  if (
    /protobuf|parse|Load model|no such kernel|Could not find an implementation|NOT_IMPLEMENTED|not supported|external data/i.test(
      message,
    )
  )
    return new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: ${weightsPath} cannot be used (damaged, or made for another runtime): ${message}`,
      options,
    );
  return new AppError(
    'encode',
    'runtime-failed',
    `model ${modelId}: the runtime failed: ${message}`,
    options,
  );
}
