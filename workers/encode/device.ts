import type { AdapterReport, LanePlan } from '../../src/contracts/encode.ts';

/** Returns what WebGPU says about the adapter that onnxruntime will get, or the plain reason why there is none. */
export async function describeAdapter(
  gpu: GPU | undefined = (globalThis.navigator as Navigator | undefined)?.gpu,
): Promise<AdapterReport | string> {
  if (!gpu)
    return globalThis.isSecureContext === false
      ? 'This page was opened over plain http, where browsers offer no WebGPU.'
      : 'This browser has no WebGPU.';
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return 'This browser has WebGPU but found no adapter for it.';
  const { info, features, limits } = adapter;
  const words = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return {
    vendor: info.vendor,
    architecture: info.architecture,
    device: info.device,
    description: info.description,
    software: info.isFallbackAdapter || /swiftshader|llvmpipe|software|basic render/i.test(words),
    shaderF16: features.has('shader-f16'),
    features: [...features].sort(),
    maxBufferBytes: limits.maxBufferSize,
    maxStorageBufferBindingBytes: limits.maxStorageBufferBindingSize,
  };
}

/** What the plan depends on. */
export interface Machine {
  readonly isolated: boolean;
  readonly cores: number;
  /** Rough memory in GB as the browser tells it (at most 8); absent where it does not. */
  readonly memoryGb?: number;
}

const MOST_LANES = 4;
const MOST_THREADS = 8;
/** Copies of a model may take this share of the machine's memory, and never more than this many megabytes. */
const MEMORY_SHARE = 0.2;
const MOST_MEGABYTES = 1_000;
/** Where the browser does not tell. */
const ASSUMED_MEMORY_GB = 4;

/**
 * Returns how to use the cores for a model on WASM. A lane computes its own batches and scales with the cores where threads
 * that share one batch do not (measured: 1.7 times the speed on two cores), and needs no isolation; but each holds the model
 * once more. So: as many lanes as cores and memory allow, at most four; what cores are left become threads within lanes.
 */
export function planLanes(machine: Machine, modelMegabytes: number, wantedThreads?: number): LanePlan {
  const { isolated, cores, memoryGb = ASSUMED_MEMORY_GB } = machine;
  // The second of a pair of hardware threads adds nothing to arithmetic.
  const useful = Math.min(MOST_THREADS, Math.max(Math.min(cores, 4), Math.ceil(cores / 2)));
  const threads = Math.max(1, Math.min(wantedThreads ?? useful, MOST_THREADS));
  const megabytes = Math.min(MOST_MEGABYTES, memoryGb * 1_000 * MEMORY_SHARE);
  const affordable = Math.max(1, Math.floor(megabytes / modelMegabytes));
  const lanes = Math.min(threads, affordable, MOST_LANES);
  const threadsPerLane = isolated ? Math.max(1, Math.floor(threads / lanes)) : 1;
  return { lanes, threadsPerLane, reason: laneReason(machine, lanes, threadsPerLane, threads) };
}

function laneReason(
  { isolated, cores }: Machine,
  lanes: number,
  threadsPerLane: number,
  threads: number,
): string {
  const each = threadsPerLane === 1 ? 'one thread' : `${threadsPerLane} threads`;
  const workers = lanes === 1 ? `One worker with ${each}` : `${lanes} workers with ${each} each`;
  const where = `on ${cores === 1 ? 'one core' : `${cores} cores`}`;
  if (isolated || lanes >= threads) return `${workers} ${where}.`;
  return `${workers} ${where}: no more, since this page is not cross-origin isolated (its server does not send the COOP and COEP headers).`;
}
