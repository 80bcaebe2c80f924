import plainKernel from '../../workers/search/kernel/search-plain.wasm?url';
import relaxedKernel from '../../workers/search/kernel/search-relaxed.wasm?url';
import { boardCells, clearBoard } from '../../workers/search/board.ts';
import { mergeAnswers } from '../../workers/search/merge-answers.ts';
import type { StorePlace } from '../contracts/blocks.ts';
import { crossingPlace, type CallOptions } from '../contracts/calls.ts';
import type {
  Restrictions,
  SearchAnswer,
  SearchWorkerApi,
  StoredSearch,
  WantedScores,
} from '../contracts/search.ts';
import { WorkerClient } from './worker-client.ts';

/** Below this many documents a thread a second one costs more to start than it saves. */
const DOCUMENTS_PER_THREAD = 8_192;

/** How a search is carried out; no ranking depends on it. */
export interface SearchScale {
  /** Documents in the corpus, where known; a small corpus is searched by one thread. */
  readonly documents?: number;
  /** Number of queries: the size of the board that threads share. */
  readonly queries: number;
}

/** The search workers: one a thread, started by the first search that has work for them. */
export class SearchClient {
  readonly #placeOfStore: (holder: string) => Promise<StorePlace>;
  readonly #threads: WorkerClient<SearchWorkerApi>[] = [];

  constructor(placeOfStore: (holder: string) => Promise<StorePlace>) {
    this.#placeOfStore = placeOfStore;
  }

  /** Certified exact rankings, the same for every number of threads. */
  async search(
    stored: StoredSearch,
    request: { readonly k: number } & Restrictions,
    scale: SearchScale,
    options?: CallOptions,
  ): Promise<SearchAnswer> {
    const cores = navigator.hardwareConcurrency || 1;
    const of = Math.max(
      1,
      Math.min(cores, 8, Math.floor((scale.documents ?? Infinity) / DOCUMENTS_PER_THREAD)),
    );
    const board = sharedBoard(of, scale.queries);
    const done = new Array<number>(of).fill(0);
    const answers = await Promise.all(
      Array.from({ length: of }, (_, part) =>
        this.#thread(part).call(
          {
            ...options,
            onProgress: (progress) => {
              done[part] = progress.done;
              const sum = done.reduce((total, count) => total + count, 0);
              options?.onProgress?.({
                ...progress,
                done: sum,
                ...(scale.documents === undefined ? {} : { total: scale.documents }),
              });
            },
          },
          (api, crossing) =>
            api.searchStored(
              stored,
              request,
              { part, of, ...(board === undefined ? {} : { board }) },
              crossing,
            ),
        ),
      ),
    );
    return mergeAnswers(answers, request.k);
  }

  /** float64 scores of wanted pairs, one array a query row. */
  scoresOf(stored: StoredSearch, wanted: WantedScores, options?: CallOptions): Promise<Float64Array[]> {
    return this.#thread(0).call(options, (api, crossing) => api.scoresStored(stored, wanted, crossing));
  }

  dispose(): void {
    for (const thread of this.#threads) thread.dispose();
  }

  #thread(part: number): WorkerClient<SearchWorkerApi> {
    return (this.#threads[part] ??= new WorkerClient<SearchWorkerApi>({
      name: 'search',
      start: () =>
        new Worker(new URL('../../workers/search/search.worker.ts', import.meta.url), {
          type: 'module',
          name: `search-${part}`,
        }),
      prepare: async (api) => {
        const place = await this.#placeOfStore(`search-${part}`);
        const sources = { plain: absolute(plainKernel), relaxed: absolute(relaxedKernel) };
        await api.open(crossingPlace(place), sources);
      },
      abortGraceMs: 1_000,
    }));
  }
}

/** Thresholds that all threads see; only with cross-origin isolation, and only where there is more than one thread. */
function sharedBoard(threads: number, queries: number): Int32Array | undefined {
  if (threads < 2 || globalThis.crossOriginIsolated !== true) return undefined;
  const board = new Int32Array(new SharedArrayBuffer(4 * boardCells(threads, queries)));
  clearBoard(board);
  return board;
}

function absolute(url: string): string {
  return new URL(url, document.baseURI).href;
}
