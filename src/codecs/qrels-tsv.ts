import { rowError } from './row.ts';
import { readLines } from './lines.ts';
import { QrelsBuilder, type QrelsReading } from './qrels-builder.ts';
import { isComment, isHeader } from './run-format.ts';
import { checkedId, ROW_MEMBERS } from './run-json-stream.ts';
import type { NamedBytes } from './trec-lines.ts';

/** Places of query, document and value among the columns. */
type Columns = readonly [number, number, number];

const BEIR: Columns = [0, 1, 2];

/**
 * Reads tab-separated judgements, `query-id corpus-id score`, with or without that header. Only tabs separate: ids may hold
 * blanks, quotes are part of ids, and no word stands for a missing value. Errors with file and line: `bad-line`, `bad-id`,
 * `bad-grade`, `contradicting-judgements`, `not-utf8`.
 */
export async function readQrelsTsv(source: NamedBytes, signal?: AbortSignal): Promise<QrelsReading> {
  const builder = new QrelsBuilder(source.name);
  await forEachTabbedRow(source, signal, (query, document, value, line) =>
    builder.add(query, document, value, line),
  );
  return builder.finish();
}

/** Calls `onRow` with query, document and value of each row of a tab-separated file; see {@link readQrelsTsv}. `hasHeader` says whether the columns were named. */
export async function forEachTabbedRow(
  source: NamedBytes,
  signal: AbortSignal | undefined,
  onRow: (query: string, document: string, value: string, line: number, hasHeader: boolean) => void,
): Promise<void> {
  let columns: Columns | null = null;
  let hasHeader = false;
  let width = 3;
  for await (const lines of readLines(source.stream(0, signal), source.name))
    for (const { text, number } of lines) {
      if (text.trim() === '' || isComment(text)) continue;
      const fields = text.split('\t');
      if (columns === null) {
        hasHeader = isHeader(fields);
        columns = hasHeader ? columnsOf(source.name, number, fields) : BEIR;
        width = hasHeader ? fields.length : 3;
        if (hasHeader) continue;
      }
      if (fields.length !== width)
        throw rowError(
          source.name,
          number,
          'bad-line',
          `${fields.length} columns between tabs where ${width} are expected (query, document, value): "${text.slice(0, 200)}"`,
        );
      const [query, document, value] = columns.map((column) => fields[column] as string) as [
        string,
        string,
        string,
      ];
      onRow(
        checkedId(source.name, number, query),
        checkedId(source.name, number, document),
        value.trim(),
        number,
        hasHeader,
      );
    }
}

/** Places of the columns by the names in a header. */
function columnsOf(file: string, line: number, header: readonly string[]): Columns {
  const names = header.map((name) => name.trim().toLowerCase());
  const find = (known: readonly string[], what: string): number => {
    const place = names.findIndex((name) => known.some((candidate) => candidate.toLowerCase() === name));
    if (place >= 0) return place;
    throw rowError(
      file,
      line,
      'bad-line',
      `the header names no ${what} (${known.join(', ')}): "${header.join(' ')}"`,
    );
  };
  return [
    find(ROW_MEMBERS.query, 'query'),
    find(ROW_MEMBERS.document, 'document'),
    find(ROW_MEMBERS.value, 'value'),
  ];
}
