import { AppError } from '../domain/app-error.ts';

const LF = 10;
/** No line of a run is this long: what has no line end so far is no file of lines. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A name for messages and bytes in pieces of any size. */
export interface NamedBytes {
  readonly name: string;
  stream(from: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Called with each line's place in `bytes`, without its LF (a CR before it stays), and its 1-based number. The bytes are valid until it returns. */
export type OnByteLine = (bytes: Uint8Array, start: number, end: number, line: number) => void;

/**
 * Walks over a stream line by line without making a text of it: a run of 2 GB has no JavaScript string. Only LF ends a
 * line; a BOM at the start is skipped; a last line without LF counts.
 */
export async function forEachByteLine(
  source: NamedBytes,
  onLine: OnByteLine,
  signal?: AbortSignal,
): Promise<void> {
  let line = 0;
  let first = true;
  let held = new Uint8Array(0);
  for await (const piece of source.stream(0, signal)) {
    let bytes = piece;
    if (held.byteLength > 0) {
      bytes = new Uint8Array(held.byteLength + piece.byteLength);
      bytes.set(held);
      bytes.set(piece, held.byteLength);
    }
    let from = 0;
    if (first) {
      if (bytes.byteLength < 3) {
        // Too short to tell a BOM.
        held = bytes.slice();
        continue;
      }
      if (startsWithBom(bytes)) from = 3;
      first = false;
    }
    for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, from)) {
      onLine(bytes, from, at, ++line);
      from = at + 1;
    }
    // A copy: the piece's buffer may be reused by whoever reads it.
    held = bytes.slice(from);
    if (held.byteLength > MAX_LINE_BYTES)
      throw new AppError(
        'codec',
        'line-too-long',
        `${source.name}, line ${line + 1}: longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB without a line end. Is this a text file of lines?`,
      );
  }
  const from = first && startsWithBom(held) ? 3 : 0;
  if (!first) {
    if (held.byteLength > 0) onLine(held, 0, held.byteLength, ++line);
    return;
  }
  // The whole file is shorter than three bytes, or nothing but a BOM.
  for (let start = from; start < held.byteLength;) {
    const at = held.indexOf(LF, start);
    const end = at === -1 ? held.byteLength : at;
    onLine(held, start, end, ++line);
    start = end + 1;
  }
}

function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
