import { AppError } from '../domain/app-error.ts';
import type { Qrels } from '../domain/qrels.ts';
import { QrelsBuilder, type QrelsReading } from './qrels-builder.ts';
import { RunBuilder, type DuplicateDocuments, type GatheredQuery, type RunReading } from './run-builder.ts';
import { plainDecimal, scoreOf } from './run-score.ts';
import { asciiField, decodeStrictly, lineForMessage, splitAtBlanks } from './trec-fields.ts';
import { IdTable } from './trec-id-table.ts';
import { forEachByteLine, type NamedBytes } from './trec-lines.ts';

const RUN_FIELDS = 6;
const QRELS_FIELDS = 4;
const RUN_SHAPE = '"query Q0 document rank score tag"';
const QRELS_SHAPE = '"query 0 document grade"';

/**
 * Reads a TREC run: six fields a line, split at any blanks. The rank is ignored, the score decides. Errors name file, line
 * and text: `bad-line`, `bad-score`, `bad-id`, `not-utf8`, `duplicate-document`.
 */
export async function readTrecRun(
  source: NamedBytes,
  options: { readonly duplicates?: DuplicateDocuments; readonly signal?: AbortSignal } = {},
): Promise<RunReading> {
  const queries = new IdTable();
  const documents = new IdTable();
  const builder = new RunBuilder(source.name, documents.ids, options.duplicates);
  const places = new Int32Array(512);
  let currentQuery = -1;
  let current: GatheredQuery | null = null;
  await forEachByteLine(
    source,
    (bytes, start, end, line) => {
      const count = splitAtBlanks(bytes, start, end, places);
      if (count === 0) return;
      if (count !== RUN_FIELDS)
        throw badLine(source.name, line, RUN_SHAPE, RUN_FIELDS, count, bytes, start, end);
      const query = idAt(queries, bytes, places, 0, source.name, line);
      const document = idAt(documents, bytes, places, 2, source.name, line);
      if (current === null || query !== currentQuery) {
        currentQuery = query;
        current = builder.query(queries.ids[query] as string);
      }
      const [from, to] = [places[8] as number, places[9] as number];
      const score =
        plainDecimal(bytes, from, to) ??
        scoreOf(
          asciiField(bytes, from, to),
          source.name,
          line,
          queries.ids[query] as string,
          documents.ids[document] as string,
        );
      current.add(document, score, line);
    },
    options.signal,
  );
  return builder.finish();
}

/** Reads TREC qrels: four fields a line, split at any blanks; the second is ignored. Errors as {@link readTrecRun}, and `bad-grade`, `contradicting-judgements`. */
export async function readTrecQrels(source: NamedBytes, signal?: AbortSignal): Promise<QrelsReading> {
  const builder = new QrelsBuilder(source.name);
  const ids = new IdTable();
  const places = new Int32Array(512);
  await forEachByteLine(
    source,
    (bytes, start, end, line) => {
      const count = splitAtBlanks(bytes, start, end, places);
      if (count === 0) return;
      if (count !== QRELS_FIELDS)
        throw badLine(source.name, line, QRELS_SHAPE, QRELS_FIELDS, count, bytes, start, end);
      const queryId = ids.ids[idAt(ids, bytes, places, 0, source.name, line)] as string;
      const documentId = ids.ids[idAt(ids, bytes, places, 2, source.name, line)] as string;
      const grade = asciiField(bytes, places[6] as number, places[7] as number);
      builder.add(queryId, documentId, grade, line);
    },
    signal,
  );
  return builder.finish();
}

/** Returns qrels as TREC text, a piece for each query. Throws AppError `id-has-blanks`. Inverse: {@link readTrecQrels}. */
export function* trecQrelsText(qrels: Qrels): Generator<string, void, undefined> {
  for (const [queryId, judgements] of qrels) {
    checkWritable(queryId, 'query');
    let piece = '';
    for (const [documentId, grade] of judgements) {
      checkWritable(documentId, 'document');
      piece += `${queryId} 0 ${documentId} ${grade}\n`;
    }
    yield piece;
  }
}

/** The index of the id in a field. Throws AppError `not-utf8`, `bad-id`. */
function idAt(
  table: IdTable,
  bytes: Uint8Array,
  places: Int32Array,
  field: number,
  file: string,
  line: number,
): number {
  const start = places[2 * field] as number;
  const end = places[2 * field + 1] as number;
  const index = table.indexOf(bytes, start, end);
  if (index >= 0) return index;
  const text = decodeStrictly(bytes.subarray(start, end));
  if (text !== null) throw nulInId(file, line, text);
  throw new AppError(
    'codec',
    'not-utf8',
    `${file}, line ${line}: the id "${lineForMessage(bytes, start, end)}" is not UTF-8 text. Save the file as UTF-8.`,
  );
}

/** The error for an id that holds a NUL character, at which other programs cut it. */
export function nulInId(file: string, line: number, id: string): AppError {
  return new AppError(
    'codec',
    'bad-id',
    `${file}, line ${line}: the id ${JSON.stringify(id)} holds a NUL character, at which other programs cut ids. Is this a text file?`,
  );
}

function badLine(
  file: string,
  line: number,
  shape: string,
  wanted: number,
  found: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): AppError {
  return new AppError(
    'codec',
    'bad-line',
    `${file}, line ${line}: ${found} ${found === 1 ? 'field' : 'fields'} where TREC has ${wanted}, ${shape}: "${lineForMessage(bytes, start, end)}"`,
  );
}

function checkWritable(id: string, kind: string): void {
  if (id === '' || /[\t-\r ]/u.test(id) || (kind === 'query' && id.startsWith('#')))
    throw new AppError(
      'codec',
      'id-has-blanks',
      `The ${kind} id ${JSON.stringify(id)} cannot be written in TREC's format, which splits at blanks and starts comments with #. Write JSON instead.`,
    );
}
