/**
 * The image: a started, prepared interpreter as one file, so that a worker is ready after a copy instead of a start.
 * Layout: length of the header (4 bytes, little-endian), header (JSON, UTF-8), static data, heap.
 */
import type { PreparedObjects } from '../failures.ts';
import { LIBRARY_PATH, Machine, type Image } from './machine.ts';
import { FIRST_WORLD, SECOND_WORLD, type World } from './world.ts';

/** Built-in modules that reach into the interpreter or the machine, or switch tracing on. */
const HIDDEN_MODULES = new Set([
  '_ctypes',
  '_lsprof',
  '_remote_debugging',
  '_testbuffer',
  '_testcapi',
  '_testclinic',
  '_testclinic_limited',
  '_testinternalcapi',
  '_testlimitedcapi',
  '_xxtestfuzz',
  'xxsubtype',
]);

interface Header {
  readonly stackPointer: number;
  readonly top: number;
  readonly staticBytes: number;
  readonly objects: PreparedObjects;
}

/** A state and the addresses of what the harness needs in it. */
export interface PreparedImage {
  readonly image: Image;
  readonly objects: PreparedObjects;
}

/** Returns the file's bytes. Inverse: {@link decodeImage}. */
export function encodeImage({ image, objects }: PreparedImage): Uint8Array {
  const header: Header = {
    stackPointer: image.stackPointer,
    top: image.top,
    staticBytes: image.statics.length,
    objects,
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(4 + head.length + image.statics.length + image.heap.length);
  new DataView(file.buffer).setUint32(0, head.length, true);
  file.set(head, 4);
  file.set(image.statics, 4 + head.length);
  file.set(image.heap, 4 + head.length + image.statics.length);
  return file;
}

/** Returns the parts of the file as views; nothing is copied. Inverse: {@link encodeImage}. */
export function decodeImage(file: Uint8Array): PreparedImage {
  const headBytes = new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(4, 4 + headBytes))) as Header;
  const start = 4 + headBytes;
  return {
    image: {
      stackPointer: header.stackPointer,
      top: header.top,
      statics: file.subarray(start, start + header.staticBytes),
      heap: file.subarray(start + header.staticBytes),
    },
    objects: header.objects,
  };
}

/**
 * Starts Python from nothing and prepares it: how the image is built, and how the second environment starts.
 *
 * @param prepare text of prepare.py
 */
export async function startPrepared(
  module: WebAssembly.Module,
  library: Uint8Array,
  prepare: string,
  world: World = FIRST_WORLD,
  hashSeed = 0,
): Promise<{ machine: Machine; objects: PreparedObjects }> {
  const machine = await Machine.create(module, new Map([[LIBRARY_PATH, library]]), world);
  machine.calls.reset(new Uint8Array(0), 65_536);
  machine.hideModules(HIDDEN_MODULES);
  machine.start(hashSeed);
  const globals = runScript(
    machine,
    `SECOND = ${world === SECOND_WORLD ? 'True' : 'False'}\n${prepare}`,
    '<prepare>',
  );
  const find = (name: string): number => machine.call('PyDict_GetItemString', globals, machine.cString(name));
  const objects = {
    explain: find('assay_explain'),
    suspicious: find('assay_suspicious'),
    notHere: find('NotHere'),
    noProcess: find('NoProcess'),
  };
  if (Object.values(objects).includes(0)) throw new Error('prepare.py lacks a name that the harness needs');
  return { machine, objects };
}

/** Runs a script of our own in a namespace of its own and returns that; what it printed is in the message when it fails. */
export function runScript(machine: Machine, script: string, name: string): number {
  const globals = machine.call('PyDict_New');
  const builtins = machine.call('PyImport_AddModule', machine.cString('builtins'));
  machine.call('PyDict_SetItemString', globals, machine.cString('__builtins__'), builtins);
  machine.call('PyDict_SetItemString', globals, machine.cString('__name__'), text(machine, name));
  const code = machine.call(
    'Py_CompileStringExFlags',
    machine.cString(script),
    machine.cString(name),
    257,
    0,
    -1,
  );
  if (code === 0 || machine.call('PyEval_EvalCode', code, globals, globals) === 0) {
    const exception = machine.call('PyErr_GetRaisedException');
    const words = machine.call('PyObject_Repr', exception);
    const line = machine.call('PyObject_Str', exception);
    throw new Error(
      `${name} failed: ${machine.text(machine.call('PyUnicode_AsUTF8', words))} ${machine.text(machine.call('PyUnicode_AsUTF8', line))}`,
    );
  }
  return globals;
}

function text(machine: Machine, value: string): number {
  return machine.call('PyUnicode_FromString', machine.cString(value));
}
