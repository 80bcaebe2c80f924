import { readLines } from './lines.ts';
import { jsonRow } from './jsonl.ts';
import { QrelsBuilder, type QrelsReading } from './qrels-builder.ts';
import { readQrelsTsv } from './qrels-tsv.ts';
import type { Row } from './row.ts';
import { sniffFormat, type TableFormat } from './run-format.ts';
import { readNestedJson, readRow, ROW_MEMBERS, type NestedJsonHandler } from './run-json-stream.ts';
import { readTrecQrels } from './trec.ts';
import type { NamedBytes } from './trec-lines.ts';

export type { QrelsReading } from './qrels-builder.ts';

/**
 * Reads qrels in whatever form they are: TREC, BEIR's TSV with or without header, JSON Lines, an array of rows, or
 * pytrec_eval's dictionary. Errors are AppErrors that name file, line and value; a repeated judgement is counted, a
 * contradicting one refused.
 */
export async function readQrels(
  source: NamedBytes,
  options: { readonly format?: TableFormat; readonly signal?: AbortSignal } = {},
): Promise<QrelsReading> {
  const { signal } = options;
  const format = options.format ?? (await sniffFormat(source, signal));
  if (format === 'trec') return readTrecQrels(source, signal);
  if (format === 'tsv') return readQrelsTsv(source, signal);
  const builder = new QrelsBuilder(source.name);
  const handler: NestedJsonHandler = {
    query: (queryId) => void builder.addQuery(queryId),
    entry: (queryId, documentId, value, line) => builder.add(queryId, documentId, value, line),
  };
  if (format === 'json') await readNestedJson(source, handler, signal);
  else await readJsonRows(source, handler, signal);
  return builder.finish();
}

/** Streams rows of JSON Lines into a handler; ids that are numbers keep their spelling. */
export async function readJsonRows(
  source: NamedBytes,
  handler: NestedJsonHandler,
  signal?: AbortSignal,
): Promise<void> {
  for await (const lines of readLines(source.stream(0, signal), source.name))
    for (const { text, number, end } of lines) {
      if (text.trim() === '') continue;
      readRow(source.name, withTexts(jsonRow(source.name, number, text, end)), number, handler);
    }
}

/** The row with the numbers of its known members as they were written. */
function withTexts(row: Row): Record<string, unknown> {
  const texts: Record<string, unknown> = {};
  for (const name of [...ROW_MEMBERS.query, ...ROW_MEMBERS.document, ...ROW_MEMBERS.value]) {
    if (!Object.hasOwn(row.value, name)) continue;
    texts[name] = typeof row.value[name] === 'number' ? row.numberText(name) : row.value[name];
  }
  return texts;
}
