/**
 * Everything that the interpreter can call in JavaScript: files in memory, clocks, a fixed stream of "random" bytes,
 * and growing its memory up to a cap. All other imports of the wasm (its bridge to JavaScript, sockets, GL, dynamic
 * linking) are refused: the call throws, which ends the candidate. There is no bridge here to escape through.
 */
import type { Files } from './files.ts';
import { ERRNO, FileError, OPEN, type Node, type Stream } from './files.ts';

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

/** How the interpreter's world is set. */
export interface World {
  /** Minutes east of UTC that local time has; 0 in the first environment. */
  readonly offsetMinutes: number;
  /** Name of the zone, at most 16 characters. */
  readonly zoneName: string;
  /** Bytes of memory beyond which the heap does not grow (MemoryError in Python). */
  readonly memoryCapBytes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A clock that stands still at a fixed date, so that building the image twice gives the same bytes. Default: real. */
  readonly clock?: 'real' | 'fixed';
}

/** The first environment: what verdicts mean unless something else is said. */
export const FIRST_WORLD: World = {
  offsetMinutes: 0,
  zoneName: 'UTC',
  memoryCapBytes: 512 * 1024 * 1024,
  environment: {
    HOME: '/home/candidate',
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    PYTHONHASHSEED: '0',
    TZ: 'UTC',
  },
};

/** The second environment, for finding verdicts that depend on the platform: another zone, another order of sets. */
export const SECOND_WORLD: World = {
  ...FIRST_WORLD,
  offsetMinutes: 345,
  zoneName: '+0545',
  environment: { ...FIRST_WORLD.environment, PYTHONHASHSEED: '1', TZ: 'Asia/Kathmandu' },
};

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

type Import = (...args: never[]) => unknown;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The imports of one interpreter and the state behind them. */
export class SystemCalls {
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
  private readonly world: World;
  private machine!: Memory;
  private seed = 0;
  private view!: DataView;
  private bytes!: Uint8Array;

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

  private refresh(): void {
    const { buffer } = this.machine.memory;
    if (this.bytes?.buffer === buffer) return;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
  }

  private text(pointer: number): string {
    this.refresh();
    const start = pointer >>> 0;
    const end = this.bytes.indexOf(0, start);
    return decoder.decode(this.bytes.slice(start, end));
  }

  private putText(text: string, pointer: number, capacity: number): number {
    this.refresh();
    const bytes = encoder.encode(text).subarray(0, capacity - 1);
    this.bytes.set(bytes, pointer >>> 0);
    this.bytes[(pointer >>> 0) + bytes.length] = 0;
    return bytes.length;
  }

  private setInt(pointer: number, value: number): void {
    this.refresh();
    this.view.setInt32(pointer >>> 0, value, true);
  }

  /** Runs a file operation; a failure becomes the C library's negative number. */
  private attempt(action: () => number | undefined): number {
    try {
      return action() ?? 0;
    } catch (thrown) {
      if (thrown instanceof FileError) return -thrown.errno;
      throw thrown;
    }
  }

  /** The same for WASI's calls, which return positive numbers. */
  private attemptWasi(action: () => void): number {
    return -this.attempt(() => {
      action();
      return 0;
    });
  }

  private at(folderFd: number, pointer: number, allowEmpty = false): string {
    const path = this.text(pointer);
    if (path === '' && !allowEmpty) throw new FileError(ERRNO.ENOENT);
    if (path.startsWith('/') || folderFd === -100) return this.files.resolve(path);
    return this.files.resolve(path, this.files.stream(folderFd).path);
  }

