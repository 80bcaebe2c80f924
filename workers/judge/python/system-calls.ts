/**
 * Everything that the interpreter can call in JavaScript: files in memory, clocks, a fixed stream of "random" bytes,
 * and growing its memory up to a cap. All other imports of the wasm (its bridge to JavaScript, sockets, GL, dynamic
 * linking) are refused: the call throws, which ends the candidate. There is no bridge here to escape through.
 */
import type { Files } from './files.ts';
import { ClockCalls } from './clock-calls.ts';
import { FileCalls } from './file-calls.ts';
import { ERRNO, FileError } from './files.ts';
import type { World } from './world.ts';

/** Thrown through the interpreter when it calls something that does not exist here. */
export class Refused extends Error {
  readonly what: string;
  constructor(what: string) {
    super(`the sandbox has no ${what}`);
    this.what = what;
  }
}

/** Thrown through the interpreter by `os._exit` and by an abort. */
export class Ended extends Error {
  readonly how: 'exit' | 'abort';
  readonly status: number;
  constructor(how: 'exit' | 'abort', status: number) {
    super(how === 'exit' ? `exit(${status})` : 'abort()');
    this.how = how;
    this.status = status;
  }
}

/** Standard streams of the suite that runs. */
export interface StandardStreams {
  input: Uint8Array;
  inputPosition: number;
  /** Kept output, standard output only when `keepErrors` is false. */
  output: Uint8Array;
  outputSize: number;
  /** All bytes written, kept or not. */
  writtenBytes: number;
}

/** What the calls need of the interpreter; set once it is instantiated. */
export interface Memory {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
}

/** A function that the interpreter imports. */
export type Import = (...args: never[]) => unknown;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The imports of one interpreter and the state behind them. */
export class SystemCalls {
  /** Set when the heap was refused more memory; whoever runs a test puts it back before. */
  memoryRefused = false;
  readonly files: Files;
  readonly streams: StandardStreams = {
    input: new Uint8Array(0),
    inputPosition: 0,
    output: new Uint8Array(0),
    outputSize: 0,
    writtenBytes: 0,
  };
  /** What was refused since the last reset; set before the throw, so that nothing in between can hide it. */
  refused: Refused | undefined;
  ended: Ended | undefined;
  readonly world: World;
  private machine!: Memory;
  private seed = 0;
  /** Views of the memory; {@link refresh} first, since they die when it grows. */
  view!: DataView;
  bytes!: Uint8Array;

  constructor(world: World, files: Files) {
    this.world = world;
    this.files = files;
  }

  attach(machine: Memory): void {
    this.machine = machine;
    this.refresh();
  }

  /** Back to how a suite starts: files, random bytes, streams. */
  reset(input: Uint8Array, outputCapBytes: number): void {
    this.files.reset();
    this.seed = 0;
    this.refused = undefined;
    this.ended = undefined;
    const { streams } = this;
    streams.input = input;
    streams.inputPosition = 0;
    if (streams.output.length !== outputCapBytes) streams.output = new Uint8Array(outputCapBytes);
    streams.outputSize = 0;
    streams.writtenBytes = 0;
  }

