/** The browser's side of the encode benchmark: our client, and threads that do what people do instead. */
import onnxModule from '../../../build/runtime/ort-cpu.js?url';
import onnxWasm from '../../../build/runtime/ort-cpu.bin?url';
import { openEncoder, type Encoder } from '../../../src/clients/encode.ts';
import { DEFAULT_MODEL } from '../../../src/models/index.ts';
import type { PeerRequest, PeerResult } from './peer.worker.ts';

/** What our encoder took. */
export interface OurResult {
  readonly texts: number;
  readonly tokens: number;
  readonly ms: number;
  readonly paddingShare: number;
  readonly lanes: number;
  readonly threads: number;
  readonly truncated: number;
  /** The first vectors, for comparison with the peer's. */
  readonly head: readonly number[];
}

const base = new URL('./', document.baseURI).href;
const absolute = (url: string): string => new URL(url, document.baseURI).href;
let encoder: Encoder | undefined;

const operations = {
  async open(threads: number | undefined): Promise<void> {
    encoder?.dispose();
    encoder = await openEncoder({
      model: DEFAULT_MODEL,
      device: 'wasm',
      appBaseUrl: base,
      place: async () => ({ kind: 'indexeddb' }),
      ...(threads !== undefined && { threads }),
    });
  },
  async ours(texts: readonly string[]): Promise<OurResult> {
    if (!encoder) throw new Error('open first');
    const started = performance.now();
    const encoded = await encoder.encodeTexts({
      texts,
      side: 'document',
      prompt: { text: '', rule: 'default' },
    });
    return {
      texts: texts.length,
      tokens: encoded.tokenCounts.reduce((sum, count) => sum + count, 0),
      ms: performance.now() - started,
      paddingShare: encoded.paddingShare,
      lanes: encoder.report.lanes,
      threads: encoder.report.threads,
      truncated: encoded.truncatedRows.length,
      head: [...encoded.values.subarray(0, 384)],
    };
  },
  close(): void {
    encoder?.dispose();
    encoder = undefined;
  },
  peer(request: Omit<PeerRequest, 'baseUrl' | 'moduleUrl' | 'wasmUrl'>): Promise<PeerResult> {
    const worker = new Worker(new URL('./peer.worker.ts', import.meta.url), { type: 'module' });
    return new Promise<PeerResult>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PeerResult | { error: string }>) =>
        'error' in data ? reject(new Error(data.error)) : resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({
        ...request,
        baseUrl: `${base}${DEFAULT_MODEL.source.kind === 'bundled' ? DEFAULT_MODEL.source.folder : ''}/`,
        moduleUrl: absolute(onnxModule),
        wasmUrl: absolute(onnxWasm),
      });
    }).finally(() => worker.terminate());
  },
};

/** What the benchmark calls through the browser. */
export type PageOperations = typeof operations;
Object.assign(globalThis, { operations });
