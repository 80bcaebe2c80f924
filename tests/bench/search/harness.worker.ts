/** The browser's side of the search benchmark: one thread that holds documents and answers timed requests. */
import type { KernelKind, PackedRows, SearchAnswer, SearchBlock } from '../../../src/contracts/search.ts';
import { digestOf } from '../../../src/domain/digest.ts';
import { boardOf } from '../../../workers/search/board.ts';
import { loadKernel, type Kernel } from '../../../workers/search/kernel-module.ts';
import { packRows } from '../../../workers/search/rows.ts';
import { ResidentSearch, searchBlocks } from '../../../workers/search/search.ts';

/** Where rows are fetched: the harness server's own route. */
interface RowSource {
  readonly file: string;
  readonly rows: number;
  readonly dimensions: number;
}

let kernel: Kernel;
let resident: ResidentSearch | undefined;
let queries: { values: Float32Array; dimensions: number } | undefined;
let database: IDBDatabase | undefined;
let stored = 0;

async function fetchRows(source: RowSource, first: number, count: number): Promise<Float32Array> {
  const response = await fetch(`/rows?file=${source.file}&first=${first}&count=${count}`);
  return new Float32Array(await response.arrayBuffer());
}

async function* blocksFrom(source: RowSource, part: number, of: number): AsyncGenerator<SearchBlock> {
  const rows = Math.floor((16 * 1_024 * 1_024) / (source.dimensions * 4) / 8) * 8;
  for (let first = part * rows; first < source.rows; first += of * rows) {
    const count = Math.min(rows, source.rows - first);
    const values = await fetchRows(source, first, count);
    const ids = Array.from({ length: count }, (_, i) => idOf(first + i));
    yield { firstRow: first, rows: count, dimensions: source.dimensions, values, ids };
  }
}

/** Ids that sort like row numbers, so that the peer's ties can be compared. */
function idOf(row: number): string {
  return `d${String(row).padStart(8, '0')}`;
}

function request(count: number, k: number, offset: number, mask: number) {
  if (queries === undefined) throw new Error('no queries');
  const { values, dimensions } = queries;
  const visible =
    mask > 0
      ? {
          visible: {
            // Every `mask`-th byte of the corpus is hidden.
            bitmaps: [new Uint8Array(200_000).map((_, i) => (i % mask === 0 ? 0 : 255))],
            bitmapOf: new Int32Array(count),
          },
        }
      : {};
  return {
    queries: {
      ids: Array.from({ length: count }, (_, i) => `q${i}`),
      dimensions,
      values: values.subarray(offset * dimensions, (offset + count) * dimensions),
    },
    similarity: 'cosine' as const,
    k,
    ...visible,
  };
}

async function digest(answer: SearchAnswer): Promise<string> {
  const text = answer.rankings
    .map((ranking) => `${ranking.documentIds.join(' ')}|${Array.from(ranking.scores).join(' ')}`)
    .join('\n');
  return digestOf(text);
}

const operations = {
  async open({ kind }: { kind?: KernelKind }) {
    kernel = await loadKernel(
      {
        plain: new URL('/search-plain.wasm', location.origin).href,
        relaxed: new URL('/search-relaxed.wasm', location.origin).href,
      },
      kind,
    );
    return { kind: kernel.kind, isolated: globalThis.crossOriginIsolated };
  },
  async load({ source, part, of }: { source: RowSource; part: number; of: number }) {
    const share = Math.ceil(source.rows / of) + 65_536;
    resident = new ResidentSearch(kernel, source.dimensions, Math.min(share, source.rows + 8));
    let packMs = 0;
    for await (const block of blocksFrom(source, part, of)) {
      const from = performance.now();
      resident.load(block);
      packMs += performance.now() - from;
    }
    return { packMs, memoryBytes: resident.memoryBytes };
  },
  async queries({ source }: { source: RowSource }) {
    queries = { values: await fetchRows(source, 0, source.rows), dimensions: source.dimensions };
    return {};
  },
  async search(args: {
    count: number;
    k: number;
    offset?: number;
    mask?: number;
    board?: Int32Array;
    answer?: boolean;
  }) {
    if (resident === undefined) throw new Error('nothing loaded');
    const wanted = request(args.count, args.k, args.offset ?? 0, args.mask ?? 0);
    const from = performance.now();
    const answer = resident.search(wanted, args.board ? { board: boardOf(args.board) } : {});
    const ms = performance.now() - from;
    return {
      ms,
      counts: answer.counts,
      digest: await digest(answer),
      ...(args.answer ? { ids: answer.rankings.map((ranking) => ranking.documentIds) } : {}),
    };
  },
  async store({ source, part, of }: { source: RowSource; part: number; of: number }) {
    const name = `bench-${part}`;
    database?.close();
    await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
    database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('blocks');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    stored = 0;
    for await (const block of blocksFrom(source, part, of)) {
      const packed = packRows(kernel.instantiate(), block);
      const at = stored++;
      await new Promise<void>((resolve, reject) => {
        const transaction = (database as IDBDatabase).transaction('blocks', 'readwrite');
        transaction.objectStore('blocks').put({ ...block, packed }, at);
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
    }
    return { blocks: stored };
  },
  async reopen({ part }: { part: number }) {
    database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(`bench-${part}`, 1);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    stored = await new Promise<number>((resolve, reject) => {
      const counting = (database as IDBDatabase).transaction('blocks').objectStore('blocks').count();
      counting.onsuccess = () => resolve(counting.result);
      counting.onerror = () => reject(counting.error);
    });
    return { stored };
  },
  async stream({ count, k }: { count: number; k: number }) {
    let readMs = 0;
    const db = database as IDBDatabase;
    const read = async function* (): AsyncGenerator<SearchBlock> {
      for (let i = 0; i < stored; i++) {
        const from = performance.now();
        const block = await new Promise<SearchBlock & { packed: PackedRows }>((resolve, reject) => {
          const getting = db.transaction('blocks').objectStore('blocks').get(i);
          getting.onsuccess = () => resolve(getting.result as SearchBlock & { packed: PackedRows });
          getting.onerror = () => reject(getting.error);
        });
        readMs += performance.now() - from;
        yield block;
      }
    };
    const from = performance.now();
    const answer = await searchBlocks(kernel, read(), request(count, k, 0, 0));
    return { ms: performance.now() - from, readMs, counts: answer.counts, digest: await digest(answer) };
  },
  /** What most JavaScript does: a float32 loop with one heap. Float32 sums in JavaScript are float64 sums. */
  async loop({ source, count, k }: { source: RowSource; count: number; k: number }) {
    const docs = await fetchRows(source, 0, source.rows);
    const { values, dimensions } = queries as { values: Float32Array; dimensions: number };
    const from = performance.now();
    for (let query = 0; query < count; query++) {
      const best: { row: number; score: number }[] = [];
      for (let row = 0; row < source.rows; row++) {
        let score = 0;
        for (let i = 0; i < dimensions; i++) {
          score += (values[query * dimensions + i] as number) * (docs[row * dimensions + i] as number);
        }
        if (best.length < k || score > (best[best.length - 1] as { score: number }).score) {
          let at = best.length;
          while (at > 0 && (best[at - 1] as { score: number }).score < score) at--;
          best.splice(at, 0, { row, score });
          if (best.length > k) best.pop();
        }
      }
    }
    return { ms: performance.now() - from };
  },
};

self.onmessage = async (
  event: MessageEvent<{ id: number; operation: keyof typeof operations; args: never }>,
) => {
  const { id, operation, args } = event.data;
  try {
    self.postMessage({ id, result: await operations[operation](args) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};
