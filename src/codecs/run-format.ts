import { AppError } from '../domain/app-error.ts';
import { htmlError, looksLikeHtml } from './row.ts';
import { ROW_MEMBERS } from './run-json-stream.ts';
import type { NamedBytes } from './trec-lines.ts';

/** The forms in which qrels and runs come: TREC's lines, tab-separated columns, JSON Lines rows, nested JSON or an array of rows. */
export type TableFormat = 'trec' | 'tsv' | 'jsonl' | 'json';

/** How much of a file is looked at to tell its form. */
const SNIFFED_BYTES = 64 * 1024;

/**
 * Tells the form of a file of qrels or a run from its beginning, never from its name. Throws AppError `empty-file`,
 * `html-instead-of-data`, `compressed`, `not-utf8` for what is none of the forms.
 */
export async function sniffFormat(source: NamedBytes, signal?: AbortSignal): Promise<TableFormat> {
  const bytes = await beginningOf(source, signal);
  refuseOtherFiles(source.name, bytes);
  const text = new TextDecoder('utf-8').decode(bytes);
  if (looksLikeHtml(text)) throw htmlError(source.name);
  const start = text.trimStart();
  if (start === '') throw new AppError('codec', 'empty-file', `${source.name} is empty.`);
  // An id may start with a bracket; JSON goes on with a row, a name or the closing bracket.
  if (/^\[\s*[{\]]/u.test(start)) return 'json';
  if (/^\{\s*["}]/u.test(start)) return isNested(start) ? 'json' : 'jsonl';
  return isTabbed(start) ? 'tsv' : 'trec';
}

/** Whether an object's first member is an object (pytrec_eval's dictionary) or a plain value (a row); {} is an empty dictionary. */
function isNested(start: string): boolean {
  const first = /^\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*([^\s])|(\}))/su.exec(start);
  return first === null || first[2] !== undefined || first[1] === '{';
}

/** Whether the first line of data has exactly three columns between tabs, or is a header. TREC's lines may use tabs too, but have more. */
function isTabbed(start: string): boolean {
  const line = start.split('\n').find((text) => text.trim() !== '' && !isComment(text));
  if (line === undefined) return false;
  const columns = line.replace(/\r$/u, '').split('\t');
  return columns.length === 3 || (columns.length > 1 && isHeader(columns));
}

/** Whether a line is a comment: `#` as its first character and not the three columns of a row. */
export function isComment(line: string): boolean {
  return line.trimStart().startsWith('#') && line.split('\t').length !== 3;
}

/** Whether columns are the names of columns, as in BEIR's `query-id corpus-id score`: one names queries, another documents. */
export function isHeader(columns: readonly string[]): boolean {
  const names = columns.map((name) => name.trim().toLowerCase());
  const anyOf = (known: readonly string[]): boolean =>
    known.some((name) => names.includes(name.toLowerCase()));
  return anyOf(ROW_MEMBERS.query) && anyOf(ROW_MEMBERS.document);
}

async function beginningOf(source: NamedBytes, signal?: AbortSignal): Promise<Uint8Array> {
  const beginning = new Uint8Array(SNIFFED_BYTES);
  let length = 0;
  for await (const piece of source.stream(0, signal)) {
    const part = piece.subarray(0, SNIFFED_BYTES - length);
    beginning.set(part, length);
    length += part.byteLength;
    if (length >= SNIFFED_BYTES) break;
  }
  return beginning.subarray(0, length);
}

function refuseOtherFiles(name: string, bytes: Uint8Array): void {
  const [a, b, c, d] = bytes;
  if (
    (a === 0x1f && b === 0x8b) ||
    (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) ||
    (a === 0x50 && b === 0x4b)
  )
    throw new AppError('codec', 'compressed', `${name} is compressed; unpack it first.`);
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new AppError('codec', 'not-utf8', `${name}, line 1: UTF-16 text; save the file as UTF-8.`);
}
