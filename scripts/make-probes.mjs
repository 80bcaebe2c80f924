/**
 * Writes public/models/all-MiniLM-L6-v2/probes.json: the 64 probe texts of tests/golden/embeddings-minilm.json with their
 * float32 reference vectors, and what the bundled weight file gives for each text alone on onnxruntime's WASM with one
 * thread. Run it again when the weights change: node scripts/make-probes.mjs
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'public/models/all-MiniLM-L6-v2');
const vite = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const load = (file) => vite.ssrLoadModule(`/${file}`);

const { loadInNode, prepareNode } = await load('tests/workers/encode/node-model.ts');
await prepareNode();
const { runtimeVersions } = await load('workers/encode/transformers-env.ts');
const { encodeTexts } = await load('workers/encode/encoder.ts');
const { encodeRows } = await load('workers/encode/probes.ts');
const { ALL_MINILM_L6_V2 } = await load('src/models/minilm.ts');

const golden = JSON.parse(readFileSync(path.join(root, 'tests/golden/embeddings-minilm.json'), 'utf8'));
const texts = golden.probes.map((probe) => probe.text);
// Short texts of several kinds, six: on a software adapter each takes seconds. Prose, code, code alike, other scripts.
const few = [0, 5, 16, 21, 47, 53];
const model = await loadInNode(folder);
const settings = (pooling) => ({
  prompt: '',
  maxTokens: ALL_MINILM_L6_V2.maxTokens,
  pooling,
  padding: 'right',
  layerNorm: false,
  normalised: true,
  graphDimensions: ALL_MINILM_L6_V2.dimensions,
  dimensions: ALL_MINILM_L6_V2.dimensions,
  batchTokens: 1,
});
const vectorsOf = async (chosen, pooling) =>
  encodeRows((await encodeTexts(model, chosen, settings(pooling))).values);
const fewTexts = few.map((row) => texts[row]);
const weights = readFileSync(path.join(folder, 'onnx/model_quantized.onnx'));
const versions = runtimeVersions();

const probes = {
  about:
    'Probe texts with the vectors that a right device gives; vectors are float32, little-endian, row-major, base64.',
  origin: `fp32: ${golden.model}, ${golden.weights}, sentence-transformers ${golden.versions.sentence_transformers}, torch ${golden.versions.torch}, one text a batch. files: made by scripts/make-probes.mjs.`,
  dimensions: ALL_MINILM_L6_V2.dimensions,
  normalised: true,
  texts,
  few,
  fp32: encodeRows(Float32Array.from(golden.probes.flatMap((probe) => probe.vector))),
  files: {
    [createHash('sha256').update(weights).digest('hex')]: {
      madeWith: `onnxruntime-web ${versions['onnxruntime-web']}, WASM, one thread, one text a batch`,
      vectors: await vectorsOf(texts, 'mean'),
      otherPoolings: { cls: await vectorsOf(fewTexts, 'cls'), last: await vectorsOf(fewTexts, 'last') },
    },
  },
};
const text = `${JSON.stringify(probes)}\n`;
writeFileSync(path.join(folder, 'probes.json'), text);
console.log(
  `probes.json: ${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`,
);
await model.dispose();
await vite.close();
process.exit(0);
