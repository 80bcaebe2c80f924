import { configure, Reader, ZipReader, type Entry, type FileEntry } from '@zip.js/zip.js';
import { AppError, messageOf } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import { SequentialSource } from './sequential-source.ts';

// This runs in a worker already; zip.js would start more of them from blob: addresses, which the policy forbids.
configure({ useWebWorkers: false });

/** More entries than any benchmark has files. */
const MAX_ENTRIES = 1_000_000;

/** One file of an archive. */
export interface ZipMember {
  /** With `/` and without a leading one. */
  readonly path: string;
  readonly source: ByteSource;
}

/**
 * Lists the files of a zip archive by its directory; nothing is unpacked before it is read, and no more than an entry
 * announced is taken from it. Errors: `damaged-zip`, `encrypted-zip`, `implausible-zip`.
 */
export async function readZip(archive: ByteSource, signal?: AbortSignal): Promise<ZipMember[]> {
  const size = await archive.size(signal);
  if (size === undefined)
    throw new AppError(
      'codec',
      'unknown-size',
      `${archive.name}: a zip is read from its end, and nobody says how long it is.`,
    );
  const reader = new ZipReader(new SourceReader(archive, size, signal));
  const members: ZipMember[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (members.length >= MAX_ENTRIES)
        throw new AppError(
          'codec',
          'implausible-zip',
          `${archive.name} lists more than ${MAX_ENTRIES} files.`,
        );
      if (entry.directory || ignored(entry.filename)) continue;
      members.push(memberOf(archive, entry));
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(archive.name, error);
  }
  return members;
}

/** What archivers of other people leave behind. */
function ignored(path: string): boolean {
  return path.startsWith('__MACOSX/') || path.endsWith('.DS_Store');
}

function memberOf(archive: ByteSource, entry: Entry): ZipMember {
  const path = entry.filename.replaceAll('\\', '/').replace(/^\/+/, '');
  if (entry.encrypted)
    throw new AppError(
      'codec',
      'encrypted-zip',
      `${archive.name}: "${path}" is encrypted. Unpack the archive first.`,
    );
  const name = path;
  const source = new SequentialSource({
    name,
    size: () => Promise.resolve(entry.uncompressedSize),
    fingerprint: async (signal) => {
      const whole = await archive.fingerprint(signal);
      // The directory's checksum tells the same where the archive itself has no mark.
      return `${whole ?? ''}:${path}:${entry.signature ?? ''}:${entry.uncompressedSize}`;
    },
    open: (signal) => unpackEntry(archive.name, entry as FileEntry, signal),
  });
  return { path, source };
}

async function* unpackEntry(
  archive: string,
  entry: FileEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  const unpacking = entry
    .getData(writable, {
      signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
      checkSignature: true,
    })
    .then(
      () => undefined,
      (error: unknown) => error ?? new Error('unpacking failed'),
    );
  const reader = readable.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > entry.uncompressedSize)
        throw new AppError(
          'codec',
          'implausible-zip',
          `${archive}: "${entry.filename}" unpacks to more than the ${entry.uncompressedSize} bytes that it announces.`,
        );
      yield value;
    }
    const failure = await unpacking;
    if (failure !== undefined) throw failure;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = (await unpacking) ?? error;
    throw failure instanceof AppError ? failure : damaged(`${archive}: "${entry.filename}"`, failure);
  } finally {
    stop.abort();
    await reader.cancel().catch(() => undefined);
  }
}

function damaged(name: string, error: unknown): AppError {
  return new AppError(
    'codec',
    'damaged-zip',
    `${name} cannot be read as a zip: ${messageOf(error)}. Is it complete?`,
    {
      cause: error,
    },
  );
}

/** zip.js reads through this: byte ranges of any source. */
class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal | undefined;
  override readonly size: number;

  constructor(source: ByteSource, size: number, signal: AbortSignal | undefined) {
    super(source);
    this.#source = source;
    this.#signal = signal;
    this.size = size;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    return this.#source.slice(offset, Math.min(offset + length, this.size), this.#signal);
  }
}
