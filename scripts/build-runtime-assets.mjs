/**
 * Puts onnxruntime-web's own files where the page build picks them up, under build/runtime/:
 *
 *   ort-asyncify.js / .bin   the build that has WebGPU
 *   ort-cpu.js / .bin        the build without it: smaller, with every CPU kernel, not slowed by asyncify
 *   manifest.json            version, sizes and SHA-256 of the unpacked wasm
 *
 * The .bin is the wasm, gzipped: no shipped file may exceed 24 MiB, and some static hosts know no .wasm. The reader
 * recognises gzip by its magic bytes, since a host may have unpacked it. The .js is onnxruntime's .mjs under a name that
 * every host serves as JavaScript; it is loaded by `import()` and starts its own threads from its own address, so it must
 * be served as a file of the same origin (never inlined, never bundled) and with COEP in an isolated page.
 *
 * What the page build needs: run this script first. src/clients/encode.ts imports the files with `?url`, so that Vite
 * copies them under hashed names into the page's assets; `resolve.conditions` must hold `onnxruntime-web-use-extern-wasm`
 * (otherwise Vite adds a second copy of the wasm) and `build.assetsInlineLimit` must be 0. Nothing else.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const target = path.join(root, 'build', 'runtime');
const BUILDS = [
  { name: 'ort-asyncify', file: 'ort-wasm-simd-threaded.asyncify' },
  { name: 'ort-cpu', file: 'ort-wasm-simd-threaded' },
];
const LARGEST_BYTES = 24 * 1024 * 1024;

const require = createRequire(path.join(root, 'package.json'));
// The package exports its files only by name; dist/ is beside any of them.
const dist = path.dirname(require.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'));
const { version } = JSON.parse(readFileSync(path.join(dist, '..', 'package.json'), 'utf8'));

const sources = BUILDS.map(({ name, file }) => ({
  name,
  wasm: readFileSync(path.join(dist, `${file}.wasm`)),
  module: readFileSync(path.join(dist, `${file}.mjs`), 'utf8'),
}));
const manifest = {
  package: 'onnxruntime-web',
  version,
  builds: sources.map(({ name, wasm, module }) => ({
    name,
    wasmBytes: wasm.byteLength,
    wasmSha256: sha256(wasm),
    moduleSha256: sha256(module),
  })),
};
const manifestFile = path.join(target, 'manifest.json');
const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
const complete = BUILDS.every(({ name }) =>
  ['.js', '.bin'].every((end) => existsSync(path.join(target, name + end))),
);

// Gzipping takes seconds; the same inputs give the same files.
if (!complete || !existsSync(manifestFile) || readFileSync(manifestFile, 'utf8') !== manifestText) {
  mkdirSync(target, { recursive: true });
  for (const { name, wasm, module } of sources) {
    const packed = gzipSync(wasm, { level: 9 });
    if (packed.byteLength > LARGEST_BYTES) {
      throw new Error(
        `${name}.bin has ${packed.byteLength} bytes; no shipped file may exceed ${LARGEST_BYTES}`,
      );
    }
    writeFileSync(path.join(target, `${name}.bin`), packed);
    writeFileSync(path.join(target, `${name}.js`), module);
  }
  // Last, so that an interrupted run is not taken for a complete one.
  writeFileSync(manifestFile, manifestText);
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
