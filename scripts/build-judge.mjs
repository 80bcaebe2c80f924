/**
 * Builds the oracle's parts under build/judge/, before the page build; cached by the hash of everything that goes in.
 *
 *   interpreter.bin   CPython compiled to wasm (the pyodide package's pyodide.asm.wasm, unchanged), gzipped
 *   library.bin       its standard library as bytecode: a zip, made in the interpreter itself
 *   image.bin         a started and prepared interpreter's memory (workers/judge/python/image.ts), gzipped
 *   coordinator.txt, interpreter.txt   classic worker scripts, since module workers fail in an opaque frame
 *   prepare.txt       workers/judge/python/prepare.py, for starting the second environment from nothing
 *   frame.txt         the sandbox frame's only script; its hash is part of the page's policy
 *   manifest.json     { frameScriptHash, version, assets: { name: { bytes, sha256 } } }, sha256 of the unpacked bytes
 *
 * What the page build needs: run this first. vite.config.ts reads `frameScriptHash` (`sha256-…`, as it stands in a
 * policy); src/clients/judge.ts imports the files with `?url` and the frame script with `?raw`. The script text in the
 * frame must be byte for byte frame.txt, or the policy refuses it.
 *
 * Needs Node and node_modules only: the library is compiled, and the image made, by the wasm interpreter in Node. The
 * clock stands still while that happens, so the same inputs give the same bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const target = path.join(root, 'build', 'judge');
const source = path.join(root, 'workers', 'judge');
const LARGEST_BYTES = 24 * 1024 * 1024;

const pyodide = path.dirname(createRequire(path.join(root, 'package.json')).resolve('pyodide'));
const version = JSON.parse(readFileSync(path.join(pyodide, 'package.json'), 'utf8')).version;
const inputs = {
  wasm: readFileSync(path.join(pyodide, 'pyodide.asm.wasm')),
  sources: readFileSync(path.join(pyodide, 'python_stdlib.zip')),
  zones: readFileSync(path.join(source, 'python', 'tzdata-2026.6.zip')),
};

const inputHash = hashOf([
  inputs.wasm,
  inputs.sources,
  inputs.zones,
  ...filesUnder(source).map((file) => readFileSync(file)),
  readFileSync(path.join(root, 'src', 'contracts', 'judge.ts')),
  readFileSync(path.join(root, 'src', 'domain', 'verdict.ts')),
  readFileSync(fileURLToPath(import.meta.url)),
]);
const manifestFile = path.join(target, 'manifest.json');
if (!isCurrent()) await buildAll();

function isCurrent() {
  if (!existsSync(manifestFile)) return false;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return (
    manifest.inputHash === inputHash &&
    Object.keys(manifest.assets).every((name) => existsSync(path.join(target, name)))
  );
}

async function buildAll() {
  rmSync(manifestFile, { force: true });
  mkdirSync(target, { recursive: true });
  const [coordinator, interpreter, frame] = await Promise.all(
    ['coordinator.worker.ts', 'interpreter.worker.ts', 'frame.ts'].map((name) => bundle(name, 'iife')),
  );
  const work = path.join(target, `.build-image-${process.pid}.mjs`);
  writeFileSync(work, await bundle('build-image.ts', 'es'));
  const { compileLibrary, buildImage } = await import(pathToFileURL(work).href).finally(() => rmSync(work));
  const module = await WebAssembly.compile(inputs.wasm);
  const text = (name) => readFileSync(path.join(source, 'python', name), 'utf8');
  const library = await compileLibrary(module, inputs.sources, inputs.zones, text('compile-library.py'));
  const image = await buildImage(module, library, text('prepare.py'));

  const assets = {};
  const put = (name, content, packed = content) => {
    if (packed.length > LARGEST_BYTES)
      throw new Error(`${name} has ${packed.length} bytes; no shipped file may exceed ${LARGEST_BYTES}`);
    writeFileSync(path.join(target, name), packed);
    assets[name] = { bytes: Buffer.byteLength(content), sha256: hashOf([content]) };
  };
  put('interpreter.bin', inputs.wasm, gzipSync(inputs.wasm, { level: 9 }));
  put('library.bin', library);
  put('image.bin', image, gzipSync(image, { level: 9 }));
  put('coordinator.txt', coordinator);
  put('interpreter.txt', interpreter);
  put('prepare.txt', text('prepare.py'));
  put('frame.txt', frame);
  const frameScriptHash = `sha256-${createHash('sha256').update(frame).digest('base64')}`;
  // Last, so that an interrupted run is not taken for a complete one.
  writeFileSync(
    manifestFile,
    `${JSON.stringify({ frameScriptHash, version, inputHash, assets }, null, 2)}\n`,
  );
}

/** One script without imports, as text. */
async function bundle(name, format) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      minify: format === 'iife',
      lib: { entry: path.join(source, name), formats: [format], name: 'judge', fileName: 'judge' },
    },
  });
  const chunk = result[0].output[0];
  const code = chunk.code.trim();
  // It is placed between <script> tags, and read as UTF-8 whatever the host says.
  if (/<\/script|<!--/iu.test(code)) throw new Error(`${name}: the script would end its own tag`);
  return code.replace(/[^\x00-\x7f]/gu, escapeOf);
}

function escapeOf(character) {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|py)$/u.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
