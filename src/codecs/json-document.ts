import { messageOf } from '../domain/app-error.ts';
import type { ByteSource } from './byte-source.ts';
import { htmlError, looksLikeHtml, quoted, rowError, type Row } from './row.ts';
import { readAll } from './sequential-source.ts';

/** The largest JSON file that is read: it has to be held as a whole. */
export const MAX_JSON_BYTES = 256 * 1024 * 1024;

/**
 * Reads one JSON document: a list of objects, an object whose first list of objects is taken (`{"data": […]}`), or an
 * object from text to text or number, whose entries become rows with the members `key` and `value`.
 * `line` of a row is its place in the list, from 1. Numbers come as JavaScript reads them: ids must be text here.
 * Errors: `not-json`, `not-a-list`, `not-an-object`, `html-instead-of-data`, `too-large-to-hold`.
 */
export async function readJsonDocument(source: ByteSource, signal?: AbortSignal): Promise<Row[]> {
  const text = new TextDecoder('utf-8').decode(await readAll(source, MAX_JSON_BYTES, signal));
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    if (looksLikeHtml(text)) throw htmlError(source.name);
    throw rowError(source.name, 1, 'not-json', `not JSON (${messageOf(cause).slice(0, 100)})`, cause);
  }
  const list = Array.isArray(document) ? document : (firstList(document) ?? entriesOf(document));
  if (list === undefined)
    throw rowError(source.name, 1, 'not-a-list', `expected a list of objects, found ${quoted(text)}`);
  return list.map((value: unknown, i) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw rowError(
        source.name,
        i + 1,
        'not-an-object',
        `entry ${i + 1} is not an object: ${quoted(value)}`,
      );
    return { value: value as Record<string, unknown>, line: i + 1, end: i + 1, numberText: () => undefined };
  });
}

function firstList(document: unknown): unknown[] | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  return Object.values(document).find(
    (value): value is unknown[] => Array.isArray(value) && typeof value[0] === 'object',
  );
}

function entriesOf(document: unknown): { key: string; value: unknown }[] | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const entries = Object.entries(document);
  const scalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  return entries.length > 0 && entries.every(([, value]) => scalar(value))
    ? entries.map(([key, value]: [string, unknown]) => ({ key, value }))
    : undefined;
}
