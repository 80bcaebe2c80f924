import { messageOf } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import { numberTextOf } from './json-number-text.ts';
import { readLines, type LineStart } from './lines.ts';
import { htmlError, looksLikeHtml, quoted, rowError, type Row } from './row.ts';

/** Where to start, and how to stop and report. */
export interface ReadOptions {
  readonly start?: LineStart;
  readonly signal?: AbortSignal | undefined;
  /** Called with the offset reached after each piece. */
  readonly onOffset?: (offset: number) => void;
}

/**
 * Reads JSON Lines: one object a line, blank lines skipped, a batch for each piece of the stream.
 * Errors (with file, line and the text): `not-json`, `not-an-object`, `html-instead-of-data`, and those of {@link readLines}.
 */
export async function* readJsonLines(
  source: Pick<ByteSource, 'name' | 'stream'>,
  options: ReadOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  const { start = { offset: 0, line: 0 }, signal, onOffset } = options;
  for await (const lines of readLines(source.stream(start.offset, signal), source.name, start)) {
    const rows: Row[] = [];
    for (const { number, text, end } of lines) {
      if (isBlank(text)) continue;
      rows.push(jsonRow(source.name, number, text, end));
    }
    onOffset?.(lines.at(-1)?.end ?? 0);
    if (rows.length > 0) yield rows;
  }
}

/** Parses one line. Errors as {@link readJsonLines}. */
export function jsonRow(file: string, line: number, text: string, end: number): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (looksLikeHtml(text)) throw htmlError(file);
    throw rowError(file, line, 'not-json', `not JSON (${shortReason(cause)}): ${quoted(text)}`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rowError(file, line, 'not-an-object', `expected a JSON object, found ${quoted(text)}`);
  return {
    value: value as Record<string, unknown>,
    line,
    end,
    numberText: (member) => numberTextOf(text, member),
  };
}

function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 32 && text.trim().length === 0);
}

/** The engine's reason without the quotation of the text, which the message carries anyway. */
function shortReason(cause: unknown): string {
  return messageOf(cause).replace(/, "?[^]*$/, '');
}
