import { joinBytes } from './join-bytes.ts';
import { AppError } from '../domain/app-error.ts';

/** One line of a text file, without its line end. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** Offset of the byte after this line and its line end: reading can go on from there. */
  readonly end: number;
}

/** Where reading starts, for going on in the middle of a file. */
export interface LineStart {
  /** Bytes before the first piece. */
  readonly offset: number;
  /** Lines before the first piece. */
  readonly line: number;
}

/** The longest line that is read: what a JavaScript text can safely hold. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * Cuts a stream of bytes into lines, a batch for each piece. Only LF and CRLF end a line (U+2028, U+0085 and a lone CR
 * are content), a BOM at the start of the file is dropped, a last line without LF counts, characters may be split
 * between pieces. Errors: `not-utf8` with file and line, `line-too-long`.
 */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  start: LineStart = { offset: 0, line: 0 },
): AsyncGenerator<Line[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = start.line;
  let offset = start.offset;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  const toLine = (bytes: Uint8Array, end: number): Line => {
    number++;
    let text: string;
    try {
      text = decoder.decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
    } catch (cause) {
      throw new AppError(
        'codec',
        'not-utf8',
        `${file}, line ${number}: not UTF-8 text. Save the file as UTF-8, or name its true format (is it compressed?).`,
        { cause },
      );
    }
    if (number === 1 && text.startsWith('\uFEFF')) text = text.slice(1);
    return { number, text, end };
  };

  for await (const piece of pieces) {
    const batch: Line[] = [];
    let from = 0;
    for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, from)) {
      const tail = piece.subarray(from, at);
      const whole = heldBytes === 0 ? tail : joinBytes([...held, tail], heldBytes + tail.byteLength);
      held = [];
      heldBytes = 0;
      from = at + 1;
      batch.push(toLine(whole, offset + from));
    }
    if (from < piece.byteLength) {
      // A copy: the piece's buffer may be reused by whoever reads it.
      held.push(piece.slice(from));
      heldBytes += piece.byteLength - from;
      if (heldBytes > MAX_LINE_BYTES)
        throw new AppError(
          'codec',
          'line-too-long',
          `${file}, line ${number + 1}: longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB without a line end. Is this really a file of lines?`,
        );
    }
    offset += piece.byteLength;
    if (batch.length > 0) yield batch;
  }
  if (heldBytes > 0) yield [toLine(joinBytes(held, heldBytes), offset)];
}
