import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { KernelKind, KernelSources } from '../../../src/contracts/search.ts';
import { loadKernel, type Kernel } from '../../../workers/search/kernel-module.ts';

// Node 20 has relaxed SIMD behind a flag, and only its optimising compiler gets the accumulating dot product right.
if (process.versions.node.startsWith('20.')) {
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  setFlagsFromString('--no-liftoff');
}

const folder = new URL('../../../workers/search/kernel/', import.meta.url);

/** The committed modules. */
export const kernelSources: KernelSources = {
  plain: readFileSync(new URL('search-plain.wasm', folder)),
  relaxed: readFileSync(new URL('search-relaxed.wasm', folder)),
};

/** Every kernel that this Node takes: `wide` always, the relaxed ones where relaxed SIMD validates. */
export async function everyKernel(): Promise<Kernel[]> {
  const kinds: KernelKind[] = WebAssembly.validate(new Uint8Array(kernelSources.relaxed as Uint8Array))
    ? ['wide', 'dot7', 'wrap']
    : ['wide'];
  return Promise.all(kinds.map((kind) => loadKernel(kernelSources, kind)));
}
