/**
 * The files that a candidate sees: a small tree in memory, thrown away after every suite. Nothing here knows of the
 * browser's storage, so nothing can reach it. Errors are the numbers that the interpreter's C library expects.
 */

/** Error numbers of the interpreter's C library (WASI's numbering, as in Emscripten). */
export const ERRNO = {
  EACCES: 2,
  EBADF: 8,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EISDIR: 31,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: 44,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  ENOTTY: 59,
  EPERM: 63,
  EPIPE: 64,
  EROFS: 69,
  ESPIPE: 70,
  EXDEV: 75,
} as const;

/** A failed file operation; `errno` is positive. */
export class FileError extends Error {
  readonly errno: number;
  constructor(errno: number) {
    super(`file error ${errno}`);
    this.errno = errno;
  }
}

interface BaseNode {
  readonly inode: number;
  mode: number;
  modifiedMs: number;
}
export interface FileNode extends BaseNode {
  readonly kind: 'file';
  /** May be longer than the file; `size` counts. */
  bytes: Uint8Array;
  size: number;
  /** The bytes belong to the baseline: copy them before the first write. */
  shared: boolean;
}
export interface FolderNode extends BaseNode {
  readonly kind: 'folder';
  readonly children: Map<string, Node>;
}
export interface DeviceNode extends BaseNode {
  readonly kind: 'device';
  readonly device: 'null' | 'zero' | 'random' | 'stdin' | 'stdout' | 'stderr';
}
export interface PipeNode extends BaseNode {
  readonly kind: 'pipe';
  chunks: number[];
}
export type Node = FileNode | FolderNode | DeviceNode | PipeNode;

/** An open file. */
export interface Stream {
  readonly node: Node;
  readonly path: string;
  readonly flags: number;
  position: number;
}

export const OPEN = {
  ACCESS: 3,
  WRITE_ONLY: 1,
  READ_WRITE: 2,
  CREATE: 0o100,
  EXCLUSIVE: 0o200,
  TRUNCATE: 0o1000,
  APPEND: 0o2000,
  DIRECTORY: 0o200000,
} as const;

/** Bytes that a candidate may keep in files; beyond it writes fail with ENOSPC. */
const FILE_CAP_BYTES = 32 * 1024 * 1024;
const STREAM_CAP = 1024;

const MODE = { file: 0o100644, folder: 0o40755, device: 0o20666, pipe: 0o10600 } as const;
/** Every file's date: 2024-01-01, so that nothing depends on when the page was opened. */
const BASELINE_MS = 1_704_067_200_000;

/** The file system of one interpreter. */
export class Files {
  private readonly baseline: ReadonlyMap<string, Uint8Array>;
  private root!: FolderNode;
  private streams: (Stream | undefined)[] = [];
  private nextInode = 1;
  private changed = true;
  private usedBytes = 0;
  workingFolder = '/';
  private readonly home: string;

  /** `baseline` maps absolute paths to contents; `home` is the working folder that every suite starts in. */
  constructor(baseline: ReadonlyMap<string, Uint8Array>, home: string) {
    this.baseline = baseline;
    this.home = home;
    this.reset();
  }

  /** Back to the baseline: tree, open files and working folder. Cheap when no file was changed. */
  reset(): void {
    if (this.changed) {
      this.nextInode = 1;
      this.root = this.makeFolder();
      for (const folder of ['/tmp', '/dev', '/lib/python3.14/lib-dynload', this.home])
        this.makeFolders(folder);
      for (const [path, bytes] of this.baseline) {
        const cut = path.lastIndexOf('/');
        this.makeFolders(path.slice(0, cut)).children.set(path.slice(cut + 1), {
          kind: 'file',
          inode: this.nextInode++,
          mode: MODE.file,
          modifiedMs: BASELINE_MS,
          bytes,
          size: bytes.length,
          shared: true,
        });
      }
      const devices = this.makeFolders('/dev').children;
      for (const device of ['null', 'zero', 'random', 'stdin', 'stdout', 'stderr'] as const)
        devices.set(device, this.makeDevice(device));
      devices.set('urandom', this.makeDevice('random'));
      this.usedBytes = 0;
      this.changed = false;
    }
    const devices = (this.root.children.get('dev') as FolderNode).children;
    this.streams = (['stdin', 'stdout', 'stderr'] as const).map((name, i) => ({
      node: devices.get(name) as Node,
      path: `/dev/${name}`,
      flags: i === 0 ? 0 : OPEN.WRITE_ONLY,
      position: 0,
    }));
    this.workingFolder = this.home;
  }

