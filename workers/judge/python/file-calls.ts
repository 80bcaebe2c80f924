/** The interpreter's calls on files, mapped to {@link Files}. */
import { ERRNO, FileError, OPEN, type Node, type Stream } from './files.ts';
import type { Import, SystemCalls } from './system-calls.ts';

const encoder = new TextEncoder();

/** Calls about files, folders and standard streams. */
export class FileCalls {
  private readonly host: SystemCalls;

  constructor(host: SystemCalls) {
    this.host = host;
  }

  calls(): Record<string, Import> {
    const { files } = this.host;
    const vararg = (pointer: number): number => {
      this.host.refresh();
      return this.host.view.getInt32(pointer >>> 0, true);
    };
    return {
      fd_read: (fd: number, vectors: number, count: number, result: number) =>
        this.host.attemptWasi(() => {
          const stream = files.stream(fd);
          let total = 0;
          for (const target of this.vectors(vectors, count)) {
            const read = this.readInto(stream, target);
            total += read;
            if (read < target.length) break;
          }
          this.host.setInt(result, total);
        }),
      fd_write: (fd: number, vectors: number, count: number, result: number) =>
        this.host.attemptWasi(() => {
          const stream = files.stream(fd);
          let total = 0;
          for (const source of this.vectors(vectors, count)) total += this.writeFrom(stream, source);
          this.host.setInt(result, total);
        }),
      fd_pread: (fd: number, vectors: number, count: number, offset: bigint, result: number) =>
        this.host.attemptWasi(() => {
          let at = Number(offset);
          for (const target of this.vectors(vectors, count))
            at += this.readInto(files.stream(fd), target, at);
          this.host.setInt(result, at - Number(offset));
        }),
      fd_pwrite: (fd: number, vectors: number, count: number, offset: bigint, result: number) =>
        this.host.attemptWasi(() => {
          let at = Number(offset);
          for (const source of this.vectors(vectors, count))
            at += this.writeFrom(files.stream(fd), source, at);
          this.host.setInt(result, at - Number(offset));
        }),
      fd_seek: (fd: number, offset: bigint, whence: number, result: number) =>
        this.host.attemptWasi(() => {
          const position = files.seek(files.stream(fd), Number(offset), whence);
          this.host.refresh();
          this.host.view.setBigInt64(result >>> 0, BigInt(position), true);
        }),
      fd_close: (fd: number) => this.host.attemptWasi(() => files.close(fd)),
      fd_sync: (fd: number) => this.host.attemptWasi(() => void files.stream(fd)),
      fd_fdstat_get: (fd: number, pointer: number) =>
        this.host.attemptWasi(() => {
          const { kind } = files.stream(fd).node;
          this.host.refresh();
          this.host.bytes.fill(0, pointer >>> 0, (pointer >>> 0) + 24);
          // Devices are told apart from terminals (2): as when the streams of a process are pipes.
          this.host.bytes[pointer >>> 0] = { device: 6, folder: 3, file: 4, pipe: 6 }[kind];
        }),
      __syscall_openat: (folder: number, path: number, flags: number, varargs: number) =>
        this.host.attempt(() =>
          files.open(this.at(folder, path), flags, varargs === 0 ? 0 : vararg(varargs)),
        ),
      __syscall_stat64: (path: number, pointer: number) =>
        this.host.attempt(() => this.putStat(files.find(this.at(-100, path)), pointer)),
      __syscall_lstat64: (path: number, pointer: number) =>
        this.host.attempt(() => this.putStat(files.find(this.at(-100, path)), pointer)),
      __syscall_fstat64: (fd: number, pointer: number) =>
        this.host.attempt(() => this.putStat(files.stream(fd).node, pointer)),
      __syscall_newfstatat: (folder: number, path: number, pointer: number, flags: number) =>
        this.host.attempt(() =>
          this.putStat(files.find(this.at(folder, path, (flags & 4096) !== 0)), pointer),
        ),
      __syscall_faccessat: (folder: number, path: number) =>
        this.host.attempt(() => {
          files.find(this.at(folder, path));
          return 0;
        }),
      __syscall_getcwd: (pointer: number, capacity: number) => {
        if (encoder.encode(files.workingFolder).length + 1 > capacity) return -68;
        return this.host.putText(files.workingFolder, pointer, capacity) + 1;
      },
      __syscall_chdir: (path: number) =>
        this.host.attempt(() => {
          const target = this.at(-100, path);
          if (files.find(target).kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
          files.workingFolder = target;
          return 0;
        }),
      __syscall_fchdir: (fd: number) =>
        this.host.attempt(() => {
          const stream = files.stream(fd);
          if (stream.node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
          files.workingFolder = stream.path;
          return 0;
        }),
      __syscall_getdents64: (fd: number, pointer: number, capacity: number) =>
        this.host.attempt(() => this.directoryEntries(fd, pointer, capacity)),
      __syscall_mkdirat: (folder: number, path: number) =>
        this.host.attempt(() => void files.makeDirectory(this.at(folder, path)) as undefined),
      __syscall_rmdir: (path: number) =>
        this.host.attempt(() => void files.remove(this.at(-100, path), 'folder') as undefined),
      __syscall_unlinkat: (folder: number, path: number, flags: number) =>
        this.host.attempt(
          () => void files.remove(this.at(folder, path), flags === 512 ? 'folder' : 'file') as undefined,
        ),
      __syscall_renameat: (fromFolder: number, from: number, toFolder: number, to: number) =>
        this.host.attempt(
          () => void files.rename(this.at(fromFolder, from), this.at(toFolder, to)) as undefined,
        ),
      __syscall_readlinkat: (folder: number, path: number) =>
        this.host.attempt(() => {
          files.find(this.at(folder, path));
          return -ERRNO.EINVAL; // There are no links here.
        }),
      __syscall_symlinkat: () => -ERRNO.EPERM,
      __syscall_mknodat: () => -ERRNO.EPERM,
      __syscall_chmod: (path: number, mode: number) =>
        this.host.attempt(() => void files.touch(files.find(this.at(-100, path)), { mode }) as undefined),
      __syscall_fchmod: (fd: number, mode: number) =>
        this.host.attempt(() => void files.touch(files.stream(fd).node, { mode }) as undefined),
      __syscall_fchmodat2: (folder: number, path: number, mode: number) =>
        this.host.attempt(() => void files.touch(files.find(this.at(folder, path)), { mode }) as undefined),
      __syscall_fchown32: () => 0,
      __syscall_fchownat: () => 0,
      __syscall_utimensat: (folder: number, path: number, times: number) =>
        this.host.attempt(() => {
          const node = files.find(this.at(folder, path, true));
          this.host.refresh();
          const modifiedMs =
            times === 0 ? Date.now() : Number(this.host.view.getBigInt64((times >>> 0) + 16, true)) * 1000;
          files.touch(node, { modifiedMs });
          return 0;
        }),
      __syscall_ftruncate64: (fd: number, size: bigint) =>
        this.host.attempt(() => {
          const stream = files.stream(fd);
          if ((stream.flags & OPEN.ACCESS) === 0) throw new FileError(ERRNO.EINVAL);
          files.truncate(stream.node, Number(size));
          return 0;
        }),
      __syscall_truncate64: (path: number, size: bigint) =>
        this.host.attempt(
          () => void files.truncate(files.find(this.at(-100, path)), Number(size)) as undefined,
        ),
      __syscall_fdatasync: () => 0,
      __syscall_fadvise64: () => 0,
      __syscall_fallocate: () => -138,
      __syscall_fcntl64: (fd: number, command: number, varargs: number) =>
        this.host.attempt(() => {
          const stream = files.stream(fd);
          if (command === 0 || command === 1030) return files.duplicate(fd, vararg(varargs));
          if (command === 3) return stream.flags;
          return command === 1 || command === 2 || command === 4 ? 0 : -ERRNO.EINVAL;
        }),
      __syscall_dup: (fd: number) => this.host.attempt(() => files.duplicate(fd, 0)),
      __syscall_dup3: (fd: number, target: number) => this.host.attempt(() => files.duplicateTo(fd, target)),
      __syscall_ioctl: (fd: number) =>
        this.host.attempt(() => {
          files.stream(fd);
          return -ERRNO.ENOTTY;
        }),
      __syscall_pipe: (pointer: number) =>
        this.host.attempt(() => {
          const [read, write] = files.pipe();
          this.host.setInt(pointer, read);
          this.host.setInt((pointer >>> 0) + 4, write);
          return 0;
        }),
      __syscall_poll: (pointer: number, count: number) => {
        this.host.refresh();
        for (let i = 0; i < count; i++)
          this.host.view.setInt16(
            (pointer >>> 0) + i * 8 + 6,
            this.host.view.getInt16((pointer >>> 0) + i * 8 + 4, true),
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
    } satisfies Record<string, Import>;
  }

  private at(folderFd: number, pointer: number, allowEmpty = false): string {
    const path = this.host.text(pointer);
    if (path === '' && !allowEmpty) throw new FileError(ERRNO.ENOENT);
    if (path.startsWith('/') || folderFd === -100) return this.host.files.resolve(path);
    return this.host.files.resolve(path, this.host.files.stream(folderFd).path);
  }

  private putStat(node: Node, pointer: number): number {
    this.host.refresh();
    const { view } = this.host;
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
    this.host.refresh();
    for (let i = 0; i < count; i++) {
      const start = this.host.view.getUint32((pointer >>> 0) + i * 8, true);
      const length = this.host.view.getUint32((pointer >>> 0) + i * 8 + 4, true);
      yield this.host.bytes.subarray(start, start + length);
    }
  }

  private readInto(stream: Stream, target: Uint8Array, at?: number): number {
    if (stream.node.kind !== 'device') return this.host.files.read(stream, target, at);
    if (stream.node.device === 'zero') return target.fill(0).length;
    if (stream.node.device === 'random') return this.host.random(target);
    if (stream.node.device !== 'stdin') return 0;
    const { streams } = this.host;
    const chunk = streams.input.subarray(streams.inputPosition, streams.inputPosition + target.length);
    target.set(chunk);
    streams.inputPosition += chunk.length;
    return chunk.length;
  }

  private writeFrom(stream: Stream, source: Uint8Array, at?: number): number {
    if (stream.node.kind !== 'device') return this.host.files.write(stream, source, at);
    if (stream.node.device === 'stdout') {
      const { streams } = this.host;
      streams.writtenBytes += source.length;
      const kept = source.subarray(0, streams.output.length - streams.outputSize);
      streams.output.set(kept, streams.outputSize);
      streams.outputSize += kept.length;
    }
    return source.length;
  }

  private directoryEntries(fd: number, pointer: number, capacity: number): number {
    const RECORD_BYTES = 280;
    const stream = this.host.files.stream(fd);
    if (stream.node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
    const names: [string, Node][] = [['.', stream.node], ['..', stream.node], ...stream.node.children];
    this.host.refresh();
    let index = Math.floor(stream.position / RECORD_BYTES);
    let written = 0;
    for (; index < names.length && written + RECORD_BYTES <= capacity; index++) {
      const [name, node] = names[index] as [string, Node];
      const p = (pointer >>> 0) + written;
      this.host.view.setBigInt64(p, BigInt(node.inode), true);
      this.host.view.setBigInt64(p + 8, BigInt((index + 1) * RECORD_BYTES), true);
      this.host.view.setInt16(p + 16, RECORD_BYTES, true);
      this.host.bytes[p + 18] = { device: 2, folder: 4, file: 8, pipe: 1 }[node.kind];
      this.host.putText(name, p + 19, 256);
      written += RECORD_BYTES;
    }
    stream.position = index * RECORD_BYTES;
    return written;
  }
}
