import { AppError } from '../domain/app-error.ts';

/** A row of any file format, with what is needed to name it in a message and to go on behind it. */
export interface Row {
  /** Member names to values as the format has them. Never use it as a lookup of foreign names: `__proto__` is legal. */
  readonly value: Readonly<Record<string, unknown>>;
  /** 1-based line, or 1-based row for formats without lines. */
  readonly line: number;
  /** Where reading goes on after this row, in the unit of its format (byte offset, row number). */
  readonly end: number;
  /** The number of a member as it was written, for ids: `7`, `7.0` and `1e3` are three ids. */
  readonly numberText: (member: string) => string | undefined;
}

/** The first characters of a value for a message. */
export function quoted(value: unknown, length = 80): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > length ? `"${text.slice(0, length)}…"` : `"${text}"`;
}

/** An error that names file, line and value. */
export function rowError(
  file: string,
  line: number,
  code: string,
  message: string,
  cause?: unknown,
): AppError {
  return new AppError(
    'codec',
    code,
    `${file}, line ${line}: ${message}`,
    cause === undefined ? undefined : { cause },
  );
}

/** The error for a web page where data was expected. */
export function htmlError(file: string): AppError {
  return new AppError(
    'source',
    'html-instead-of-data',
    `${file} is an HTML page, not data: perhaps a login or an error page. Check the address and whether it needs a sign-in.`,
  );
}

/** Whether a text starts as an HTML page does. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(text.slice(0, 200));
}