  /** The absolute, normalised path. */
  resolve(path: string, folder = this.workingFolder): string {
    const parts: string[] = [];
    for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') parts.pop();
      else parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  /** The node at an absolute path. */
  find(path: string): Node {
    const node = this.tryFind(path);
    if (node === undefined) throw new FileError(ERRNO.ENOENT);
    return node;
  }

  private tryFind(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const part of path.split('/')) {
      if (part === '') continue;
      if (part.length > 255) throw new FileError(ERRNO.ENAMETOOLONG);
      if (node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
      node = node.children.get(part);
      if (node === undefined) return undefined;
    }
    return node;
  }

  private parentOf(path: string): { folder: FolderNode; name: string } {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1);
    if (name === '') throw new FileError(ERRNO.EEXIST);
    const folder = this.find(path.slice(0, cut));
    if (folder.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
    return { folder, name };
  }

  open(path: string, flags: number, mode: number): number {
    let node = this.tryFind(path);
    const writes = (flags & OPEN.ACCESS) !== 0;
    if (node === undefined) {
      if ((flags & OPEN.CREATE) === 0) throw new FileError(ERRNO.ENOENT);
      const { folder, name } = this.parentOf(path);
      node = {
        kind: 'file',
        inode: this.nextInode++,
        mode: 0o100000 | (mode & 0o777),
        modifiedMs: BASELINE_MS,
        bytes: new Uint8Array(0),
        size: 0,
        shared: false,
      };
      this.changed = true;
      folder.children.set(name, node);
    } else {
      if ((flags & OPEN.CREATE) !== 0 && (flags & OPEN.EXCLUSIVE) !== 0) throw new FileError(ERRNO.EEXIST);
      if (node.kind === 'folder' && writes) throw new FileError(ERRNO.EISDIR);
      if (node.kind !== 'folder' && (flags & OPEN.DIRECTORY) !== 0) throw new FileError(ERRNO.ENOTDIR);
      if (node.kind === 'file' && (flags & OPEN.TRUNCATE) !== 0 && writes) this.truncate(node, 0);
    }
    return this.addStream({ node, path, flags, position: 0 });
  }

  private addStream(stream: Stream, from = 0): number {
    for (let fd = from; fd < STREAM_CAP; fd++) {
      if (this.streams[fd] !== undefined) continue;
      this.streams[fd] = stream;
      return fd;
    }
    throw new FileError(ERRNO.EMFILE);
  }

  stream(fd: number): Stream {
    const stream = this.streams[fd];
    if (stream === undefined) throw new FileError(ERRNO.EBADF);
    return stream;
  }

  close(fd: number): void {
    this.stream(fd);
    this.streams[fd] = undefined;
  }

  /** A second number for the same open file, at least `from`. */
  duplicate(fd: number, from: number): number {
    return this.addStream(this.stream(fd), from);
  }

  duplicateTo(fd: number, target: number): number {
    if (target < 0 || target >= STREAM_CAP) throw new FileError(ERRNO.EBADF);
    this.streams[target] = this.stream(fd);
    return target;
  }

  pipe(): [number, number] {
    const node: PipeNode = {
      kind: 'pipe',
      inode: this.nextInode++,
      mode: MODE.pipe,
      modifiedMs: BASELINE_MS,
      chunks: [],
    };
    const read = this.addStream({ node, path: 'pipe', flags: 0, position: 0 });
    return [read, this.addStream({ node, path: 'pipe', flags: OPEN.WRITE_ONLY, position: 0 })];
  }

  /** Reads from a file or pipe at the stream's place, or at `at` without moving it. Devices are the caller's. */
  read(stream: Stream, target: Uint8Array, at?: number): number {
    const { node } = stream;
    if ((stream.flags & OPEN.ACCESS) === OPEN.WRITE_ONLY) throw new FileError(ERRNO.EBADF);
    if (node.kind === 'folder') throw new FileError(ERRNO.EISDIR);
    if (node.kind === 'pipe') {
      const taken = node.chunks.splice(0, target.length);
      target.set(taken);
      return taken.length;
    }
    if (node.kind !== 'file') throw new FileError(ERRNO.EINVAL);
    const from = at ?? stream.position;
    const count = Math.max(0, Math.min(target.length, node.size - from));
    if (count > 0) target.set(node.bytes.subarray(from, from + count));
    if (at === undefined) stream.position += count;
    return count;
  }

  write(stream: Stream, source: Uint8Array, at?: number): number {
    const { node } = stream;
    if ((stream.flags & OPEN.ACCESS) === 0) throw new FileError(ERRNO.EBADF);
    if (node.kind === 'pipe') {
      if (node.chunks.length + source.length > 65_536) throw new FileError(ERRNO.EPIPE);
      for (const byte of source) node.chunks.push(byte);
      return source.length;
    }
    if (node.kind !== 'file') throw new FileError(ERRNO.EINVAL);
    const from = at ?? ((stream.flags & OPEN.APPEND) !== 0 ? node.size : stream.position);
    this.makeRoom(node, from + source.length);
    node.bytes.set(source, from);
    node.size = Math.max(node.size, from + source.length);
    if (at === undefined) stream.position = from + source.length;
    return source.length;
  }

  truncate(node: Node, size: number): void {
    if (node.kind === 'folder') throw new FileError(ERRNO.EISDIR);
    if (node.kind !== 'file' || size < 0) throw new FileError(ERRNO.EINVAL);
    this.makeRoom(node, size);
    node.bytes.fill(0, Math.min(node.size, size));
    node.size = size;
  }

  private makeRoom(node: FileNode, size: number): void {
    this.changed = true;
    if (size <= node.bytes.length && !node.shared) return;
    const capacity = Math.max(size, node.shared ? node.size : node.bytes.length * 2, 256);
    this.usedBytes += capacity - (node.shared ? 0 : node.bytes.length);
    if (this.usedBytes > FILE_CAP_BYTES) {
      this.usedBytes -= capacity - (node.shared ? 0 : node.bytes.length);
      throw new FileError(ERRNO.ENOSPC);
    }
    const bytes = new Uint8Array(capacity);
    bytes.set(node.bytes.subarray(0, node.size));
    node.bytes = bytes;
    node.shared = false;
  }

  seek(stream: Stream, offset: number, whence: number): number {
    if (stream.node.kind === 'device' || stream.node.kind === 'pipe') throw new FileError(ERRNO.ESPIPE);
    const size = stream.node.kind === 'file' ? stream.node.size : 0;
    const base = whence === 0 ? 0 : whence === 1 ? stream.position : size;
    if (base + offset < 0) throw new FileError(ERRNO.EINVAL);
    stream.position = base + offset;
    return stream.position;
  }

  makeDirectory(path: string): void {
    if (this.tryFind(path) !== undefined) throw new FileError(ERRNO.EEXIST);
    const { folder, name } = this.parentOf(path);
    this.changed = true;
    folder.children.set(name, this.makeFolder());
  }

  remove(path: string, wanted: 'file' | 'folder'): void {
    const node = this.find(path);
    const { folder, name } = this.parentOf(path);
    if (wanted === 'folder') {
      if (node.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
      if (node.children.size > 0) throw new FileError(ERRNO.ENOTEMPTY);
    } else if (node.kind === 'folder') throw new FileError(ERRNO.EISDIR);
    this.changed = true;
    folder.children.delete(name);
  }

  rename(from: string, to: string): void {
    const node = this.find(from);
    const source = this.parentOf(from);
    const target = this.parentOf(to);
    if (`${to}/`.startsWith(`${from}/`) && from !== to) throw new FileError(ERRNO.EINVAL);
    const there = target.folder.children.get(target.name);
    if (there?.kind === 'folder') {
      if (node.kind !== 'folder') throw new FileError(ERRNO.EISDIR);
      if (there.children.size > 0) throw new FileError(ERRNO.ENOTEMPTY);
    } else if (there !== undefined && node.kind === 'folder') throw new FileError(ERRNO.ENOTDIR);
    this.changed = true;
    source.folder.children.delete(source.name);
    target.folder.children.set(target.name, node);
  }

  /** Marks the tree as changed by something other than this class's own writes (mode, dates). */
  touch(node: Node, change: { mode?: number; modifiedMs?: number }): void {
    this.changed = true;
    if (change.mode !== undefined) node.mode = (node.mode & ~0o7777) | (change.mode & 0o7777);
    if (change.modifiedMs !== undefined) node.modifiedMs = change.modifiedMs;
  }

  private makeFolder(): FolderNode {
    return {
      kind: 'folder',
      inode: this.nextInode++,
      mode: MODE.folder,
      modifiedMs: BASELINE_MS,
      children: new Map(),
    };
  }

  private makeDevice(device: DeviceNode['device']): DeviceNode {
    return { kind: 'device', inode: this.nextInode++, mode: MODE.device, modifiedMs: BASELINE_MS, device };
  }

  private makeFolders(path: string): FolderNode {
    let folder = this.root;
    for (const part of path.split('/')) {
      if (part === '') continue;
      let child = folder.children.get(part);
      if (child === undefined) folder.children.set(part, (child = this.makeFolder()));
      if (child.kind !== 'folder') throw new FileError(ERRNO.ENOTDIR);
      folder = child;
    }
    return folder;
  }
}
