import { TokenParser, Tokenizer, TokenType } from '@streamparser/json';
import { AppError, messageOf } from '../domain/app-error.ts';
import { htmlError, looksLikeHtml } from './row.ts';
import { nulInId } from './trec.ts';
import type { NamedBytes } from './trec-lines.ts';

const LF = 10;

/** What a file of queries and documents in JSON holds, piece by piece. `value` is the number (or text) as written. */
export interface NestedJsonHandler {
  query(queryId: string): void;
  entry(queryId: string, documentId: string, value: string, line: number): void;
}

/** Numbers keep their spelling: as ids, 9007199254740993 and 7.0 must not change; as scores, Number() is applied later. */
class TextualTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return text as unknown as number;
  }
}

/** The members by which rows name query, document and value, best first. */
export const ROW_MEMBERS = {
  query: ['query_id', 'query-id', 'qid', 'queryId', 'topic', 'query'],
  document: ['corpus_id', 'corpus-id', 'doc_id', 'docid', 'docno', 'document_id', 'document-id', 'did'],
  value: ['score', 'relevance', 'rel', 'grade', 'label', 'similarity'],
} as const;

/**
 * Streams `{"query": {"document": value}}` (pytrec_eval's dictionary) or an array of rows such as
 * `[{"query_id", "corpus_id", "score"}]`. Never holds more than one query's members. Errors with file and line: `not-json`,
 * `not-a-dictionary`, `bad-row`, `bad-id`.
 */
export async function readNestedJson(
  source: NamedBytes,
  handler: NestedJsonHandler,
  signal?: AbortSignal,
): Promise<void> {
  const tokenizer = new TextualTokenizer();
  const parser = new TokenParser({ paths: ['$.*', '$.*.*'], keepStack: false, separator: '' });
  let line = 1;
  let rows = false;
  let started = false;
  tokenizer.onToken = (token) => {
    if (!started && token.token !== TokenType.LEFT_BRACE && token.token !== TokenType.LEFT_BRACKET)
      throw notADictionary(source.name, line, token.value);
    started = true;
    parser.write(token);
  };
  // Without these, both report errors through callbacks that swallow the way they came.
  tokenizer.onError = rethrow;
  parser.onError = rethrow;
  parser.onValue = ({ value, key, parent, stack }) => {
    rows = stack.length === 1 ? Array.isArray(parent) : Array.isArray(stack[1]?.value);
    if (rows) {
      if (stack.length === 1) readRow(source.name, value, line, handler);
      return;
    }
    if (stack.length === 1) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw notADictionary(source.name, line, value, String(key));
      handler.query(checkedId(source.name, line, String(key)));
      return;
    }
    const queryId = checkedId(source.name, line, String(stack[1]?.key));
    const documentId = checkedId(source.name, line, String(key));
    if (typeof value !== 'string')
      throw new AppError(
        'codec',
        'not-a-number',
        `${source.name}, line ${line}: document ${JSON.stringify(documentId)} of query ${JSON.stringify(queryId)} has ${JSON.stringify(value)} where a number is expected.`,
      );
    handler.entry(queryId, documentId, value, line);
  };

  let beginning = '';
  let latest: Uint8Array = new Uint8Array(0);
  try {
    for await (const piece of source.stream(0, signal)) {
      if (beginning.length < 100) beginning += new TextDecoder().decode(piece.subarray(0, 200));
      // Written line by line, so that an error knows its line.
      let from = 0;
      for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, from)) {
        latest = piece.subarray(from, at + 1);
        tokenizer.write(latest);
        line++;
        from = at + 1;
      }
      latest = piece.subarray(from);
      if (latest.byteLength > 0) tokenizer.write(latest);
    }
    if (!tokenizer.isEnded) tokenizer.end();
    if (!started) throw new Error('the file is empty');
    if (!parser.isEnded) parser.end();
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if (looksLikeHtml(beginning)) throw htmlError(source.name);
    throw notJson(source.name, line, latest, thrown);
  }
}

/** The error for text that the tokenizer refused; `latest` are the bytes of the line in which it stopped. */
function notJson(file: string, line: number, latest: Uint8Array, thrown: unknown): AppError {
  const options = { cause: thrown };
  if (messageOf(thrown).includes('not valid for encoding'))
    return new AppError(
      'codec',
      'not-utf8',
      `${file}, line ${line}: not UTF-8 text. Save the file as UTF-8.`,
      options,
    );
  // What programs write for a score that they could not compute.
  const token = /(?:"[^"]{0,200}"\s*:|[[,])\s*([-+]?(?:NaN|Infinity|nan|inf|None))\b/u.exec(
    new TextDecoder().decode(latest),
  );
  const why = token === null ? messageOf(thrown) : `"${token[1]}" is no number, in ${token[0]}`;
  return new AppError(
    'codec',
    'not-json',
    `${file}, line ${line}: not JSON (${why}). JSON has no NaN and no Infinity, and a file must be complete.`,
    options,
  );
}

/** Takes one row by the names that {@link ROW_MEMBERS} lists; shared with JSON Lines. */
export function readRow(file: string, row: unknown, line: number, handler: NestedJsonHandler): void {
  const query = member(row, ROW_MEMBERS.query);
  const document = member(row, ROW_MEMBERS.document);
  const value = member(row, ROW_MEMBERS.value);
  if (query === undefined || document === undefined || value === undefined)
    throw new AppError(
      'codec',
      'bad-row',
      `${file}, line ${line}: a row needs a query (${ROW_MEMBERS.query.join(', ')}), a document (${ROW_MEMBERS.document.join(', ')}) and a value (${ROW_MEMBERS.value.join(', ')}): ${JSON.stringify(row).slice(0, 200)}`,
    );
  handler.entry(checkedId(file, line, query), checkedId(file, line, document), value, line);
}

/** The first of some members that is a text (numbers come as texts). */
function member(row: unknown, names: readonly string[]): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Returns the id, or throws AppError `bad-id` for an empty one and one with a NUL character. */
export function checkedId(file: string, line: number, id: string): string {
  if (id === '')
    throw new AppError(
      'codec',
      'bad-id',
      `${file}, line ${line}: an id is empty. Every query and document needs a name.`,
    );
  if (id.includes('\0')) throw nulInId(file, line, id);
  return id;
}

function notADictionary(file: string, line: number, value: unknown, key?: string): AppError {
  const place = key === undefined ? '' : ` under ${JSON.stringify(key)}`;
  return new AppError(
    'codec',
    'not-a-dictionary',
    `${file}, line ${line}: ${JSON.stringify(value)?.slice(0, 80) ?? 'nothing'}${place}; expected {"query": {"document": number}} or rows with query, document and value.`,
  );
}

function rethrow(error: Error): never {
  throw error;
}
