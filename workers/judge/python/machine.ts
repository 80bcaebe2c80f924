/**
 * One Python interpreter as a machine whose whole state can be put back: the wasm's memory, its stack pointer and the
 * files. It is started from nothing (when the image is built, and for the second environment) or from an image.
 */
import { Files } from './files.ts';
import { SystemCalls } from './system-calls.ts';
import type { World } from './world.ts';
import { installTrampoline } from './trampoline.ts';

/** A function that the wasm exports; pointers and ints are numbers, 64-bit values bigints. */
export type WasmFunction = (...args: (number | bigint)[]) => number;

/** Where the parts of the memory lie: static data, then the stack (which grows down), then the heap. */
interface Layout {
  readonly stackEnd: number;
  readonly stackBase: number;
}

/** A stopped interpreter: what {@link Machine.restore} copies back. */
export interface Image {
  readonly stackPointer: number;
  /** End of the heap in use. */
  readonly top: number;
  /** Static data: from address 0 to the end of the stack's room. */
  readonly statics: Uint8Array;
  /** From the stack pointer to `top`. */
  readonly heap: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The path at which the interpreter finds its library. */
export const LIBRARY_PATH = '/lib/python314.zip';
/** The folder in which every candidate starts. */
export const HOME = '/home/candidate';

const STACK_ALWAYS_BYTES = 512 * 1024;
const STACK_PROBE_BYTES = 256 * 1024;

/** One instance of the interpreter. */
export class Machine {
  readonly calls: SystemCalls;
  readonly memory: WebAssembly.Memory;
  private readonly functions: Record<string, WasmFunction>;
  private readonly globals: Record<string, WebAssembly.Global>;
  private readonly stackPointer: WebAssembly.Global;
  private readonly layout: Layout;
  /** Place of CPython's trampoline in the table; 0 = none, calls go through JavaScript. */
  private readonly trampoline: number;
  private baseline: Image | undefined;
  private bytes: Uint8Array;
  private view: DataView;

  private constructor(instance: WebAssembly.Instance, calls: SystemCalls) {
    this.calls = calls;
    this.functions = instance.exports as Record<string, WasmFunction>;
    this.globals = instance.exports as Record<string, WebAssembly.Global>;
    this.memory = instance.exports['memory'] as WebAssembly.Memory;
    this.stackPointer = instance.exports['__stack_pointer'] as WebAssembly.Global;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
    const table = instance.exports['__indirect_function_table'] as WebAssembly.Table;
    calls.attach({ memory: this.memory, table });
    this.call('__wasm_call_ctors');
    this.layout = {
      stackEnd: this.call('emscripten_stack_get_end') >>> 0,
      stackBase: this.call('emscripten_stack_get_base') >>> 0,
    };
    this.trampoline = installTrampoline(this.memory, table);
    this.setWord(this.trampolineAddress(), this.trampoline);
  }

  /** Instantiates the compiled interpreter; Python is not started yet. `files` must hold {@link LIBRARY_PATH}. */
  static async create(
    module: WebAssembly.Module,
    files: ReadonlyMap<string, Uint8Array>,
    world: World,
  ): Promise<Machine> {
    const calls = new SystemCalls(world, new Files(files, HOME));
    const instance = await WebAssembly.instantiate(module, calls.importsFor(module));
    return new Machine(instance, calls);
  }

  /** Calls an exported function. */
  call(name: string, ...args: (number | bigint)[]): number {
    const f = this.functions[name];
    if (f === undefined) throw new Error(`the interpreter exports no function "${name}"`);
    return f(...args);
  }

  /** The address of exported data. */
  address(name: string): number {
    const global = this.globals[name];
    if (global === undefined) throw new Error(`the interpreter exports no data "${name}"`);
    return global.value as number;
  }

  private refresh(): void {
    if (this.bytes.buffer === this.memory.buffer) return;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
  }

  word(pointer: number): number {
    this.refresh();
    return this.view.getUint32(pointer >>> 0, true);
  }

  setWord(pointer: number, value: number): void {
    this.refresh();
    this.view.setUint32(pointer >>> 0, value, true);
  }

  /** Text at a pointer, up to the null byte or `maxBytes`. */
  text(pointer: number, maxBytes = 65_536): string {
    if (pointer === 0) return '';
    this.refresh();
    const start = pointer >>> 0;
    const slice = this.bytes.slice(start, start + maxBytes);
    const end = slice.indexOf(0);
    return decoder.decode(end < 0 ? slice : slice.subarray(0, end));
  }

  /** Allocates a null-ended copy of the text. Never freed: the memory is put back after the suite. */
  cString(text: string): number {
    const bytes = encoder.encode(text);
    const pointer = this.allocate(bytes.length + 1);
    this.refresh();
    this.bytes.set(bytes, pointer);
    this.bytes[pointer + bytes.length] = 0;
    return pointer;
  }

  /** Allocates zeroed bytes; throws a RangeError when the cap is reached. */
  allocate(size: number): number {
    const pointer = this.call('calloc', 1, size) >>> 0;
    if (pointer === 0) throw new RangeError(`the interpreter has no room for ${size} bytes`);
    return pointer;
  }

