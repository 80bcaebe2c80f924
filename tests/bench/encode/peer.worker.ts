/** The peers, each in a thread of its own: transformers.js' pipeline as people call it, and the bare model call. */
import { AutoModel, AutoTokenizer, pipeline, Tensor } from '@huggingface/transformers';
import { fillBatch, planBatches } from '../../../workers/encode/batching.ts';
import { fetchWasm, prepareRuntime } from '../../../workers/encode/graph.ts';
import { cutTokens } from '../../../workers/encode/tokens.ts';
import { MODEL_NAME, serveFiles } from '../../../workers/encode/transformers-env.ts';

/** What a peer is to do. */
export interface PeerRequest {
  readonly kind: 'pipeline' | 'bare';
  readonly texts: readonly string[];
  readonly threads: number;
  /** Pipeline: texts a batch. Bare: tokens a batch. */
  readonly batch: number;
  readonly baseUrl: string;
  readonly moduleUrl: string;
  readonly wasmUrl: string;
}

/** What it took. */
export interface PeerResult {
  readonly ms: number;
  readonly texts: number;
  readonly computedTokens: number;
  readonly head: readonly number[];
}

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
const OPTIONS = { dtype: 'q8', device: 'wasm' } as const;

async function run(request: PeerRequest): Promise<PeerResult> {
  const files = new Map<string, Uint8Array>();
  for (const file of FILES)
    files.set(file, new Uint8Array(await (await fetch(request.baseUrl + file)).arrayBuffer()));
  serveFiles(files);
  const { moduleUrl, threads } = request;
  prepareRuntime({ wasm: await fetchWasm(request.wasmUrl), moduleUrl, threads });
  return request.kind === 'pipeline' ? runPipeline(request) : runBare(request);
}

async function runPipeline({ texts, batch }: PeerRequest): Promise<PeerResult> {
  const extract = await pipeline('feature-extraction', MODEL_NAME, OPTIONS);
  await extract([...texts.slice(0, 2)], { pooling: 'mean', normalize: true });
  const head: number[] = [];
  const started = performance.now();
  for (let start = 0; start < texts.length; start += batch) {
    const output = await extract([...texts.slice(start, start + batch)], {
      pooling: 'mean',
      normalize: true,
    });
    if (start === 0) head.push(...(output.data as Float32Array).subarray(0, 384));
  }
  const ms = performance.now() - started;
  let computedTokens = 0;
  for (let start = 0; start < texts.length; start += batch) {
    const { input_ids } = extract.tokenizer([...texts.slice(start, start + batch)], {
      padding: true,
      truncation: true,
    }) as { input_ids: Tensor };
    computedTokens += input_ids.size;
  }
  return { ms, texts: texts.length, computedTokens, head };
}

/** The same padded batches that we compute, handed to the model one after the other, nothing read from what it gives. */
async function runBare({ texts, batch }: PeerRequest): Promise<PeerResult> {
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_NAME);
  const model = await AutoModel.from_pretrained(MODEL_NAME, OPTIONS);
  const ids = texts.map((text) => cutTokens(tokenizer.encode(text), 256, [102]).ids);
  const batches = planBatches(
    ids.map(({ length }) => length),
    batch,
  ).map((planned) => {
    const filled = fillBatch(planned, (i) => ids[i] ?? [], 'right', 0);
    const dims = [filled.rows, filled.length];
    return {
      input_ids: new Tensor('int64', filled.ids, dims),
      attention_mask: new Tensor('int64', filled.mask, dims),
    };
  });
  await model(batches.at(-1));
  const started = performance.now();
  for (const inputs of batches) await model(inputs);
  const ms = performance.now() - started;
  const computedTokens = batches.reduce((sum, { input_ids }) => sum + input_ids.size, 0);
  return { ms, texts: texts.length, computedTokens, head: [] };
}

onmessage = ({ data }: MessageEvent<PeerRequest>) => {
  run(data).then(
    (result) => postMessage(result),
    (error: unknown) =>
      postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
};
