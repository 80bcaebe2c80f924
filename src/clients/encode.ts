import onnxAsyncifyModule from '../../build/runtime/ort-asyncify.js?url';
import onnxAsyncifyWasm from '../../build/runtime/ort-asyncify.bin?url';
import onnxCpuModule from '../../build/runtime/ort-cpu.js?url';
import onnxCpuWasm from '../../build/runtime/ort-cpu.bin?url';
import { transfer } from 'comlink';
import { chooseDevice, trialWithoutTrying } from '../../workers/encode/choose-device.ts';
import { describeAdapter, planLanes, type Machine } from '../../workers/encode/device.ts';
import { SELF_CHECK_TEXTS } from '../../workers/encode/self-check-texts.ts';
import { AppError } from '../domain/app-error.ts';
import type { StorePlace } from '../contracts/blocks.ts';
import { isAborted, type CallOptions } from '../contracts/calls.ts';
import type {
  Device,
  DeviceChoice,
  DeviceTrial,
  EncodeContract,
  EncodedSet,
  EncodedTexts,
  EncoderReport,
  EncodeSetRequest,
  EncodeTextsRequest,
  LanePlan,
  OpenEncoderRequest,
  RuntimeAssets,
} from '../contracts/encode.ts';
import { isRecoverable, recovering } from './encode-recovery.ts';
import { EncodeLanes, startEncodeWorker } from './encode-lanes.ts';
import { WorkerClient } from './worker-client.ts';

/** What the page says to get an encoder; the client adds what only it knows (addresses of runtime files, the worker). */
export interface EncoderRequest extends Omit<
  OpenEncoderRequest,
  'place' | 'device' | 'assets' | 'batchTokens' | 'skipPassport' | 'lanes' | 'lanePlan'
> {
  /** Most threads that compute; default: what the machine has, at most 8. */
  readonly threads?: number;
  readonly device: Device | 'auto';
  /** A way to the store for a worker of this name; asked for again whenever the worker was replaced. */
  readonly place: (holder: string) => Promise<StorePlace>;
  /** Real texts on which devices are timed for `auto`; some of our own when absent. */
  readonly sampleTexts?: readonly string[];
}

/** A set that was encoded, and how often the runtime had to be replaced on the way. */
export interface EncodedSetResult extends EncodedSet {
  readonly recoveries: number;
}

/** A model on a device, ready to encode. Holds a worker with WASM and GPU memory until disposed. */
export interface Encoder {
  readonly report: EncoderReport;
  readonly choice: DeviceChoice;
  /** See {@link EncodeContract.encodeSet}; a lost device or lack of memory replaces the worker, halves the batch and goes on. */
  encodeSet(request: EncodeSetRequest, options?: CallOptions): Promise<EncodedSetResult>;
  encodeTexts(request: EncodeTextsRequest, options?: CallOptions): Promise<EncodedTexts>;
  dispose(): void;
}

/**
 * Opens a model on the device asked for, or for `auto` on the faster right one of those there are. Errors: `no-webgpu`,
 * `device-refused` (wrong vectors), those of loading a model (each names the file), `aborted`.
 */
export async function openEncoder(request: EncoderRequest, options: CallOptions = {}): Promise<Encoder> {
  if (request.device !== 'auto') {
    const encoder = new DeviceEncoder(request, request.device);
    try {
      encoder.refuseWrong(await encoder.open(options));
    } catch (error) {
      encoder.dispose();
      throw error;
    }
    const { device } = request;
    encoder.choice = { requested: device, taken: device, reason: 'Asked for by name.', trials: [] };
    return encoder;
  }
  return openFaster(request, options);
}

/** One native call cannot be interrupted; an abort waits this long for its end, then the worker goes. */
const ABORT_GRACE_MS = 3_000;

class DeviceEncoder implements Encoder {
  choice: DeviceChoice;
  readonly #request: EncoderRequest;
  readonly #device: Device;
  readonly #client: WorkerClient<EncodeContract>;
  readonly #lanes = new EncodeLanes();
  #report: EncoderReport | undefined;
  #batchTokens: number | undefined;
  /** Set after a failure: each lane holds the model once more. */
  #oneLane = false;