  /** Takes modules out of the interpreter's table of built-in ones: afterwards they do not exist. Before {@link start}. */
  hideModules(names: ReadonlySet<string>): void {
    const table = this.word(this.address('PyImport_Inittab'));
    let kept = table;
    for (let entry = table; this.word(entry) !== 0; entry += 8) {
      if (names.has(this.text(this.word(entry), 100))) continue;
      const [name, init] = [this.word(entry), this.word(entry + 4)];
      this.setWord(kept, name);
      this.setWord(kept + 4, init);
      kept += 8;
    }
    this.setWord(kept, 0);
    this.setWord(kept + 4, 0);
  }

  /** Starts Python from nothing. `hashSeed` fixes the order of sets of strings. */
  start(hashSeed: number): void {
    const config = this.call('PyInitConfig_Create');
    const check = (status: number): void => {
      if (status === 0) return;
      const message = this.allocate(4);
      this.call('PyInitConfig_GetError', config, message);
      throw new Error(`Python did not start: ${this.text(this.word(message))}`);
    };
    const setInt = (name: string, value: number): void =>
      check(this.call('PyInitConfig_SetInt', config, this.cString(name), BigInt(value)));
    const setText = (name: string, value: string): void =>
      check(this.call('PyInitConfig_SetStr', config, this.cString(name), this.cString(value)));
    setInt('utf8_mode', 1);
    setInt('use_hash_seed', 1);
    setInt('hash_seed', hashSeed);
    setInt('write_bytecode', 0);
    setInt('configure_c_stdio', 1);
    setInt('install_signal_handlers', 1);
    setText('program_name', '/usr/bin/python3');
    setText('executable', '/usr/bin/python3');
    for (const name of ['prefix', 'base_prefix', 'exec_prefix', 'base_exec_prefix']) setText(name, '/');
    setText('stdio_encoding', 'utf-8');
    setText('stdio_errors', 'strict');
    const paths = [LIBRARY_PATH, '/lib/python3.14', '/lib/python3.14/lib-dynload'].map((p) =>
      this.cString(p),
    );
    const list = this.allocate(paths.length * 4);
    paths.forEach((path, i) => this.setWord(list + i * 4, path));
    check(
      this.call('PyInitConfig_SetStrList', config, this.cString('module_search_paths'), paths.length, list),
    );
    check(this.call('Py_InitializeFromInitConfig', config));
    this.call('PyInitConfig_Free', config);
  }

  private trampolineAddress(): number {
    return this.address('_PyRuntime') + this.word(this.address('_PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET'));
  }

  /** Copies the state out; the same bytes whether the engine has a trampoline or not. */
  capture(): Image {
    this.setWord(this.trampolineAddress(), 0);
    const image = this.copyState();
    this.setWord(this.trampolineAddress(), this.trampoline);
    return image;
  }

  private copyState(): Image {
    this.refresh();
    const stackPointer = this.stackPointer.value as number;
    const top = this.call('sbrk', 0) >>> 0;
    return {
      stackPointer,
      top,
      statics: this.bytes.slice(0, this.layout.stackEnd),
      heap: this.bytes.slice(stackPointer, top),
    };
  }

  /** Takes a state that {@link restore} will return to; the image is kept and fitted to this engine, not copied. */
  setBaseline(image: Image): void {
    this.baseline = image;
    this.refresh();
    this.bytes.fill(0, this.layout.stackEnd, image.stackPointer);
    const { statics } = image;
    new DataView(statics.buffer, statics.byteOffset).setUint32(
      this.trampolineAddress(),
      this.trampoline,
      true,
    );
    this.restore();
  }

  /** Puts the whole memory back to the baseline, also what the heap grew by; files are the caller's (`calls.reset`). */
  restore(): void {
    const image = this.baseline;
    if (image === undefined) throw new Error('the interpreter has no baseline yet');
    this.refresh();
    // The word that holds the heap's end is inside `statics`: read it before it is put back.
    const usedTop = Math.max(this.heapEnd(), image.top);
    if (this.bytes.length < image.top) {
      this.memory.grow(Math.ceil((image.top - this.bytes.length) / 65_536));
      this.refresh();
    }
    this.bytes.set(image.statics, 0);
    this.clearStack(image.stackPointer);
    this.bytes.set(image.heap, image.stackPointer);
    if (usedTop > image.top) this.bytes.fill(0, image.top, Math.min(usedTop, this.bytes.length));
    this.stackPointer.value = image.stackPointer;
  }

  /**
   * Zeroes what calls left in the dead part of the stack. Its upper half megabyte always; the other nine and a half only
   * when the quarter below was touched: calls cannot get deeper without leaving something there.
   */
  private clearStack(stackPointer: number): void {
    const { stackEnd } = this.layout;
    const upper = Math.max(stackEnd, stackPointer - STACK_ALWAYS_BYTES);
    this.bytes.fill(0, upper, stackPointer);
    const probeEnd = Math.max(stackEnd, upper - STACK_PROBE_BYTES);
    for (let at = upper - 8; at >= probeEnd; at -= 64) {
      if (this.view.getUint32(at, true) === 0) continue;
      this.bytes.fill(0, stackEnd, upper);
      return;
    }
  }

  /** The end of the heap in use; the end of memory when the number there makes no sense (a candidate wrote to it). */
  private heapEnd(): number {
    const end = this.word(this.call('emscripten_get_sbrk_ptr'));
    return end >= this.layout.stackBase && end <= this.bytes.length ? end : this.bytes.length;
  }

  /** Bytes of memory that the machine holds; it never shrinks. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }
}
