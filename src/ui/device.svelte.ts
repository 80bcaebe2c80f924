/** What this browser offers, asked once when the page opens. Each lack is a sentence, never a failure. */
export interface DeviceFacts {
  /** The adapter's name in words, or why there is none. */
  readonly webgpu:
    | { readonly available: true; readonly name: string; readonly software: boolean }
    | {
        readonly available: false;
      };
  /** Most WASM threads; 1 without cross-origin isolation. */
  readonly threads: number;
  readonly isolated: boolean;
  /** False on plain http other than localhost. */
  readonly secure: boolean;
}

/** Asks the browser. Cheap: nothing is loaded and no device is opened. */
export async function readDeviceFacts(): Promise<DeviceFacts> {
  return {
    webgpu: await readAdapter(),
    threads: crossOriginIsolated ? Math.min(navigator.hardwareConcurrency || 1, 8) : 1,
    isolated: crossOriginIsolated,
    secure: isSecureContext,
  };
}

async function readAdapter(): Promise<DeviceFacts['webgpu']> {
  // The type says that `gpu` is always there; it is absent on plain http and in browsers without WebGPU.
  const gpu = navigator.gpu as GPU | undefined;
  if (gpu === undefined) return { available: false };
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter === null) return { available: false };
    const { vendor, architecture, description } = adapter.info;
    const name = description || [vendor, architecture].filter((part) => part !== '').join(' ') || 'adapter';
    const software =
      adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|basic render/iu.test(`${name} ${architecture}`);
    return { available: true, name, software };
  } catch {
    // A browser that fails here fails later too: same as none.
    return { available: false };
  }
}

/** The device in a few words for the bar: `WebGPU · nvidia ampere`, `WASM · 8 threads`. */
export function deviceText(facts: DeviceFacts): string {
  if (facts.webgpu.available)
    return `WebGPU · ${facts.webgpu.name}${facts.webgpu.software ? ' (software)' : ''}`;
  return `WASM · ${facts.threads === 1 ? '1 thread' : `${facts.threads} threads`}`;
}

/** What a run here will lack, in plain sentences; empty when nothing is. `about` is the estimated time, where known. */
export function deviceSentences(facts: DeviceFacts, about?: string): string[] {
  const sentences: string[] = [];
  if (!facts.webgpu.available) {
    sentences.push(
      about === undefined
        ? 'This browser has no WebGPU; the run will use WASM.'
        : `This browser has no WebGPU; the run will use WASM and take ${about}.`,
    );
  }
  if (!facts.secure) {
    sentences.push(
      'This page came over plain http: no WebGPU, no threads, and nothing is kept on disk. The run stays in memory and is gone when the tab closes.',
    );
  } else if (!facts.isolated) {
    sentences.push(
      'The host of this page sends no isolation headers, so WASM runs on one thread. Results are the same, only slower.',
    );
  }
  return sentences;
}

/** The facts as reactive state; undefined for the moment that the browser needs to answer. */
class Device {
  facts = $state.raw<DeviceFacts | undefined>(undefined);

  constructor() {
    void readDeviceFacts().then((facts) => (this.facts = facts));
  }
}

export const device = new Device();