  constructor(request: EncoderRequest, device: Device) {
    this.#request = request;
    this.#device = device;
    this.choice = { requested: request.device, taken: device, reason: '', trials: [] };
    this.#client = new WorkerClient<EncodeContract>({
      name: 'encode',
      start: () => startEncodeWorker(`encode-${device}`),
      abortGraceMs: ABORT_GRACE_MS,
      replaceAfter: isRecoverable,
    });
  }

  get report(): EncoderReport {
    if (!this.#report) throw new AppError('encode', 'not-open', 'the encoder was not opened');
    return this.#report;
  }

  /** Starts a worker and loads the model in it; the report is the first one's, with the batch now in use. */
  async open(options: CallOptions): Promise<EncoderReport> {
    const { place, device: _device, sampleTexts: _sampleTexts, threads, ...rest } = this.#request;
    const name = `encode-${this.#device}`;
    const where = await place(name);
    const lanePlan = this.#planLanes(threads);
    // A lane that dies takes the worker with it: nobody would answer for its batches.
    const lanes = this.#lanes.start(lanePlan.lanes, name, () => this.#client.replace());
    const request: OpenEncoderRequest = {
      ...rest,
      place: where,
      device: this.#device,
      assets: runtimeAssets(this.#device),
      lanes,
      lanePlan,
      ...(this.#batchTokens !== undefined && { batchTokens: this.#batchTokens }),
    };
    const ports = where.kind === 'memory' ? [...lanes, where.port] : lanes;
    try {
      const report = await this.#client.call(options, (api, crossing) =>
        api.open(transfer(request, ports), crossing),
      );
      this.#batchTokens ??= report.batchTokens;
      this.#report ??= report;
      return report;
    } catch (error) {
      // A half-opened worker holds memory that never shrinks.
      this.dispose();
      throw error;
    }
  }

  #planLanes(threads: number | undefined): LanePlan {
    if (this.#device === 'webgpu')
      return { lanes: 1, threadsPerLane: 1, reason: 'One worker: the graphics card computes.' };
    const { deviceMemory } = navigator as { deviceMemory?: number };
    const machine: Machine = {
      isolated: globalThis.crossOriginIsolated,
      cores: navigator.hardwareConcurrency,
      ...(deviceMemory !== undefined && { memoryGb: deviceMemory }),
    };
    const plan = planLanes(machine, this.#request.model.memoryMegabytes, threads);
    return this.#oneLane
      ? { ...plan, lanes: 1, reason: 'One worker, since the runtime failed with more.' }
      : plan;
  }

  refuseWrong(report: EncoderReport): void {
    const { passport, modelId, device, dtype } = report;
    if (passport.verdict !== 'refused') return;
    const faults = passport.faults.map(({ message }) => message).join('; ');
    throw new AppError(
      'encode',
      'device-refused',
      `${modelId} (${dtype}) gives wrong vectors on ${device}: ${faults}. Choose another device or dtype.`,
    );
  }

  async encodeSet(request: EncodeSetRequest, options: CallOptions = {}): Promise<EncodedSetResult> {
    const { result, recoveries } = await this.#recovering(options, (watched) =>
      this.#client.call(watched, (api, crossing) => api.encodeSet(request, crossing)),
    );
    return { ...result, recoveries };
  }

  async encodeTexts(request: EncodeTextsRequest, options: CallOptions = {}): Promise<EncodedTexts> {
    const { result } = await this.#recovering(options, (watched) =>
      this.#client.call(watched, (api, crossing) => api.encodeTexts(request, crossing)),
    );
    return result;
  }

  dispose(): void {
    this.#client.dispose();
    this.#lanes.end();
  }

  async #recovering<T>(
    options: CallOptions,
    work: (options: CallOptions) => Promise<T>,
  ): Promise<{ result: T; recoveries: number }> {
    return recovering(options, {
      ready: async () => {
        // Also after an abort that had to end the worker.
        if (!this.#client.started) this.refuseWrong(await this.open(options));
      },
      work,
      halve: () => {
        const halved = Math.floor((this.#batchTokens ?? 0) / 2);
        if (halved < 1) return false;
        this.#batchTokens = halved;
        this.#oneLane = true;
        this.#client.replace();
        this.#lanes.end();
        return true;
      },
    });
  }
}

async function openFaster(request: EncoderRequest, options: CallOptions): Promise<Encoder> {
  const adapter = await describeAdapter();
  const skipped = trialWithoutTrying(adapter);
  const wasm = new DeviceEncoder(request, 'wasm');
  const webgpu = skipped ? undefined : new DeviceEncoder(request, 'webgpu');
  try {
    const gpuTrial = skipped ?? (await tryDevice(webgpu as DeviceEncoder, request, options));
    if (gpuTrial.outcome !== 'timed') {
      webgpu?.dispose();
      wasm.refuseWrong(await wasm.open(options));
      wasm.choice = chooseDevice([gpuTrial]);
      return wasm;
    }
    // WASM need not be timed further once it took half as long again.
    const wasmTrial = await tryDevice(wasm, request, options, 1.5 * gpuTrial.ms);
    const choice = chooseDevice([gpuTrial, wasmTrial]);
    const [taken, left] = choice.taken === 'wasm' ? [wasm, webgpu] : [webgpu, wasm];
    left?.dispose();
    if (!taken) throw new AppError('internal', 'unexpected', 'the device that was chosen is not open');
    taken.choice = choice;
    return taken;
  } catch (error) {
    wasm.dispose();
    webgpu?.dispose();
    throw error;
  }
}

const TRIAL_TEXTS = 48;

/** Opens a device, checks it and times sample texts after a warm-up; a failure is an outcome, an abort is thrown. */
async function tryDevice(
  encoder: DeviceEncoder,
  request: EncoderRequest,
  options: CallOptions,
  limitMs = Infinity,
): Promise<DeviceTrial> {
  const device = encoder.choice.taken;
  const texts = (request.sampleTexts?.length ? request.sampleTexts : SELF_CHECK_TEXTS).slice(0, TRIAL_TEXTS);
  const nothing = { device, texts: 0, tokens: 0, ms: 0, loadMs: 0 };
  try {
    const report = await encoder.open(options);
    const { loadMs, passport } = report;
    if (passport.verdict === 'refused')
      return {
        ...nothing,
        loadMs,
        outcome: 'refused',
        message: passport.faults.map(({ message }) => message).join('; '),
      };
    const choices = { side: 'document', prompt: { text: '', rule: 'default' } } as const;
    // The probes compiled the shaders; their shapes differ from these.
    await encoder.encodeTexts({ ...choices, texts: texts.slice(0, 8) }, options);
    const started = performance.now();
    const timer = new AbortController();
    const timeout = Number.isFinite(limitMs) ? setTimeout(() => timer.abort(), limitMs) : undefined;
    const signal = options.signal ? AbortSignal.any([options.signal, timer.signal]) : timer.signal;
    try {
      const { tokenCounts } = await encoder.encodeTexts({ ...choices, texts }, { ...options, signal });
      const tokens = tokenCounts.reduce((sum, count) => sum + count, 0);
      return {
        device,
        outcome: 'timed',
        texts: texts.length,
        tokens,
        ms: performance.now() - started,
        loadMs,
      };
    } catch (error) {
      if (!timer.signal.aborted || options.signal?.aborted) throw error;
      const message = `${device} was given up after ${Math.round(limitMs)} ms: the other device is faster.`;
      return { ...nothing, loadMs, ms: limitMs, outcome: 'gave-up', message };
    } finally {
      clearTimeout(timeout);
    }
  } catch (error) {
    // What is wrong with the model is wrong on every device.
    if (isAborted(error) || (error instanceof AppError && error.stage === 'model')) throw error;
    return { ...nothing, outcome: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The runtime without WebGPU is smaller and not slowed by asyncify. */
function runtimeAssets(device: Device): RuntimeAssets {
  const [module, wasm] =
    device === 'wasm' ? [onnxCpuModule, onnxCpuWasm] : [onnxAsyncifyModule, onnxAsyncifyWasm];
  const absolute = (url: string): string => new URL(url, document.baseURI).href;
  return { onnxModuleUrl: absolute(module), onnxWasmUrl: absolute(wasm) };
}