  /** The import object for `module`: implemented calls, and a refusal for every other one. */
  importsFor(module: WebAssembly.Module): WebAssembly.Imports {
    const own = this.calls();
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      const group = (imports[from] ??= {});
      if (kind === 'function') group[name] = (own[name] as (() => unknown) | undefined) ?? this.refusal(name);
      // Addresses of GL and console functions that do not exist here: the null function, which traps when called.
      else if (kind === 'global') group[name] = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
      else
        throw new Error(`the interpreter imports a ${kind} "${from}.${name}", which this host does not know`);
    }
    return imports;
  }

  private refusal(name: string): () => never {
    return () => {
      this.refused ??= new Refused(name);
      throw this.refused;
    };
  }

  refresh(): void {
    const { buffer } = this.machine.memory;
    if (this.bytes?.buffer === buffer) return;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
  }

  text(pointer: number): string {
    this.refresh();
    const start = pointer >>> 0;
    const end = this.bytes.indexOf(0, start);
    return decoder.decode(this.bytes.slice(start, end));
  }

  putText(text: string, pointer: number, capacity: number): number {
    this.refresh();
    const bytes = encoder.encode(text).subarray(0, capacity - 1);
    this.bytes.set(bytes, pointer >>> 0);
    this.bytes[(pointer >>> 0) + bytes.length] = 0;
    return bytes.length;
  }

  setInt(pointer: number, value: number): void {
    this.refresh();
    this.view.setInt32(pointer >>> 0, value, true);
  }

  /** Runs a file operation; a failure becomes the C library's negative number. */
  attempt(action: () => number | undefined): number {
    try {
      return action() ?? 0;
    } catch (thrown) {
      if (thrown instanceof FileError) return -thrown.errno;
      throw thrown;
    }
  }

  /** The same for WASI's calls, which return positive numbers. */
  attemptWasi(action: () => void): number {
    return -this.attempt(() => {
      action();
      return 0;
    });
  }

  /** The same bytes for every suite: xorshift32 from a fixed start. */
  random(target: Uint8Array): number {
    let x = this.seed === 0 ? 0x9e3779b9 : this.seed;
    for (let i = 0; i < target.length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      target[i] = x >>> 24;
    }
    this.seed = x;
    return target.length;
  }

  private grow(wantedBytes: number): number {
    const { memory } = this.machine;
    const wanted = wantedBytes >>> 0;
    if (wanted > this.world.memoryCapBytes) {
      this.memoryRefused = true;
      return 0;
    }
    const target = Math.min(this.world.memoryCapBytes, Math.max(wanted, memory.buffer.byteLength * 1.2));
    try {
      memory.grow(Math.ceil((target - memory.buffer.byteLength) / 65_536));
    } catch {
      this.memoryRefused = true;
      return 0; // The browser has no more memory: MemoryError in Python, as at the cap.
    }
    this.refresh();
    return 1;
  }

  private calls(): Record<string, Import> {
    const { world } = this;
    const unsupportedNetwork = (): number => -ERRNO.EACCES;
    const environment = Object.entries(world.environment).map(([name, value]) => `${name}=${value}`);
    return {
      ...new ClockCalls(this).calls(),
      ...new FileCalls(this).calls(),

      // Memory, the end of the process, and what the interpreter asks about where it runs.
      emscripten_resize_heap: (bytes: number) => this.grow(bytes),
      emscripten_get_heap_max: () => world.memoryCapBytes,
      exit: (status: number) => this.end('exit', status),
      proc_exit: (status: number) => this.end('exit', status),
      _abort_js: () => this.end('abort', 134),
      __assert_fail: () => this.end('abort', 134),
      emscripten_runtime_keepalive_push: () => undefined,
      emscripten_runtime_keepalive_pop: () => undefined,
      _emscripten_runtime_keepalive_clear: () => undefined,
      _emscripten_get_progname: (pointer: number, capacity: number) => {
        this.putText('python', pointer, capacity);
      },
      _Py_emscripten_runtime: () => 0,
      _Py_CheckEmscriptenSignals_Helper: () => 0,
      _PyEM_TrampolineCall_JS: (f: number, a: number, b: number, c: number) =>
        (this.machine.table.get(f) as (a: number, b: number, c: number) => unknown)(a, b, c),
      __call_sighandler: (f: number, signal: number) =>
        (this.machine.table.get(f) as (signal: number) => unknown)(signal),
      environ_sizes_get: (count: number, size: number) => {
        this.setInt(count, environment.length);
        this.setInt(
          size,
          environment.reduce((sum, line) => sum + encoder.encode(line).length + 1, 0),
        );
        return 0;
      },
      environ_get: (pointers: number, buffer: number) => {
        let p = buffer >>> 0;
        environment.forEach((line, i) => {
          this.setInt((pointers >>> 0) + i * 4, p);
          p += this.putText(line, p, 65_536) + 1;
        });
        return 0;
      },
      random_get: (pointer: number, length: number) => {
        this.refresh();
        this.random(this.bytes.subarray(pointer >>> 0, (pointer >>> 0) + length));
        return 0;
      },

      // Network and processes: refused as a system without them does, so that code which copes goes on.
      __syscall_socket: unsupportedNetwork,
      __syscall_connect: unsupportedNetwork,
      __syscall_bind: unsupportedNetwork,
      __syscall_listen: unsupportedNetwork,
      __syscall_accept4: unsupportedNetwork,
      __syscall_getpeername: unsupportedNetwork,
      __syscall_getsockname: unsupportedNetwork,
      __syscall_getsockopt: unsupportedNetwork,
      __syscall_recvfrom: unsupportedNetwork,
      __syscall_recvmsg: unsupportedNetwork,
      __syscall_sendmsg: unsupportedNetwork,
      __syscall_sendto: unsupportedNetwork,
      getaddrinfo: () => -2,
      getnameinfo: () => -2,
      getprotobyname: () => 0,
      _emscripten_lookup_name: () => 0,
      _emscripten_system: () => -ERRNO.ENOSYS,
      _dlopen_js: () => 0,
      _dlsym_js: () => 0,
      // A constructor of the JavaScript bridge asks for a table at start; nothing ever uses it.
      __hiwire_deduplicate_new: () => null,
      // Hooks that ask whether JavaScript handles a socket itself: it never does.
      _try_fcntl64: () => 0,
      _try_shutdown: () => 0,
      _maybe_poll_async: () => null,
      _maybe_connect_async: () => null,
      _maybe_recvfrom_async: () => null,
      _maybe_sendto_async: () => null,
    } satisfies Record<string, Import>;
  }

  private end(how: 'exit' | 'abort', status: number): never {
    this.ended ??= new Ended(how, status);
    throw this.ended;
  }
}
