import { Decompress } from 'fzstd';
import { AppError, messageOf } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import { SequentialSource } from './sequential-source.ts';

/** Stream compressions that are recognised by their first bytes, whatever the file is called. */
export type Compression = 'gzip' | 'zstd';

/** Which compression the first bytes of a file announce, or undefined. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return undefined;
}

/**
 * Returns the source itself, or its unpacked bytes when it is gzip or zstd. The ending `.gz` or `.zst` is dropped from
 * the name. A server or a browser may have unpacked it on the way: only the bytes count.
 */
export async function unpacked(source: ByteSource, signal?: AbortSignal): Promise<ByteSource> {
  if (!/\.(gz|gzip|zst|zstd)$/i.test(source.name)) return source;
  const compression = compressionOf(await firstBytes(source, 4, signal));
  const name = source.name.replace(/\.(gz|gzip|zst|zstd)$/i, '');
  return new SequentialSource({
    name,
    size: (whoever) => (compression === undefined ? source.size(whoever) : Promise.resolve(undefined)),
    fingerprint: (whoever) => source.fingerprint(whoever),
    open: (whoever) => {
      const bytes = source.stream(0, whoever);
      if (compression === undefined) return bytes;
      return compression === 'gzip' ? gunzip(bytes, source.name) : unzstd(bytes, source.name);
    },
  });
}

/** Unpacks a gzip stream. Errors: `damaged-gzip` (also when it ends early). */
export async function* gunzip(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const fed = feed(pieces, writer);
  fed.catch(() => undefined); // Awaited below, once the reader has seen its side of it.
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await fed;
  } catch (error) {
    // What failed beneath (network, cancel) is said as it is.
    const beneath = await fed.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (beneath instanceof AppError) throw beneath;
    throw new AppError(
      'codec',
      'damaged-gzip',
      `${name} cannot be unpacked as gzip: ${messageOf(error)}. Is it complete?`,
      {
        cause: error,
      },
    );
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function feed(
  pieces: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<void> {
  try {
    for await (const piece of pieces) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

/** Unpacks a zstd stream. Errors: `damaged-zstd` (also when it ends early). */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  const decompress = new Decompress((data) => {
    if (data.byteLength > 0) ready.push(data);
  });
  const push = (piece: Uint8Array, last: boolean): void => {
    try {
      decompress.push(piece, last);
    } catch (error) {
      throw new AppError(
        'codec',
        'damaged-zstd',
        `${name} cannot be unpacked as zstd: ${messageOf(error)}. Is it complete?`,
        {
          cause: error,
        },
      );
    }
  };
  for await (const piece of pieces) {
    // fzstd keeps views of what it is given.
    push(piece.slice(), false);
    yield* ready;
    ready = [];
  }
  push(new Uint8Array(0), true);
  yield* ready;
}

async function firstBytes(
  source: ByteSource,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const head: number[] = [];
  for await (const piece of source.stream(0, signal)) {
    head.push(...piece.subarray(0, count - head.length));
    if (head.length === count) break;
  }
  return Uint8Array.from(head);
}
