/** The encode worker's contract: texts in, vectors out, and the proof that the vectors are right. Plain data only. */
import type { Digest } from '../domain/digest.ts';
import type { Side } from '../domain/texts.ts';
import type { ChosenPrompt, Dtype, ModelDefinition, Pooling } from '../models/model-definition.ts';
import type { ProtocolSettings } from '../protocols/settings.ts';
import type { SetKey, StorePlace } from './blocks.ts';
import type { CallOptions } from './calls.ts';
import type { NamedFile } from './data.ts';

/** Where a model can run. */
export type Device = 'webgpu' | 'wasm';

/** Addresses of what the app serves itself; absolute, made by the page (a worker cannot know them). */
export interface RuntimeAssets {
  /** onnxruntime's wasm, gzipped or not: recognised by its first bytes. */
  readonly onnxWasmUrl: string;
  /** onnxruntime's JavaScript, from which it also starts its threads: same origin, a JavaScript MIME type. */
  readonly onnxModuleUrl: string;
}

/** How a model's work is spread over threads, and why, in one plain sentence. */
export interface LanePlan {
  /** Workers that each hold the whole model and compute batches of their own. */
  readonly lanes: number;
  /** Threads that share one batch within a lane; more than one needs cross-origin isolation. */
  readonly threadsPerLane: number;
  readonly reason: string;
}

/** What to open. One worker holds one model: WASM memory never shrinks. */
export interface OpenEncoderRequest {
  /** Where blocks and model files are kept; a `memory` place holds a port, which is transferred. */
  readonly place: StorePlace;
  readonly model: ModelDefinition;
  /** The model's files, where its source is a folder that the user opened. */
  readonly files?: readonly NamedFile[];
  /** Default: the model's own. */
  readonly dtype?: Dtype;
  /** One worker runs one device; the client opens one for each and keeps the faster right one for `auto`. */
  readonly device: Device;
  /** The app's own address with a slash at the end; bundled models lie under it. */
  readonly appBaseUrl: string;
  readonly assets: RuntimeAssets;
  /** Host of the hub, with a slash at the end. Default `https://huggingface.co/`. */
  readonly hubUrl?: string;
  /** Ports of the workers that compute, one a lane; the client starts them and transfers these. At least one. */
  readonly lanes: readonly MessagePort[];
  readonly lanePlan: LanePlan;
  /** Tokens computed at once, padding counted; default: what suits the device. */
  readonly batchTokens?: number;
  /** Skip the numerics passport (benchmarks only); the report then says `unchecked`. */
  readonly skipPassport?: boolean;
}

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

/** One device's timing on sample texts; `gave-up` when it was stopped early as hopelessly slower. */
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
  readonly adapter?: AdapterReport;
  /** Threads that compute, over all lanes. */
  readonly threads: number;
  readonly lanes: number;
  /** One plain sentence: why so many. */
  readonly threadsReason: string;
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

/** How the client came to this device; beside the report in every record. */
export interface DeviceChoice {
  readonly requested: Device | 'auto';
  readonly taken: Device;
  /** One plain sentence: why this device. */
  readonly reason: string;
  /** Empty when the device was named by the user. */
  readonly trials: readonly DeviceTrial[];
}

/** How texts become vectors, besides the model that is open: the choices of a protocol that the encoder carries out. */
export interface EncodingChoices {
  readonly side: Side;
  readonly prompt: ChosenPrompt;
  /** Default: the model's own. */
  readonly pooling?: Pooling;
  /** Default: the model's own limit; never above it. */
  readonly maxTokens?: number;
  /** Shorter vectors by Matryoshka cut; default: all dimensions. */
  readonly dimensions?: number;
}

/** Which set of texts to encode. */
export interface EncodeSetRequest extends EncodingChoices {
  readonly textsSet: SetKey<'documents'> | SetKey<'queries'>;
  /** Digest of the set's texts (the store's manifest has it); part of the key. */
  readonly textsDigest: Digest;
  /** How a document's title and text are joined; queries have no title. */
  readonly documentTemplate: ProtocolSettings['documentTemplate'];
}

/** What came of encoding a set. */
export interface EncodedSet {
  /** Named by the digest of model, files, dtype, device class, pooling, prompt, side, cut, dimensions and texts digest. */
  readonly vectorsSet: SetKey<'vectors'>;
  readonly texts: number;
  readonly dimensions: number;
  readonly tokens: number;
  /** Tokens computed only because a batch was filled up, as a share of all computed. */
  readonly paddingShare: number;
  readonly truncatedTexts: number;
  readonly maxTokens: number;
  /** Texts without any character but white space. */
  readonly emptyTexts: number;
  readonly batches: number;
  /** The token budget at the end: smaller than at the start where memory ran out. */
  readonly batchTokens: number;
  /** Lanes that computed at the end. */
  readonly lanes: number;
  /** Texts found already encoded, from an earlier sitting. */
  readonly resumedTexts: number;
  /** Computing time of this sitting. */
  readonly ms: number;
}

/** Texts of the caller encoded at once: verification, probes, the command line. */
export interface EncodeTextsRequest extends EncodingChoices {
  readonly texts: readonly string[];
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
  readonly batches: number;
  readonly ms: number;
}

/** What the encode worker exposes. One model at a time; calls are answered in turn; progress counts bytes, then texts. */
export interface EncodeContract {
  /** Loads the model and checks the numerics. A device that fails its check is reported as refused and cannot be used. */
  open(request: OpenEncoderRequest, options?: CallOptions): Promise<EncoderReport>;
  /**
   * Reads texts from the store and writes vectors to it, block by block; goes on after the last complete block. An abort
   * takes effect between two batches. Errors: `device-lost`, `out-of-memory`, `runtime-failed`: the worker must be replaced.
   */
  encodeSet(request: EncodeSetRequest, options?: CallOptions): Promise<EncodedSet>;
  /** Errors as {@link EncodeContract.encodeSet}. */
  encodeTexts(request: EncodeTextsRequest, options?: CallOptions): Promise<EncodedTexts>;
  /** Frees sessions and device memory; the worker should be ended afterwards, since WASM memory never shrinks. */
  close(): Promise<void>;
}
