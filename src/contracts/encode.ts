/** The encode worker's contract: texts in, vectors out, and the proof that the vectors are right. Plain data only. */
import type { Digest } from '../domain/digest.ts';
import type { Side } from '../domain/texts.ts';
import type { ChosenPrompt, Dtype, ModelDefinition, Pooling } from '../models/model-definition.ts';

/** Where a model can run. */
export type Device = 'webgpu' | 'wasm';

/** Addresses of what the app serves itself; absolute, made by the page (a worker cannot know them). */
export interface RuntimeAssets {
  /** onnxruntime's wasm, gzipped or not: recognised by its first bytes. */
  readonly onnxWasmUrl: string;
  /** onnxruntime's JavaScript, from which it also starts its threads: same origin, a JavaScript MIME type. */
  readonly onnxModuleUrl: string;
}

/** What to open. One worker holds one model: WASM memory never shrinks. */
export interface OpenEncoderRequest {
  /** Where blocks and model files are kept, as given to `openStore`. */
  readonly place: string;
  readonly model: ModelDefinition;
  /** Default: the model's own. */
  readonly dtype?: Dtype;
  /** `auto` times both on real batches and takes the faster right one. */
  readonly device: Device | 'auto';
  /** The app's own address with a slash at the end; bundled models lie under it. */
  readonly appBaseUrl: string;
  readonly assets: RuntimeAssets;
  /** Host of the hub, with a slash at the end. Default `https://huggingface.co/`. */
  readonly hubUrl?: string;
  /** Most WASM threads; default: what the machine has, at most 8, one without cross-origin isolation. */
  readonly threads?: number;
  /** Texts on which devices are timed; the probes when absent. */
  readonly sampleTexts?: readonly string[];
  /** Skip the numerics passport (benchmarks only); the report then says `unchecked`. */
  readonly skipPassport?: boolean;
}

/** What happens while a model is opened or texts are encoded. */
export type EncodeProgress =
  | {
      readonly kind: 'download';
      readonly file: string;
      readonly loadedBytes: number;
      /** Absent where the server does not say. */
      readonly totalBytes?: number;
      readonly fromStore: boolean;
    }
  | { readonly kind: 'step'; readonly step: 'runtime' | 'model' | 'probe' | 'trial'; readonly device: Device }
  | {
      readonly kind: 'encode';
      readonly doneTexts: number;
      /** Absent while the set is still growing. */
      readonly totalTexts?: number;
      readonly doneTokens: number;
      readonly truncatedTexts: number;
    };

/** What WebGPU says about the adapter; `software` is true for an adapter that computes on the processor. */
export interface AdapterReport {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly software: boolean;
  readonly shaderF16: boolean;
  readonly features: readonly string[];
  readonly maxBufferBytes: number;
  readonly maxStorageBufferBindingBytes: number;
}

/** One device's timing on the sample texts; `gaveUp` when it was stopped early as hopelessly slower. */
export interface DeviceTrial {
  readonly device: Device;
  readonly outcome: 'timed' | 'gave-up' | 'failed' | 'refused';
  readonly texts: number;
  readonly tokens: number;
  readonly ms: number;
  readonly loadMs: number;
  /** Why it failed, was refused or given up. */
  readonly message?: string;
}

/**
 * How far vectors are from where they should be, as the largest measured |change of s(q,d1) - s(q,d2)| over all ordered
 * choices of q, d1, d2 among the probes: an estimate, not a bound. Near-clones are among the probes.
 */
export interface ErrorEstimate {
  readonly largestMarginChange: number;
  readonly largestComponentChange: number;
  readonly meanCosine: number;
  readonly minCosine: number;
}

/** What is wrong with vectors, by name. */
export type VectorFault =
  | 'permuted'
  | 'zeroed'
  | 'overflowed'
  | 'not-normalised'
  | 'wrong-pooling'
  | 'wrong-dimensions'
  | 'unrelated'
  | 'too-far';

/** The result of encoding the probes on the device in use. */
export interface NumericsPassport {
  readonly verdict: 'right' | 'refused' | 'unchecked';
  /** What the vectors were compared with. */
  readonly against: 'stored reference' | 'own repetition' | 'nothing';
  readonly probes: number;
  /** Why fewer probes than there are were encoded; absent when all were. */
  readonly reducedBecause?: string;
  /** Same weight file on another backend or in another batch: sets an interval on every metric. */
  readonly deviceError?: ErrorEstimate;
  /** This weight file against the fp32 original: a label, not an interval. */
  readonly quantisationError?: ErrorEstimate;
  /** The largest device error (as margin change) that is accepted. */
  readonly limit: number;
  readonly faults: readonly { readonly fault: VectorFault; readonly message: string }[];
}

