import type { Side } from '../domain/texts.ts';

/** How token vectors become one vector: over the mask, the first token, the last real token, or the graph's own output. */
export type Pooling = 'mean' | 'cls' | 'last' | 'sentence_embedding';

/** What a weight file stores, in transformers.js' names; the name decides the file's suffix. */
export type Dtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';

/** The file suffix of each dtype, as transformers.js spells it (`onnx/model<suffix>.onnx`). */
export const DTYPE_SUFFIXES: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** What a pair of texts asks of the model: which way the retrieval goes. `text` is everything without code. */
export type RetrievalTask = 'nl2code' | 'code2code' | 'code2nl' | 'text';

/** The text put in front of each side; empty where the model takes none. */
export interface PromptPair {
  readonly query: string;
  readonly document: string;
}

/** A model's prompts: the default, and what replaces it for a task, or for a task of one benchmark. */
export interface Prompts {
  readonly default: PromptPair;
  readonly byTask?: Readonly<Partial<Record<RetrievalTask, PromptPair>>>;
  /** By benchmark id, then by the benchmark's own name of the task (CoREB: `t2c`, `c2c`, `c2t`). */
  readonly byBenchmark?: Readonly<Record<string, Readonly<Record<string, PromptPair>>>>;
}

/** Where a model's files are: shipped with the app, on the hub, under any address, or in a folder that the user opened. */
export type ModelSource =
  | {
      readonly kind: 'bundled';
      /** Relative to the app's own address, without a slash at either end. */ readonly folder: string;
    }
  | {
      readonly kind: 'hub';
      readonly repository: string;
      /** A commit, or `main`: then the commit is asked for before anything is downloaded, and recorded. */
      readonly revision: string;
    }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'folder'; readonly name: string };

/** One file of a model. */
export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  /** Size in bytes; absent where it was not looked up. Sizes known only to the megabyte are in {@link DtypeFiles.megabytes}. */
  readonly bytes?: number;
  /** Lower-case hexadecimal SHA-256; a file that differs is refused. */
  readonly sha256?: string;
}

/** The weights in one dtype. */
export interface DtypeFiles {
  /** Download in megabytes (10^6 bytes), for choosing; absent where unknown. */
  readonly megabytes?: number;
  /** The graph first, then external data. Absent: the usual name for this dtype under `onnx/`. */
  readonly files?: readonly ModelFile[];
  /** True where the graph computes in 8-bit integers whose scale spans the batch: vectors then depend on batch mates. */
  readonly dependsOnBatch?: boolean;
  /** Needs a WebGPU adapter with `shader-f16`. */
  readonly needsShaderF16?: boolean;
}

/** An embedding model as declared data: everything about it that moves a vector, and what a person needs to choose it. */
export interface ModelDefinition {
  /** Our name: unique, stable, what `--model` takes and records say. */
  readonly id: string;
  readonly source: ModelSource;
  /** The model whose fp32 vectors count as right: hub repository and commit of the original weights. */
  readonly upstream: {
    readonly repository: string;
    /** Absent where it was not looked up. */ readonly revision?: string;
  };
  readonly dtypes: Readonly<Partial<Record<Dtype, DtypeFiles>>>;
  /** Used when the user names none. */
  readonly defaultDtype: Dtype;
  /** Files beside the weights, with digests where known; absent: config.json, tokenizer.json, tokenizer_config.json. */
  readonly files?: readonly ModelFile[];
  readonly pooling: Pooling;
  /** The side on which a batch is filled up; left for models that read the last token. */
  readonly padding: 'right' | 'left';
  /** After pooling, before L2: layer norm over the dimensions without weights (nomic-embed-text-v1.5). */
  readonly layerNorm?: boolean;
  /** Whether vectors are scaled to unit length. */
  readonly normalised: boolean;
  readonly similarity: 'cosine' | 'dot';
  readonly dimensions: number;
  /** Shorter prefixes that the model was trained for (Matryoshka), descending; the cut comes before L2. */
  readonly matryoshka?: readonly number[];
  /** The most tokens a text keeps, special tokens counted. */
  readonly maxTokens: number;
  /** Whether an end-of-text token is added where the tokenizer does not add one itself. */
  readonly appendEos?: boolean;
  readonly prompts: Prompts;
  readonly parameters: number;
  /** SPDX name, or the name the model card gives. */
  readonly licence: string;
  /** File with probe texts and reference vectors, relative to the model's folder; see workers/encode/passport.ts. */
  readonly probes?: ModelFile | undefined;
  /** Rough device memory for weights and one batch, in megabytes (10^6 bytes). */
  readonly memoryMegabytes: number;
  /** One sentence a user should know before choosing; absent when there is nothing to say. */
  readonly note?: string;
}

/** Which prompt was chosen and by which rule; both go into the record. */
export interface ChosenPrompt {
  readonly text: string;
  readonly rule: 'benchmark' | 'task' | 'default';
}

/** Where a text stands: enough to choose its prompt. */
export interface PromptPlace {
  readonly side: Side;
  readonly task?: RetrievalTask;
  readonly benchmark?: { readonly id: string; readonly task: string };
}

/** Returns the prompt for a place: the benchmark's own, else the task's, else the default. Never undefined; often empty. */
export function choosePrompt(model: Pick<ModelDefinition, 'prompts'>, place: PromptPlace): ChosenPrompt {
  const { byBenchmark, byTask } = model.prompts;
  const own = place.benchmark && byBenchmark?.[place.benchmark.id]?.[place.benchmark.task];
  if (own) return { text: own[place.side], rule: 'benchmark' };
  const ofTask = place.task && byTask?.[place.task];
  if (ofTask) return { text: ofTask[place.side], rule: 'task' };
  return { text: model.prompts.default[place.side], rule: 'default' };
}

/** Prompts of a model that takes none. */
export const NO_PROMPTS: Prompts = { default: { query: '', document: '' } };

/** The graph's file for a dtype, relative to the model's folder. */
export function weightsPath(model: Pick<ModelDefinition, 'dtypes'>, dtype: Dtype): string {
  return model.dtypes[dtype]?.files?.[0]?.path ?? `onnx/model${DTYPE_SUFFIXES[dtype]}.onnx`;
}

/** Bytes that one parameter takes in each dtype, scales included, for estimates. */
const BYTES_PER_PARAMETER: Readonly<Record<Dtype, number>> = {
  fp32: 4,
  fp16: 2,
  q8: 1,
  int8: 1,
  uint8: 1,
  q4: 0.6,
  q4f16: 0.55,
  bnb4: 0.6,
};

/** Returns the download in megabytes (10^6 bytes): declared, or estimated from the parameters. */
export function downloadMegabytes(
  model: Pick<ModelDefinition, 'dtypes' | 'parameters'>,
  dtype: Dtype,
): { readonly megabytes: number; readonly estimated: boolean } {
  const declared = model.dtypes[dtype]?.megabytes;
  if (declared !== undefined) return { megabytes: declared, estimated: false };
  return { megabytes: Math.round((model.parameters * BYTES_PER_PARAMETER[dtype]) / 1e6), estimated: true };
}
