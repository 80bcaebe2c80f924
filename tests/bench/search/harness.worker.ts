/** The browser's side of the search benchmark: one thread that holds documents and answers timed requests. */
import type { SetKey } from '../../../src/contracts/blocks.ts';
import type {
  KernelKind,
  KernelSources,
  SearchAnswer,
  SearchBlock,
  SearchWorkerApi,
} from '../../../src/contracts/search.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createStoredSearch } from '../../../workers/search/stored-search.ts';
import { digestOf } from '../../../src/domain/digest.ts';
import { boardOf } from '../../../workers/search/board.ts';
import { loadKernel, type Kernel } from '../../../workers/search/kernel-module.ts';
import { ResidentSearch } from '../../../workers/search/search.ts';

/** Where rows are fetched: the harness server's own route. */
interface RowSource {
  readonly file: string;
  readonly rows: number;
  readonly dimensions: number;
}

/** Rows in a block as the encode worker writes them. */
const ENCODED_ROWS = 512;

let kernel: Kernel;
let resident: ResidentSearch | undefined;
let queries: { values: Float32Array; dimensions: number } | undefined;
let streamed: SearchWorkerApi | undefined;

async function fetchRows(source: RowSource, first: number, count: number): Promise<Float32Array> {
  const response = await fetch(`/rows?file=${source.file}&first=${first}&count=${count}`);
  return new Float32Array(await response.arrayBuffer());
}

async function* blocksFrom(
  source: RowSource,
  part: number,
  of: number,
  rows = Math.floor((16 * 1_024 * 1_024) / (source.dimensions * 4) / 8) * 8,
): AsyncGenerator<SearchBlock> {
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

function kernelSources(): KernelSources {
  const url = (name: string): string => new URL(`/${name}`, location.origin).href;
  return { plain: url('search-plain.wasm'), relaxed: url('search-relaxed.wasm') };
}

const operations = {
  async open({ kind }: { kind?: KernelKind }) {
    kernel = await loadKernel(kernelSources(), kind);
    return { kind: kernel.kind, isolated: globalThis.crossOriginIsolated };
  },
  async load({ source, part, of }: { source: RowSource; part: number; of: number }) {
    const share = Math.ceil(source.rows / of) + 65_536;
    resident = new ResidentSearch(kernel, source.dimensions, Math.min(share, source.rows + 8));
    let ms = 0;
    for await (const block of blocksFrom(source, part, of, 2 * ENCODED_ROWS)) {
      const from = performance.now();
      resident.load(block);
      ms += performance.now() - from;
    }
    return { ms, memoryBytes: resident.memoryBytes };
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
    part?: number;
    of?: number;
    answer?: boolean;
    digest?: boolean;
  }) {
    if (resident === undefined) throw new Error('nothing loaded');
    const wanted = request(args.count, args.k, args.offset ?? 0, args.mask ?? 0);
    const from = performance.now();
    const answer = resident.search(
      wanted,
      args.board ? { board: boardOf(args.board, args.part ?? 0, args.of ?? 1, args.k) } : {},
    );
    const ms = performance.now() - from;
    return {
      ms,
      counts: answer.counts,
      ...(args.digest ? { digest: await digest(answer) } : {}),
      ...(args.answer ? { ids: answer.rankings.map((ranking) => ranking.documentIds) } : {}),
    };
  },
  /** Puts documents and queries into the product's own store. */
  async store({ source, queries: querySource }: { source: RowSource; queries: RowSource }) {
    const store = await openStore({ kind: 'indexeddb' });
    await store.clear();
    const writeTexts = async (key: 'documents:bench' | 'queries:bench', rows: number) => {
      const writer =
        key === 'documents:bench'
          ? await store.openWriter(key, { source: 'bench' })
          : await store.openWriter(key, { source: 'bench' });
      for (let first = 0; first < rows; first += 50_000) {
        const count = Math.min(50_000, rows - first);
        const ids = Array.from({ length: count }, (_, i) => idOf(first + i));
        await writer.append({ ids, texts: ids.map(() => '') });
      }
      await writer.complete();
      await writer.close();
    };
    const writeVectors = async (key: SetKey<'vectors'>, from: RowSource, side: 'document' | 'query') => {
      const meta = {
        model: 'bench',
        modelDigest: '',
        dtype: 'fp32',
        device: 'none',
        encoding: {},
        side,
        textsDigest: '',
        dimensions: from.dimensions,
        rows: from.rows,
      };
      const writer = await store.openWriter(key, meta);
      for await (const { ids: _ids, ...block } of blocksFrom(from, 0, 1, ENCODED_ROWS))
        await writer.append(block);
      await writer.complete();
      await writer.close();
    };
    await writeTexts('documents:bench', source.rows);
    await writeTexts('queries:bench', querySource.rows);
    await writeVectors('vectors:bench-documents', source, 'document');
    await writeVectors('vectors:bench-queries', querySource, 'query');
    return {};
  },
  /** Reads everything once and does nothing with it: what reading alone costs. */
  async read() {
    const store = await openStore({ kind: 'indexeddb' });
    const first = performance.now();
    for await (const block of store.readBlocks('vectors:bench-documents')) void block;
    const second = performance.now();
    for await (const block of store.readBlocks('vectors:bench-documents')) void block;
    return { firstMs: second - first, againMs: performance.now() - second };
  },
  /** The product's own search worker logic over the store; `count` queries are all that are stored. */
  async stream({ k }: { k: number }) {
    streamed ??= createStoredSearch();
    await streamed.open({ kind: 'indexeddb' }, kernelSources());
    const from = performance.now();
    const answer = await streamed.searchStored(
      {
        documentsSet: 'documents:bench',
        documentVectors: 'vectors:bench-documents',
        queriesSet: 'queries:bench',
        queryVectors: 'vectors:bench-queries',
        similarity: 'cosine',
      },
      { k },
      { part: 0, of: 1 },
    );
    return { ms: performance.now() - from, counts: answer.counts, digest: await digest(answer) };
  },
  /** An approximate index in WASM: hnswlib. Recall is counted against our exact answer by the caller. */
  async hnsw({ source, count, k }: { source: RowSource; count: number; k: number }) {
    const { loadHnswlib } = await import('hnswlib-wasm');
    const library = await loadHnswlib();
    const index = new library.HierarchicalNSW('ip', source.dimensions, '');
    index.initIndex(source.rows, 16, 200, 100);
    const docs = await fetchRows(source, 0, source.rows);
    const { values, dimensions } = queries as { values: Float32Array; dimensions: number };
    const start = performance.now();
    for (let row = 0; row < source.rows; row++) {
      index.addPoint(docs.slice(row * dimensions, (row + 1) * dimensions), row, false);
    }
    const buildMs = performance.now() - start;
    index.setEfSearch(Math.max(64, 2 * k));
    const from = performance.now();
    const ids: string[][] = [];
    for (let query = 0; query < count; query++) {
      const { neighbors } = index.searchKnn(
        values.slice(query * dimensions, (query + 1) * dimensions),
        k,
        undefined,
      );
      ids.push(neighbors.map(idOf));
    }
    return { buildMs, ms: performance.now() - from, ids };
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
