/** The model's graph on a device: transformers.js' model class over onnxruntime. Lives in a lane. */
import {
  AutoModel,
  AutoModelForCausalLM,
  AutoModelForSequenceClassification,
  env,
  Tensor,
} from '@huggingface/transformers';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { Device } from '../../src/contracts/encode.ts';
import type { Dtype } from '../../src/models/model-definition.ts';
import type { TokenBatch } from './batching.ts';
import { toFloat32, type TensorData } from './pooling.ts';
import { MODEL_NAME, serveFiles, type ModelFileMap } from './transformers-env.ts';

/** What a graph gives for a batch: states of every position (rows × length × width), or one finished vector a row. */
export interface ModelOutput {
  readonly kind: 'tokens' | 'sentence';
  readonly values: Float32Array;
}

/** What a graph is for: states of tokens, one logit for a pair, or logits of the next token. */
export type GraphTask = 'embed' | 'classify' | 'causal';

const MODEL_CLASSES = {
  embed: AutoModel,
  classify: AutoModelForSequenceClassification,
  causal: AutoModelForCausalLM,
} as const;

/** A graph that is loaded on a device. */
export interface LoadedGraph {
  run(batch: TokenBatch, want: ModelOutput['kind']): Promise<ModelOutput>;
  /**
   * Logits, rows × width: of the pair for `classify`, of the last position for `causal` (texts must be padded on the left).
   *
   * @param segments token types, rows × length; zeros where absent
   */
  logits(batch: TokenBatch, segments?: BigInt64Array): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** How to load a graph. */
export interface GraphOptions {
  readonly modelId: string;
  readonly files: ModelFileMap;
  readonly weightsPath: string;
  readonly dtype: Dtype;
  readonly device: Device;
  /** Default: `embed`. */
  readonly task?: GraphTask;
  /** Tests in Node run onnxruntime's WASM there, where transformers.js knows no `wasm`. */
  readonly transformersDevice?: 'auto';
}

/** onnxruntime's own files and its threads, before the first graph is loaded in a thread. */
export interface RuntimeFiles {
  /** Unpacked. */
  readonly wasm: ArrayBuffer;
  readonly moduleUrl: string;
  readonly threads: number;
}

/** Gives onnxruntime its files, so that it asks no CDN. */
export function prepareRuntime({ wasm, moduleUrl, threads }: RuntimeFiles): void {
  const onnx = env.backends.onnx.wasm;
  if (!onnx) throw new AppError('model', 'runtime-missing', 'onnxruntime has no WASM backend in this build');
  onnx.wasmBinary = wasm;
  // Members are set, the object stays: transformers.js holds a reference to it.
  onnx.wasmPaths = { mjs: moduleUrl, wasm: moduleUrl };
  onnx.numThreads = threads;
}

/** Returns wasm bytes from an address, unpacked when they are gzipped. Errors: `runtime-missing`. */
export async function fetchWasm(url: string): Promise<ArrayBuffer> {
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

/** Loads a graph. Errors: `model-unusable` (naming the file), `device-lost`, `out-of-memory`, `runtime-failed`. */
export async function loadGraph(options: GraphOptions): Promise<LoadedGraph> {
  serveFiles(options.files);
  const { modelId, weightsPath, dtype, device, transformersDevice } = options;
  const slash = weightsPath.lastIndexOf('/');
  const fileName = /^(.*?)(_fp16|_quantized|_int8|_uint8|_q4|_q4f16|_bnb4)?\.onnx$/.exec(
    weightsPath.slice(slash + 1),
  );
  const task = options.task ?? 'embed';
  const model = await MODEL_CLASSES[task]
    .from_pretrained(MODEL_NAME, {
      dtype,
      device: transformersDevice ?? device,
      subfolder: weightsPath.slice(0, Math.max(0, slash)),
      ...(fileName?.[1] && { model_file_name: fileName[1] }),
      // Names the backend itself: a device that cannot be had is an error, never another device.
      session_options: { executionProviders: [device] },
    })
    .catch((cause: unknown) => {
      throw describeFailure(cause, modelId, weightsPath);
    });
  const session = model.sessions['model'] as {
    readonly inputNames: readonly string[];
    readonly outputNames: readonly string[];
  };
  /** Runs the graph, reads what is wanted, and frees what it gave. */
  const call = async <T>(
    batch: TokenBatch,
    segments: BigInt64Array | undefined,
    read: (outputs: Readonly<Record<string, Tensor>>) => T,
  ): Promise<T> => {
    const dims = [batch.rows, batch.length];
    let outputs: Record<string, Tensor>;
    try {
      outputs = (await model({
        input_ids: new Tensor('int64', batch.ids, dims),
        attention_mask: new Tensor('int64', batch.mask, dims),
        ...(segments && { token_type_ids: new Tensor('int64', segments, dims) }),
        // One position is enough, and a vocabulary of 150,000 logits a position is not small.
        ...(task === 'causal' &&
          session.inputNames.includes('num_logits_to_keep') && {
            num_logits_to_keep: new Tensor('int64', [1n], []),
          }),
      })) as Record<string, Tensor>;
    } catch (cause) {
      throw describeFailure(cause, modelId, weightsPath);
    }
    try {
      return read(outputs);
    } finally {
      for (const output of Object.values(outputs)) output.dispose();
    }
  };
  return {
    run: (batch, want) =>
      call(batch, undefined, (outputs) => readOutput(outputs, want, batch, modelId, session.outputNames)),
    logits: (batch, segments) =>
      call(batch, segments, (outputs) => readLogits(outputs, batch, modelId, session.outputNames)),
    async dispose() {
      await model.dispose();
    },
  };
}

/** Returns the logits of each row; of several positions the last. */
function readLogits(
  outputs: Readonly<Record<string, Tensor>>,
  batch: TokenBatch,
  modelId: string,
  names: readonly string[],
): Float32Array {
  const { logits } = outputs;
  if (!logits || logits.dims[0] !== batch.rows)
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: the graph gives ${names.join(', ')}${logits ? ` of shape ${logits.dims.join(' × ')}` : ''}, but one row of logits a pair is needed`,
    );
  const values = toFloat32(logits.data as unknown as TensorData);
  if (logits.dims.length === 2) return values.slice();
  const [, positions = 1, width = 1] = logits.dims;
  const last = new Float32Array(batch.rows * width);
  for (let row = 0; row < batch.rows; row++) {
    const start = (row * positions + positions - 1) * width;
    last.set(values.subarray(start, start + width), row * width);
  }
  return last;
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
