const HASH = 35;

/** Whether a byte is one of the blanks that C's isspace names; blanks beyond ASCII are part of ids. */
function isBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

/**
 * Finds the fields of a line, split at any run of blanks: writes their starts and ends into `places` (start 0, end 0,
 * start 1, …) and returns their number, which may be larger than `places` holds. A line whose first character is `#` is a
 * comment and has 0 fields, as has an empty one; a `#` further on is part of an id.
 */
export function splitAtBlanks(bytes: Uint8Array, start: number, end: number, places: Int32Array): number {
  let count = 0;
  let at = start;
  while (at < end) {
    while (at < end && isBlank(bytes[at] as number)) at++;
    if (at === end) break;
    if (count === 0 && bytes[at] === HASH) return 0;
    const from = at;
    while (at < end && !isBlank(bytes[at] as number)) at++;
    places[2 * count] = from;
    places[2 * count + 1] = at;
    count++;
  }
  return count;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of some bytes, or null where they are not UTF-8. */
export function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The text of a line for a message: bad bytes as U+FFFD, without the CR. */
export function lineForMessage(bytes: Uint8Array, start: number, end: number): string {
  return lenient.decode(bytes.subarray(start, Math.min(end, start + 400))).replace(/\r$/u, '');
}

/** The text of a field that should be ASCII; without a decoder where it is, since that costs more than the text. */
export function asciiField(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) {
    if ((bytes[i] as number) > 127) return lenient.decode(bytes.subarray(start, end));
    text += String.fromCharCode(bytes[i] as number);
  }
  return text;
}