  private putStat(node: Node, pointer: number): number {
    this.refresh();
    const { view } = this;
    const p = pointer >>> 0;
    const size = node.kind === 'file' ? node.size : node.kind === 'folder' ? 4096 : 0;
    view.setUint32(p, 1, true);
    view.setUint32(p + 4, node.mode, true);
    view.setUint32(p + 8, 1, true);
    view.setUint32(p + 12, 1000, true);
    view.setUint32(p + 16, 1000, true);
    view.setUint32(p + 20, node.kind === 'device' ? 259 : 0, true);
    view.setBigInt64(p + 24, BigInt(size), true);
    view.setInt32(p + 32, 4096, true);
    view.setInt32(p + 36, Math.ceil(size / 512), true);
    for (const offset of [40, 56, 72]) {
      view.setBigInt64(p + offset, BigInt(Math.floor(node.modifiedMs / 1000)), true);
      view.setUint32(p + offset + 8, Math.floor((node.modifiedMs % 1000) * 1e6), true);
    }
    view.setBigInt64(p + 88, BigInt(node.inode), true);
    return 0;
  }

  private *vectors(pointer: number, count: number): Generator<Uint8Array> {
    this.refresh();
    for (let i = 0; i < count; i++) {
      const start = this.view.getUint32((pointer >>> 0) + i * 8, true);
      const length = this.view.getUint32((pointer >>> 0) + i * 8 + 4, true);
      yield this.bytes.subarray(start, start + length);
    }
  }

  private readInto(stream: Stream, target: Uint8Array, at?: number): number {
    if (stream.node.kind !== 'device') return this.files.read(stream, target, at);
    if (stream.node.device === 'zero') return target.fill(0).length;
    if (stream.node.device === 'random') return this.random(target);
    if (stream.node.device !== 'stdin') return 0;
    const { streams } = this;
    const chunk = streams.input.subarray(streams.inputPosition, streams.inputPosition + target.length);
    target.set(chunk);
    streams.inputPosition += chunk.length;
    return chunk.length;
  }

  private writeFrom(stream: Stream, source: Uint8Array, at?: number): number {
    if (stream.node.kind !== 'device') return this.files.write(stream, source, at);
    if (stream.node.device === 'stdout') {
      const { streams } = this;
      streams.writtenBytes += source.length;
      const kept = source.subarray(0, streams.output.length - streams.outputSize);
      streams.output.set(kept, streams.outputSize);
      streams.outputSize += kept.length;
    }
    return source.length;
  }

