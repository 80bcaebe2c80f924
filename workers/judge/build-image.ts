/** What scripts/build-judge.mjs runs in Node: the library as bytecode, and the image of a prepared interpreter. */
import { encodeImage, runScript, startPrepared } from './python/image.ts';
import { LIBRARY_PATH, Machine } from './python/machine.ts';
import { FIRST_WORLD } from './python/world.ts';

const BUILD_WORLD = { ...FIRST_WORLD, clock: 'fixed' } as const;

/**
 * Returns the library zip with bytecode instead of sources.
 *
 * @param sources the zip of sources that comes with the interpreter
 * @param zones the time zone database: the tzdata package of the Python Package Index, unchanged
 * @param script text of compile-library.py
 */
export async function compileLibrary(
  module: WebAssembly.Module,
  sources: Uint8Array,
  zones: Uint8Array,
  script: string,
): Promise<Uint8Array> {
  const files = new Map([
    [LIBRARY_PATH, sources],
    ['/tzdata.zip', zones],
  ]);
  const machine = await Machine.create(module, files, BUILD_WORLD);
  machine.calls.reset(new Uint8Array(0), 65_536);
  machine.start(0);
  runScript(machine, script, '<compile-library>');
  const node = machine.calls.files.find('/tmp/library.zip');
  if (node.kind !== 'file') throw new Error('compile-library.py left no file');
  return node.bytes.slice(0, node.size);
}

/** Returns the image file of a started and prepared interpreter. */
export async function buildImage(
  module: WebAssembly.Module,
  library: Uint8Array,
  prepare: string,
): Promise<Uint8Array> {
  const { machine, objects } = await startPrepared(module, library, prepare, BUILD_WORLD);
  return encodeImage({ image: machine.capture(), objects });
}
