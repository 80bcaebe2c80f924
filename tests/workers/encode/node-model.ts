/** onnxruntime's WASM in Node, one thread, for tests and for scripts/make-probes.mjs: the worker's own loading and running. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LanePool } from '../../../workers/encode/encoding-model.ts';
import type { GraphOptions } from '../../../workers/encode/graph.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Folder of the bundled model. */
export const BUNDLED_FOLDER = path.join(root, 'public/models/all-MiniLM-L6-v2');

let prepared: Promise<void> | undefined;

/** Puts onnxruntime-web in place of the native runtime that Node would get; import the worker's modules afterwards. */
export function prepareNode(): Promise<void> {
  prepared ??= (async () => {
    const ort = await import('onnxruntime-web');
    // transformers.js takes a runtime that is already there.
    (globalThis as Record<symbol, unknown>)[Symbol.for('onnxruntime')] = ort;
    const { env } = await import('@huggingface/transformers');
    const dist = path.dirname(
      createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'),
    );
    const fileUrl = (name: string): string => pathToFileURL(path.join(dist, name)).href;
    const { wasm } = env.backends.onnx;
    if (!wasm) throw new Error('onnxruntime-web has no WASM backend');
    wasm.wasmPaths = {
      mjs: fileUrl('ort-wasm-simd-threaded.mjs'),
      wasm: fileUrl('ort-wasm-simd-threaded.wasm'),
    };
    wasm.numThreads = 1;
  })();
  return prepared;
}

/** Returns all files of a folder by path with `/`. */
export function filesOf(folder: string): Map<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    names.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file).split(path.sep).join('/'), new Uint8Array(readFileSync(file))];
    }),
  );
}

/** What a test may change about loading. */
export type NodeLoadOptions = Partial<GraphOptions> & { readonly appendEos?: boolean };

/** Loads a model folder as the worker and one lane would, both in this thread. */
export async function loadInNode(folder: string, options: NodeLoadOptions = {}): Promise<LanePool> {
  await prepareNode();
  const { Lane } = await import('../../../workers/encode/lane.ts');
  const { loadTokenizer } = await import('../../../workers/encode/tokenizer.ts');
  const { appendEos = false, ...graph } = options;
  const request: GraphOptions = {
    modelId: path.basename(folder),
    files: filesOf(folder),
    weightsPath: 'onnx/model_quantized.onnx',
    dtype: 'q8',
    device: 'wasm',
    transformersDevice: 'auto',
    ...graph,
  };
  const pool = new LanePool(await loadTokenizer(request.modelId, request.files, appendEos));
  const lane = new Lane();
  await lane.load(request);
  pool.add(lane);
  return pool;
}