  /** The same bytes for every suite: xorshift32 from a fixed start. */
  private random(target: Uint8Array): number {
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

  private putTime(seconds: bigint, pointer: number, offsetMinutes: number): void {
    this.refresh();
    const local = new Date((Number(seconds) + offsetMinutes * 60) * 1000);
    const p = pointer >>> 0;
    const year = local.getUTCFullYear();
    const fields = [
      local.getUTCSeconds(),
      local.getUTCMinutes(),
      local.getUTCHours(),
      local.getUTCDate(),
      local.getUTCMonth(),
      year - 1900,
      local.getUTCDay(),
      Math.floor(
        (Date.UTC(year, local.getUTCMonth(), local.getUTCDate()) - Date.UTC(year, 0, 1)) / 86_400_000,
      ),
      0,
      offsetMinutes * 60,
    ];
    fields.forEach((value, i) => this.view.setInt32(p + i * 4, value, true));
  }

  private takeTime(pointer: number, offsetMinutes: number): bigint {
    this.refresh();
    const p = pointer >>> 0;
    const field = (i: number): number => this.view.getInt32(p + i * 4, true);
    const date = new Date(0);
    date.setUTCFullYear(field(5) + 1900, field(4), field(3));
    date.setUTCHours(field(2), field(1), field(0));
    const seconds = Math.floor(date.getTime() / 1000) - offsetMinutes * 60;
    if (!Number.isFinite(seconds)) return -1n;
    this.putTime(BigInt(seconds), pointer, offsetMinutes);
    return BigInt(seconds);
  }

  private directoryEntries(fd: number, pointer: number, capacity: number): number {
    const RECORD_BYTES = 280;
    const stream = this.files.stream(fd);
    if (stream.node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
    const names: [string, Node][] = [['.', stream.node], ['..', stream.node], ...stream.node.children];
    this.refresh();
    let index = Math.floor(stream.position / RECORD_BYTES);
    let written = 0;
    for (; index < names.length && written + RECORD_BYTES <= capacity; index++) {
      const [name, node] = names[index] as [string, Node];
      const p = (pointer >>> 0) + written;
      this.view.setBigInt64(p, BigInt(node.inode), true);
      this.view.setBigInt64(p + 8, BigInt((index + 1) * RECORD_BYTES), true);
      this.view.setInt16(p + 16, RECORD_BYTES, true);
      this.bytes[p + 18] = { device: 2, folder: 4, file: 8, pipe: 1 }[node.kind];
      this.putText(name, p + 19, 256);
      written += RECORD_BYTES;
    }
    stream.position = index * RECORD_BYTES;
    return written;
  }

  private grow(wantedBytes: number): number {
    const { memory } = this.machine;
    const wanted = wantedBytes >>> 0;
    if (wanted > this.world.memoryCapBytes) return 0;
    const target = Math.min(this.world.memoryCapBytes, Math.max(wanted, memory.buffer.byteLength * 1.2));
    try {
      memory.grow(Math.ceil((target - memory.buffer.byteLength) / 65_536));
    } catch {
      return 0; // The browser has no more memory: MemoryError in Python, as at the cap.
    }
    this.refresh();
    return 1;
  }

  private calls(): Record<string, Import> {
    const { files, world } = this;
    const fixed = world.clock === 'fixed';
    const now = fixed ? (): number => 0 : (): number => performance.now();
    const today = fixed ? (): number => 1_704_067_200_000 : (): number => Date.now();
    const unsupportedNetwork = (): number => -ERRNO.EACCES;
    const environment = Object.entries(world.environment).map(([name, value]) => `${name}=${value}`);
    const vararg = (pointer: number): number => {
      this.refresh();
      return this.view.getInt32(pointer >>> 0, true);
    };
    return {
      // Clocks.
      emscripten_get_now: now,
      emscripten_date_now: today,
      clock_time_get: (clock: number, _precision: bigint, pointer: number) => {
        if (clock < 0 || clock > 3) return ERRNO.EINVAL;
        const nowMs = clock === 0 ? today() : now();
        this.refresh();
        this.view.setBigInt64(pointer >>> 0, BigInt(Math.round(nowMs * 1e6)), true);
        return 0;
      },
      clock_res_get: (_clock: number, pointer: number) => {
        this.refresh();
        this.view.setBigInt64(pointer >>> 0, 1_000_000n, true);
        return 0;
      },
      _gmtime_js: (seconds: bigint, pointer: number) => this.putTime(seconds, pointer, 0),
      _localtime_js: (seconds: bigint, pointer: number) =>
        this.putTime(seconds, pointer, world.offsetMinutes),
      _timegm_js: (pointer: number) => this.takeTime(pointer, 0),
      _mktime_js: (pointer: number) => this.takeTime(pointer, world.offsetMinutes),
      _tzset_js: (zone: number, daylight: number, standard: number, summer: number) => {
        this.setInt(zone, -world.offsetMinutes * 60);
        this.setInt(daylight, 0);
        this.putText(world.zoneName, standard, 17);
        this.putText(world.zoneName, summer, 17);
      },
      _setitimer_js: () => 0,

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

      // Files.
      fd_read: (fd: number, vectors: number, count: number, result: number) =>
        this.attemptWasi(() => {
          const stream = files.stream(fd);
          let total = 0;
          for (const target of this.vectors(vectors, count)) {
            const read = this.readInto(stream, target);
            total += read;
            if (read < target.length) break;
          }
          this.setInt(result, total);
        }),
      fd_write: (fd: number, vectors: number, count: number, result: number) =>
        this.attemptWasi(() => {
          const stream = files.stream(fd);
          let total = 0;
          for (const source of this.vectors(vectors, count)) total += this.writeFrom(stream, source);
          this.setInt(result, total);
        }),
      fd_pread: (fd: number, vectors: number, count: number, offset: bigint, result: number) =>
        this.attemptWasi(() => {
          let at = Number(offset);
          for (const target of this.vectors(vectors, count))
            at += this.readInto(files.stream(fd), target, at);
          this.setInt(result, at - Number(offset));
        }),
      fd_pwrite: (fd: number, vectors: number, count: number, offset: bigint, result: number) =>
        this.attemptWasi(() => {
          let at = Number(offset);
          for (const source of this.vectors(vectors, count))
            at += this.writeFrom(files.stream(fd), source, at);
          this.setInt(result, at - Number(offset));
        }),
      fd_seek: (fd: number, offset: bigint, whence: number, result: number) =>
        this.attemptWasi(() => {
          const position = files.seek(files.stream(fd), Number(offset), whence);
          this.refresh();
          this.view.setBigInt64(result >>> 0, BigInt(position), true);
        }),
      fd_close: (fd: number) => this.attemptWasi(() => files.close(fd)),
      fd_sync: (fd: number) => this.attemptWasi(() => void files.stream(fd)),
      fd_fdstat_get: (fd: number, pointer: number) =>
        this.attemptWasi(() => {
          const { kind } = files.stream(fd).node;
          this.refresh();
          this.bytes.fill(0, pointer >>> 0, (pointer >>> 0) + 24);
          // Devices are told apart from terminals (2): as when the streams of a process are pipes.
          this.bytes[pointer >>> 0] = { device: 6, folder: 3, file: 4, pipe: 6 }[kind];
        }),
      __syscall_openat: (folder: number, path: number, flags: number, varargs: number) =>
        this.attempt(() => files.open(this.at(folder, path), flags, varargs === 0 ? 0 : vararg(varargs))),
      __syscall_stat64: (path: number, pointer: number) =>
        this.attempt(() => this.putStat(files.find(this.at(-100, path)), pointer)),
      __syscall_lstat64: (path: number, pointer: number) =>
        this.attempt(() => this.putStat(files.find(this.at(-100, path)), pointer)),
      __syscall_fstat64: (fd: number, pointer: number) =>
        this.attempt(() => this.putStat(files.stream(fd).node, pointer)),
      __syscall_newfstatat: (folder: number, path: number, pointer: number, flags: number) =>
        this.attempt(() => this.putStat(files.find(this.at(folder, path, (flags & 4096) !== 0)), pointer)),
      __syscall_faccessat: (folder: number, path: number) =>
        this.attempt(() => {
          files.find(this.at(folder, path));
          return 0;
        }),
      __syscall_getcwd: (pointer: number, capacity: number) => {
        if (encoder.encode(files.workingFolder).length + 1 > capacity) return -68;
        return this.putText(files.workingFolder, pointer, capacity) + 1;
      },
      __syscall_chdir: (path: number) =>
        this.attempt(() => {
          const target = this.at(-100, path);
          if (files.find(target).kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
          files.workingFolder = target;
          return 0;
        }),
      __syscall_fchdir: (fd: number) =>
        this.attempt(() => {
          const stream = files.stream(fd);
          if (stream.node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
          files.workingFolder = stream.path;
          return 0;
        }),
      __syscall_getdents64: (fd: number, pointer: number, capacity: number) =>
        this.attempt(() => this.directoryEntries(fd, pointer, capacity)),
      __syscall_mkdirat: (folder: number, path: number) =>
        this.attempt(() => void files.makeDirectory(this.at(folder, path)) as undefined),
      __syscall_rmdir: (path: number) =>
        this.attempt(() => void files.remove(this.at(-100, path), 'folder') as undefined),
      __syscall_unlinkat: (folder: number, path: number, flags: number) =>
        this.attempt(
          () => void files.remove(this.at(folder, path), flags === 512 ? 'folder' : 'file') as undefined,
        ),
      __syscall_renameat: (fromFolder: number, from: number, toFolder: number, to: number) =>
        this.attempt(() => void files.rename(this.at(fromFolder, from), this.at(toFolder, to)) as undefined),
      __syscall_readlinkat: (folder: number, path: number) =>
        this.attempt(() => {
          files.find(this.at(folder, path));
          return -ERRNO.EINVAL; // There are no links here.
        }),
      __syscall_symlinkat: () => -ERRNO.EPERM,
      __syscall_mknodat: () => -ERRNO.EPERM,
      __syscall_chmod: (path: number, mode: number) =>
        this.attempt(() => void files.touch(files.find(this.at(-100, path)), { mode }) as undefined),
      __syscall_fchmod: (fd: number, mode: number) =>
        this.attempt(() => void files.touch(files.stream(fd).node, { mode }) as undefined),
      __syscall_fchmodat2: (folder: number, path: number, mode: number) =>
        this.attempt(() => void files.touch(files.find(this.at(folder, path)), { mode }) as undefined),
      __syscall_fchown32: () => 0,
      __syscall_fchownat: () => 0,
      __syscall_utimensat: (folder: number, path: number, times: number) =>
        this.attempt(() => {
          const node = files.find(this.at(folder, path, true));
          this.refresh();
          const modifiedMs =
            times === 0 ? Date.now() : Number(this.view.getBigInt64((times >>> 0) + 16, true)) * 1000;
          files.touch(node, { modifiedMs });
          return 0;
        }),
      __syscall_ftruncate64: (fd: number, size: bigint) =>
        this.attempt(() => {
          const stream = files.stream(fd);
          if ((stream.flags & OPEN.ACCESS) === 0) throw new FileError(ERRNO.EINVAL);
          files.truncate(stream.node, Number(size));
          return 0;
        }),
      __syscall_truncate64: (path: number, size: bigint) =>
        this.attempt(() => void files.truncate(files.find(this.at(-100, path)), Number(size)) as undefined),
      __syscall_fdatasync: () => 0,
      __syscall_fadvise64: () => 0,
      __syscall_fallocate: () => -138,
      __syscall_fcntl64: (fd: number, command: number, varargs: number) =>
        this.attempt(() => {
          const stream = files.stream(fd);
          if (command === 0 || command === 1030) return files.duplicate(fd, vararg(varargs));
          if (command === 3) return stream.flags;
          return command === 1 || command === 2 || command === 4 ? 0 : -ERRNO.EINVAL;
        }),
      __syscall_dup: (fd: number) => this.attempt(() => files.duplicate(fd, 0)),
      __syscall_dup3: (fd: number, target: number) => this.attempt(() => files.duplicateTo(fd, target)),
      __syscall_ioctl: (fd: number) =>
        this.attempt(() => {
          files.stream(fd);
          return -ERRNO.ENOTTY;
        }),
      __syscall_pipe: (pointer: number) =>
        this.attempt(() => {
          const [read, write] = files.pipe();
          this.setInt(pointer, read);
          this.setInt((pointer >>> 0) + 4, write);
          return 0;
        }),
      __syscall_poll: (pointer: number, count: number) => {
        this.refresh();
        for (let i = 0; i < count; i++)
          this.view.setInt16(
            (pointer >>> 0) + i * 8 + 6,
            this.view.getInt16((pointer >>> 0) + i * 8 + 4, true),
            true,
          );
        return count;
      },
      __syscall_statfs64: () => -ERRNO.ENOSYS,
      __syscall_fstatfs64: () => -ERRNO.ENOSYS,
      __syscall_getuid32_js: () => 1000,
      __syscall_umask_js: () => 0o022,
      _mmap_js: () => -ERRNO.ENOSYS,
      _munmap_js: () => 0,
      _msync_js: () => 0,

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
