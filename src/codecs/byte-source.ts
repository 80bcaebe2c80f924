/** Bytes from anywhere, by name: an address, a file of the user's, an entry of an archive. */
export interface ByteSource {
  /** Path or address, as messages name it. */
  readonly name: string;
  /** Bytes of the whole, or undefined where nobody says. */
  size(signal?: AbortSignal): Promise<number | undefined>;
  /** A text that changes when the content does, or undefined where nothing is known; then nothing is resumed. */
  fingerprint(signal?: AbortSignal): Promise<string | undefined>;
  /** The bytes from `from` on, in pieces of any size. Ends only at the true end: a cut body is an error or is resumed. */
  stream(from: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Exactly the bytes from `from` up to `to` (exclusive). */
  slice(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array>;
}
