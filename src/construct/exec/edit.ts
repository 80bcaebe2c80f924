import type { BugType } from '../../domain/bug-types.ts';

/** One contiguous replacement in a text. Offsets count UTF-16 units, `end` is exclusive; start = end inserts. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** An edit that plants a bug, as found in a canonical. */
export interface MutationSite extends Edit {
  readonly bugType: BugType;
  readonly before: string;
  /** 0 = the plain reading of the bug type; higher = less typical readings, used when the plain ones do not suffice. */
  readonly tier: 0 | 1 | 2;
}

/** Where an edit lies, in the units that people and other tools count in. Lines and columns from 1 and 0, end exclusive. */
export interface EditPlace {
  readonly startCodePoint: number;
  readonly endCodePoint: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The text with the edits done. They must not overlap. Everything outside them keeps its bytes. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < from) throw new RangeError(`edits overlap at ${edit.start}`);
    result += text.slice(from, edit.start) + edit.after;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** Where an edit lies in code points, UTF-8 bytes and lines. */
export function placeOf(text: string, edit: Edit): EditPlace {
  const until = (end: number): string => text.slice(0, end);
  return {
    startCodePoint: codePoints(until(edit.start)),
    endCodePoint: codePoints(until(edit.end)),
    startByte: utf8.encode(until(edit.start)).length,
    endByte: utf8.encode(until(edit.end)).length,
    firstLine: lineAt(text, edit.start),
    // An edit that ends with a line break does not touch the line that follows.
    lastLine: lineAt(text, edit.end > edit.start ? edit.end - 1 : edit.end),
  };
}

/** Line (from 1) of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

const utf8 = new TextEncoder();

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
