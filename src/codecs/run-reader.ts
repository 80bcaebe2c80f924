import { rowError } from './row.ts';
import { readJsonRows } from './qrels-reader.ts';
import { forEachTabbedRow } from './qrels-tsv.ts';
import { RunBuilder, type DuplicateDocuments, type RunReading } from './run-builder.ts';
import { sniffFormat, type TableFormat } from './run-format.ts';
import { readNestedJson, type NestedJsonHandler } from './run-json-stream.ts';
import { scoreOf } from './run-score.ts';
import { readTrecRun } from './trec.ts';
import type { NamedBytes } from './trec-lines.ts';

export type { DuplicateDocuments, RunReading } from './run-builder.ts';

/** How a run is read. */
export interface RunReadingOptions {
  /** Told from the file's beginning when absent. */
  readonly format?: TableFormat;
  readonly duplicates?: DuplicateDocuments;
  readonly signal?: AbortSignal;
}

/**
 * Reads a run in whatever form it is: TREC, tab-separated columns with a header, JSON Lines, an array of rows, or
 * `{"query": {"document": score}}`. Streams: a file larger than any JavaScript text is fine. Errors are AppErrors that
 * name file, line and value.
 */
export async function readRun(source: NamedBytes, options: RunReadingOptions = {}): Promise<RunReading> {
  const { duplicates, signal } = options;
  const format = options.format ?? (await sniffFormat(source, signal));
  if (format === 'trec')
    return readTrecRun(source, {
      ...(duplicates === undefined ? {} : { duplicates }),
      ...(signal === undefined ? {} : { signal }),
    });
  const ids: string[] = [];
  const indices = new Map<string, number>();
  const builder = new RunBuilder(source.name, ids, duplicates);
  const indexOf = (documentId: string): number => {
    let index = indices.get(documentId);
    if (index === undefined) {
      index = ids.push(documentId) - 1;
      indices.set(documentId, index);
    }
    return index;
  };
  const add = (queryId: string, documentId: string, value: string, line: number): void =>
    builder
      .query(queryId)
      .add(indexOf(documentId), scoreOf(value, source.name, line, queryId, documentId), line);
  const handler: NestedJsonHandler = {
    query: (queryId) => void builder.query(queryId),
    entry: add,
  };
  if (format === 'json') await readNestedJson(source, handler, signal);
  else if (format === 'jsonl') await readJsonRows(source, handler, signal);
  else
    await forEachTabbedRow(source, signal, (query, document, value, line, hasHeader) => {
      if (!hasHeader)
        throw rowError(
          source.name,
          line,
          'bad-line',
          'three columns without a header could be query, document and rank as well as query, document and score. Add the header "query-id corpus-id score" (between tabs), or write TREC or JSON.',
        );
      add(query, document, value, line);
    });
  return builder.finish();
}

/**
 * Returns a run as `{"query": {"document": score}}`, a piece for each query; every id can be written so. Inverse:
 * {@link readRun}.
 */
export function* runJsonText(
  run: ReadonlyMap<string, { readonly documentIds: readonly string[]; readonly scores: Float64Array }>,
): Generator<string, void, undefined> {
  let before = '{';
  for (const [queryId, { documentIds, scores }] of run) {
    const members = documentIds.map((id, i) => `${JSON.stringify(id)}:${JSON.stringify(scores[i])}`);
    yield `${before}\n${JSON.stringify(queryId)}:{${members.join(',')}}`;
    before = ',';
  }
  yield before === '{' ? '{}\n' : '\n}\n';
}
