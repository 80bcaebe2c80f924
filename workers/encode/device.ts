import type { AdapterReport } from '../../src/contracts/encode.ts';

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

/** How many WASM threads, and why, in one plain sentence. */
export interface ThreadChoice {
  readonly threads: number;
  readonly reason: string;
}

const MOST_THREADS = 8;

/**
 * Returns how many threads onnxruntime gets: one without cross-origin isolation, else one a core up to four cores and one
 * for two cores beyond (the second of a pair of hardware threads adds nothing to arithmetic), at most eight.
 */
export function chooseThreads(isolated: boolean, cores: number, wanted?: number): ThreadChoice {
  if (!isolated)
    return {
      threads: 1,
      reason:
        'One thread: this page is not cross-origin isolated (its server does not send the COOP and COEP headers).',
    };
  if (wanted !== undefined)
    return {
      threads: Math.max(1, Math.min(wanted, MOST_THREADS)),
      reason: `${wanted} threads were asked for.`,
    };
  const threads = Math.max(1, Math.min(MOST_THREADS, Math.max(Math.min(cores, 4), Math.ceil(cores / 2))));
  return { threads, reason: `${threads === 1 ? 'One thread' : `${threads} threads`} on ${cores} cores.` };
}
