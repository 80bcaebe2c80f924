import type { ByteSource } from '../codecs/byte-source.ts';
import { abortedError } from '../contracts/calls.ts';

const PIECE_BYTES = 1024 * 1024;

/** A file that the user dropped or picked, or any other Blob. */
export class BlobSource implements ByteSource {
  readonly name: string;
  readonly #blob: Blob;

  constructor(name: string, blob: Blob) {
    this.name = name;
    this.#blob = blob;
  }

  size(): Promise<number> {
    return Promise.resolve(this.#blob.size);
  }

  /** Name, size and time of the last change; undefined for a Blob that is not a File. */
  fingerprint(): Promise<string | undefined> {
    const { size } = this.#blob;
    const lastModified = 'lastModified' in this.#blob ? String(this.#blob.lastModified) : undefined;
    return Promise.resolve(lastModified === undefined ? undefined : `${this.name}:${size}:${lastModified}`);
  }

  async *stream(from: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = from; at < this.#blob.size; at += PIECE_BYTES) {
      if (signal?.aborted) throw abortedError();
      yield await this.slice(at, Math.min(at + PIECE_BYTES, this.#blob.size));
    }
  }

  async slice(from: number, to: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#blob.slice(from, to).arrayBuffer());
  }
}