/** Everything about an open encoder that belongs in a record. No silent fall-back: what was asked and what was taken. */
export interface EncoderReport {
  readonly modelId: string;
  /** The hub's commit, or the digest of the files of any other source. */
  readonly revision: string;
  /** SHA-256 by file path. */
  readonly fileDigests: Readonly<Record<string, Digest>>;
  readonly dtype: Dtype;
  readonly requestedDtype: Dtype;
  readonly device: Device;
  readonly requestedDevice: Device | 'auto';
  /** One plain sentence: why this device. */
  readonly deviceReason: string;
  readonly adapter?: AdapterReport;
  readonly threads: number;
  /** One plain sentence: why so many. */
  readonly threadsReason: string;
  readonly trials: readonly DeviceTrial[];
  readonly passport: NumericsPassport;
  readonly pooling: Pooling;
  readonly normalised: boolean;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly batchTokens: number;
  /** True where vectors depend on what else is in the batch; the batching policy is then part of the result. */
  readonly dependsOnBatch: boolean;
  /** `transformers.js 4.3.1`, `onnxruntime-web …`. */
  readonly runtime: Readonly<Record<string, string>>;
  readonly loadMs: number;
  readonly downloadedBytes: number;
  /** Plain sentences a user should read: fp16 not available, one thread, no WebGPU. */
  readonly notices: readonly string[];
}

/** Which vectors: everything of a set's identity besides the model that is open. */
export interface EncodeSetRequest {
  /** Set of documents blocks to read. */
  readonly textsSet: string;
  /** Digest of the texts as they will be embedded, without the prompt; part of the key. */
  readonly textsDigest: Digest;
  readonly side: Side;
  readonly prompt: ChosenPrompt;
  /** Shorter vectors by Matryoshka cut; default: all dimensions. */
  readonly dimensions?: number;
  /** Number of texts, where known, for progress. */
  readonly totalTexts?: number;
}

/** What came of encoding a set. */
export interface EncodedSet {
  /** Set of vectors blocks, named by {@link EncodedSet.key}: rows in the order of the texts. */
  readonly vectorsSet: string;
  /** Digest of model, revision, dtype, device class, pooling, prompt, side, cut, dimensions and texts digest. */
  readonly key: Digest;
  readonly texts: number;
  readonly dimensions: number;
  readonly tokens: number;
  /** Tokens computed only because a batch was filled up, as a share of all computed. */
  readonly paddingShare: number;
  readonly truncatedTexts: number;
  /** Texts without any character but white space. */
  readonly emptyTexts: number;
  readonly batches: number;
  /** The token budget at the end: smaller than at the start where memory ran out. */
  readonly batchTokens: number;
  /** Times the runtime was replaced after a failure. */
  readonly recoveries: number;
  /** Rows found already there, from an earlier sitting. */
  readonly resumedTexts: number;
  readonly ms: number;
}

/** Texts of the caller encoded at once: verification, probes, the command line. */
export interface EncodeTextsRequest {
  readonly texts: readonly string[];
  readonly side: Side;
  readonly prompt: ChosenPrompt;
  readonly dimensions?: number;
}

/** Row-major float32 vectors in the order of the texts. */
export interface EncodedTexts {
  readonly values: Float32Array;
  readonly rows: number;
  readonly dimensions: number;
  /** Rows whose text was cut at the token limit. */
  readonly truncatedRows: readonly number[];
  /** Tokens kept per row, special tokens counted. */
  readonly tokenCounts: Uint32Array;
  readonly paddingShare: number;
  readonly ms: number;
}

/** What the encode worker exposes. One model at a time; calls are answered in turn. */
export interface EncodeContract {
  /** Loads the model, chooses the device, checks the numerics. A device that fails its check is refused, in words. */
  open(request: OpenEncoderRequest, onProgress?: (progress: EncodeProgress) => void): Promise<EncoderReport>;
  /** Reads texts from the store, writes vectors to it; goes on after the last complete block. */
  encodeSet(request: EncodeSetRequest, onProgress?: (progress: EncodeProgress) => void): Promise<EncodedSet>;
  encodeTexts(
    request: EncodeTextsRequest,
    onProgress?: (progress: EncodeProgress) => void,
  ): Promise<EncodedTexts>;
  /** Ends the work at hand after the current batch: its promise rejects with code `cancelled`; what is complete stays. */
  cancel(): Promise<void>;
  /** Frees sessions and device memory; the worker can be ended afterwards. */
  close(): Promise<void>;
}
