import { Worker } from 'node:worker_threads';
import { parseDocumentLists } from '../../src/codecs/document-lists.ts';
import { readLines } from '../../src/codecs/lines.ts';
import { readNpyMatrix } from '../../src/codecs/npy.ts';
import { trecRunLines } from '../../src/codecs/write-trec-run.ts';
import type { SearchAnswer, SearchRequest, Similarity } from '../../src/contracts/search.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import { AppError, fromErrorData } from '../../src/domain/app-error.ts';
import { boardCells, clearBoard } from '../../workers/search/board.ts';
import { mergeAnswers } from '../../workers/search/merge-answers.ts';
import { NpyDocuments, openFile } from './npy-blocks.ts';
import { searchPart, type SearchThreadData, type SearchThreadResult } from './search-thread.ts';

/** The options of `assay search`. */
export interface SearchFilesOptions {
  readonly documents: string;
  readonly queries: string;
  readonly k: number;
  readonly ids?: string;
  readonly queryIds?: string;
  readonly similarity: Similarity;
  readonly visible?: string;
  readonly exclude?: string;
  readonly threads: number;
  readonly tag: string;
}

/** Searches files and writes a TREC run; what is refused or doubtful is said on stderr. */
export async function searchFiles(
  options: SearchFilesOptions,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<void> {
  const { threads } = options;
  if (threads < 1 || threads > 64) {
    throw new AppError('input', 'threads-out-of-range', `--threads is ${threads}; 1 to 64 are allowed.`);
  }
  const documents = await NpyDocuments.open(options.documents);
  await documents.close();
  const ids = await readIds(options.ids, documents.rows, options.documents);
  const request = await readRequest(options, documents.rows, ids);
  if (documents.dimensions !== request.queries.dimensions) {
    throw new AppError(
      'search',
      'dimension-mismatch',
      `${options.documents} has ${documents.dimensions} dimensions, ${options.queries} has ${request.queries.dimensions}. Both must come from one model.`,
    );
  }
  const answer =
    threads === 1
      ? await searchPart(options.documents, ids, request, 0, 1)
      : await searchWithThreads(options.documents, ids, request, threads, signal);
  if (signal.aborted) throw abortedError();
  for (const { id, row, reason } of answer.refused) {
    console.error(`Refused, never ranked: document ${id} (row ${row}): ${reason}.`);
  }
  if (answer.counts.emptyRankings > 0 && documents.rows > 0) {
    console.error(
      `${answer.counts.emptyRankings} queries have an empty ranking: no document is visible to them.`,
    );
  }
  for (const ranking of answer.rankings) write(trecRunLines(ranking, options.tag));
}

async function searchWithThreads(
  documents: string,
  ids: readonly string[] | undefined,
  request: SearchRequest,
  threads: number,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const board = new Int32Array(new SharedArrayBuffer(4 * boardCells(threads, request.queries.ids.length)));
  clearBoard(board);
  const workers: Worker[] = [];
  const stop = (): void => workers.forEach((worker) => void worker.terminate());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answers = await Promise.all(
      Array.from({ length: threads }, (_, part) => {
        const data: SearchThreadData = {
          assayThread: 'search',
          documents,
          ids,
          request,
          part,
          of: threads,
          board,
        };
        return new Promise<SearchAnswer>((resolve, reject) => {
          // The program is its own thread entry: cli/main.ts looks at workerData first.
          const worker = new Worker(new URL(import.meta.url), { workerData: data });
          workers.push(worker);
          worker.once('message', (result: SearchThreadResult) => {
            if (result.kind === 'answer') resolve(result.answer);
            else reject(fromErrorData(result.error));
          });
          worker.once('error', reject);
          worker.once('exit', () => reject(signal.aborted ? abortedError() : threadEnded(part)));
        });
      }),
    );
    return mergeAnswers(answers, request.k);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function threadEnded(part: number): AppError {
  return new AppError('search', 'thread-ended', `Search thread ${part} ended without an answer.`);
}

async function readRequest(
  options: SearchFilesOptions,
  rows: number,
  ids: readonly string[] | undefined,
): Promise<SearchRequest> {
  const matrix = readNpyMatrix(await readWhole(options.queries), options.queries);
  const queryIds = (await readIds(options.queryIds, matrix.rows, options.queries)) ?? rowNumbers(matrix.rows);
  const base = {
    queries: { ids: queryIds, dimensions: matrix.columns, values: matrix.values },
    similarity: options.similarity,
    k: options.k,
  };
  const visible =
    options.visible === undefined ? {} : { visible: await readVisible(options.visible, queryIds, rows, ids) };
  const excluded =
    options.exclude === undefined ? {} : { excluded: await readExcluded(options.exclude, queryIds) };
  return { ...base, ...visible, ...excluded };
}

async function readVisible(
  file: string,
  queryIds: readonly string[],
  rows: number,
  ids: readonly string[] | undefined,
): Promise<NonNullable<SearchRequest['visible']>> {
  const { lists, form } = parseDocumentLists((await readWhole(file)).toString('utf8'), file);
  noteUnknown(lists, queryIds, file);
  const rowOf = new Map((ids ?? rowNumbers(rows)).map((id, row) => [id, row]));
  const bitmaps: Uint8Array[] = [];
  let unknown = 0;
  const bitmapOf = Int32Array.from(queryIds, (query) => {
    const list = lists.get(query) ?? (form === 'pairs' ? [] : undefined);
    if (list === undefined) return -1;
    const bitmap = new Uint8Array(Math.ceil(rows / 8));
    for (const id of list) {
      const row = rowOf.get(id);
      if (row === undefined) unknown++;
      else bitmap[row >> 3] = (bitmap[row >> 3] as number) | (1 << (row & 7));
    }
    return bitmaps.push(bitmap) - 1;
  });
  if (unknown > 0)
    console.error(`${file}: ${unknown} entries name documents that do not exist; passed over.`);
  const unnamed = queryIds.filter((query) => !lists.has(query)).length;
  if (unnamed > 0) {
    console.error(
      `${file} does not name ${unnamed} of the queries: they see ${form === 'pairs' ? 'no document' : 'every document'}.`,
    );
  }
  return { bitmaps, bitmapOf };
}

async function readExcluded(file: string, queryIds: readonly string[]): Promise<(readonly string[])[]> {
  const { lists } = parseDocumentLists((await readWhole(file)).toString('utf8'), file);
  noteUnknown(lists, queryIds, file);
  return queryIds.map((query) => lists.get(query) ?? []);
}

function noteUnknown(lists: ReadonlyMap<string, unknown>, queryIds: readonly string[], file: string): void {
  const known = new Set(queryIds);
  const unknown = [...lists.keys()].filter((query) => !known.has(query));
  if (unknown.length > 0) {
    console.error(`${file}: ${unknown.length} queries are not searched (first: ${unknown[0]}); passed over.`);
  }
}

async function readIds(
  file: string | undefined,
  rows: number,
  matrixFile: string,
): Promise<readonly string[] | undefined> {
  if (file === undefined) return undefined;
  const ids: string[] = [];
  const handle = await openFile(file);
  // Line by line: the ids of a large corpus are more text than one JavaScript string holds.
  for await (const lines of readLines(handle.createReadStream(), file)) {
    for (const { text } of lines) ids.push(text);
  }
  if (ids.length !== rows) {
    throw new AppError(
      'input',
      'ids-count',
      `${file} has ${ids.length} ids, ${matrixFile} has ${rows} rows. One id a line is needed.`,
    );
  }
  const seen = new Map<string, number>();
  ids.forEach((id, row) => {
    const first = seen.get(id);
    if (first !== undefined) {
      throw new AppError(
        'input',
        'duplicate-id',
        `${file}: id "${id}" stands on lines ${first + 1} and ${row + 1}.`,
      );
    }
    seen.set(id, row);
  });
  return ids;
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await openFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function rowNumbers(rows: number): string[] {
  return Array.from({ length: rows }, (_, row) => String(row));
}
