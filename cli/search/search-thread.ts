import { parentPort, workerData } from 'node:worker_threads';
import type { SearchAnswer, SearchRequest } from '../../src/contracts/search.ts';
import { AppError, toErrorData, type AppErrorData } from '../../src/domain/app-error.ts';
import { searchBlocks } from '../../workers/search/search.ts';
import { loadNodeKernel } from './node-kernel.ts';
import { NpyDocuments } from './npy-blocks.ts';
import { boardOf } from '../../workers/search/board.ts';

/** What a thread of `assay search` is given: a part of the documents, and all the rest. */
export interface SearchThreadData {
  readonly assayThread: 'search';
  readonly documents: string;
  readonly ids: readonly string[] | undefined;
  readonly request: SearchRequest;
  readonly part: number;
  readonly of: number;
  /** `boardCells` int32 in shared memory. */
  readonly board: Int32Array;
}

/** What a thread sends once, at its end. */
export type SearchThreadResult =
  | { readonly kind: 'answer'; readonly answer: SearchAnswer }
  | { readonly kind: 'error'; readonly error: AppErrorData };

/** Whether this thread was started to search. */
export function isSearchThread(): boolean {
  return (workerData as Partial<SearchThreadData> | null)?.assayThread === 'search';
}

/** Runs the thread's part and posts its answer. */
export async function runSearchThread(): Promise<void> {
  const { documents, ids, request, part, of, board } = workerData as SearchThreadData;
  const post = (result: SearchThreadResult): void => parentPort?.postMessage(result);
  try {
    post({ kind: 'answer', answer: await searchPart(documents, ids, request, part, of, board) });
  } catch (thrown) {
    post({ kind: 'error', error: toErrorData(thrown) });
  }
}

/** Searches the blocks of one part of a file. */
export async function searchPart(
  path: string,
  ids: readonly string[] | undefined,
  request: SearchRequest,
  part: number,
  of: number,
  board?: Int32Array,
  onProgress?: (documents: number) => void,
): Promise<SearchAnswer> {
  const documents = await NpyDocuments.open(path);
  try {
    if (documents.dimensions !== request.queries.dimensions) {
      throw new AppError(
        'search',
        'dimension-mismatch',
        `${path} has ${documents.dimensions} dimensions, the queries have ${request.queries.dimensions}. Both must come from one model.`,
      );
    }
    return await searchBlocks(await loadNodeKernel(), documents.blocks(ids, part, of), request, {
      ...(board ? { board: boardOf(board, part, of, request.k) } : {}),
      ...(onProgress ? { options: { onProgress: ({ done }) => onProgress(done) } } : {}),
    });
  } finally {
    await documents.close();
  }
}
