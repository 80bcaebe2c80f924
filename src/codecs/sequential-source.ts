import { joinBytes } from './join-bytes.ts';
import { AppError } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';

/** Where the bytes of a source that can only be read from its start come from. */
export interface SequentialOrigin {
  readonly name: string;
  readonly size: (signal?: AbortSignal) => Promise<number | undefined>;
  readonly fingerprint: (signal?: AbortSignal) => Promise<string | undefined>;
  readonly open: (signal?: AbortSignal) => AsyncIterable<Uint8Array>;
  /** The most bytes that are held to give parts of the source. */
  readonly maxHeldBytes?: number;
}

const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** A source without random access (something compressed): going on means reading again and skipping. */
export class SequentialSource implements ByteSource {
  readonly name: string;
  readonly #origin: SequentialOrigin;
  #held: Promise<Uint8Array> | undefined;

  constructor(origin: SequentialOrigin) {
    this.name = origin.name;
    this.#origin = origin;
  }

  size(signal?: AbortSignal): Promise<number | undefined> {
    return this.#origin.size(signal);
  }

  fingerprint(signal?: AbortSignal): Promise<string | undefined> {
    return this.#origin.fingerprint(signal);
  }

  async *stream(from: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    let skip = from;
    for await (const piece of this.#origin.open(signal)) {
      if (skip >= piece.byteLength) {
        skip -= piece.byteLength;
        continue;
      }
      yield skip === 0 ? piece : piece.subarray(skip);
      skip = 0;
    }
  }

  /** Unpacks the whole once and keeps it. Errors: `too-large-to-hold`. */
  async slice(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    this.#held ??= readAll(this, this.#origin.maxHeldBytes ?? MAX_HELD_BYTES, signal);
    try {
      return (await this.#held).slice(from, to);
    } catch (error) {
      this.#held = undefined;
      throw error;
    }
  }
}

/** All bytes of a source. Errors: `too-large-to-hold` when there are more than `maxBytes`. */
export async function readAll(
  source: ByteSource,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source.stream(0, signal)) {
    bytes += piece.byteLength;
    if (bytes > maxBytes)
      throw new AppError(
        'codec',
        'too-large-to-hold',
        `${source.name} has more than ${Math.floor(maxBytes / 1e6)} MB, too much to hold in memory at once.`,
      );
    pieces.push(piece);
  }
  return joinBytes(pieces, bytes);
}
