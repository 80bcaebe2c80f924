import { availableParallelism } from 'node:os';
import type { SearchCounts } from '../../../src/contracts/search.ts';
import { median, type BenchLine } from '../bench.ts';
import type { Harness } from './harness.ts';
import type { Peer } from './peer.ts';
import type { VectorKind } from './vectors.ts';

/** What is searched. */
export interface Size {
  readonly kind: VectorKind;
  readonly dimensions: number;
  readonly documents: number;
}

/** Queries in the file: what ExecRetrieval has. */
export const QUERIES = 939;

/** What a measurement works with. */
export interface Setting {
  readonly harness: Harness;
  readonly size: Size;
  readonly rounds: number;
}

/** A short search is repeated inside each round: the clock and the first call must not decide. */
function repeats(queries: number): number {
  return queries === 1 ? 15 : queries < 100 ? 5 : 1;
}

function sources({ dimensions, documents }: Size) {
  return {
    documents: { file: 'documents.npy', rows: documents, dimensions },
    queries: { file: 'queries.npy', rows: QUERIES, dimensions },
  };
}

/** Starts a fresh thread in the browser with kernel and queries. */
export async function freshThread({ harness, size }: Setting, thread = 0): Promise<string> {
  await harness.end(thread);
  const { kind } = await harness.call<{ kind: string }>(thread, 'open', {});
  await harness.call(thread, 'queries', { source: sources(size).queries });
  return kind;
}

/** Loads a share of the documents into a thread and keeps them there, packed and as float32. */
export async function loadDocuments(setting: Setting, thread = 0, threads = 1): Promise<BenchLine> {
  const { ms, memoryBytes } = await setting.harness.call<{ ms: number; memoryBytes: number }>(
    thread,
    'load',
    { source: sources(setting.size).documents, part: thread, of: threads },
  );
  return { bench: 'search', what: 'copy in and pack', ...setting.size, ms: rounded(ms), memoryBytes };
}

/** Our whole certified search and the peer's, in alternating rounds. */
export async function batch(setting: Setting, count: number, k: number, peer?: Peer): Promise<BenchLine> {
  const { harness, size, rounds } = setting;
  const ours: number[] = [];
  const blas: number[] = [];
  const shipped: number[] = [];
  const first = await harness.call<{ counts: SearchCounts; ids: string[][] }>(0, 'search', {
    count,
    k,
    answer: true,
  });
  const peerFirst = await peer?.search(count, k, 'blas', true);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < repeats(count); i++) {
      ours.push((await harness.call<{ ms: number }>(0, 'search', { count, k })).ms);
    }
    if (peer === undefined) continue;
    for (let i = 0; i < repeats(count); i++) blas.push((await peer.search(count, k, 'blas', false)).ms);
    // As shipped, faiss takes a slow loop for small batches: a few rounds tell enough.
    if (count < 100 && count > 1 && round > 1) continue;
    for (let i = 0; i < Math.min(repeats(count), count === 1 ? 15 : 1); i++) {
      shipped.push((await peer.search(count, k, 'shipped', false)).ms);
    }
  }
  const oursMs = median(ours);
  const line = {
    bench: 'search',
    what: 'whole certified search, one thread',
    ...size,
    queries: count,
    k,
    oursMs: rounded(oursMs),
    oursMinMs: rounded(Math.min(...ours)),
    gigaflops: rounded((2e-6 * count * size.documents * size.dimensions) / oursMs),
    rescoredPerQuery: rounded(first.counts.rescored / count),
  };
  if (peer === undefined || peerFirst === undefined) return { ...line, peer: null };
  const same = first.ids.filter((list, query) =>
    list.every((id, i) => Number(id.slice(1)) === peerFirst.ids[query]?.[i]),
  ).length;
  return {
    ...line,
    peer: peer.version,
    peerBlasMs: rounded(median(blas)),
    peerBlasMinMs: rounded(Math.min(...blas)),
    peerShippedMs: rounded(median(shipped)),
    // One query is fastest as shipped, a batch as a matrix product: the peer's best.
    ratio: rounded(Math.min(median(blas), count === 1 ? median(shipped) : Infinity) / oursMs),
    ratioShipped: rounded(median(shipped) / oursMs),
    rankingsEqualToPeer: same,
  };
}

/** The same search with a bitmap that hides a tenth of the documents from every query. */
export async function masks(
  { harness, size, rounds }: Setting,
  count: number,
  k: number,
): Promise<BenchLine> {
  const plain: number[] = [];
  const masked: number[] = [];
  for (let i = 0; i < rounds * repeats(count) + 1; i++) {
    plain.push((await harness.call<{ ms: number }>(0, 'search', { count, k })).ms);
    masked.push((await harness.call<{ ms: number }>(0, 'search', { count, k, mask: 10 })).ms);
  }
  return {
    bench: 'search',
    what: 'bitmap that hides a tenth',
    ...size,
    queries: count,
    k,
    plainMs: rounded(median(plain)),
    maskedMs: rounded(median(masked)),
    ratio: rounded(median(masked) / median(plain)),
  };
}

/** One thread against all, documents shared out, thresholds in shared memory; waiting counted until the last is done. */
export async function* threads(
  setting: Setting,
  queries: readonly number[],
  ks: readonly number[],
  peer?: Peer,
): AsyncGenerator<BenchLine> {
  const { harness, size, rounds } = setting;
  const most = Math.max(2, Math.min(8, availableParallelism()));
  // The second set of threads holds the shares; the first thread holds everything. Both stay, to alternate.
  for (let thread = 0; thread <= most; thread++) await freshThread(setting, thread);
  await loadDocuments(setting);
  for (let thread = 0; thread < most; thread++) {
    await harness.call(thread + 1, 'load', { source: sources(size).documents, part: thread, of: most });
  }
  const many = Array.from({ length: most }, (_, thread) => thread + 1);
  for (const count of queries) {
    for (const k of ks) {
      const one: number[] = [];
      const all: number[] = [];
      const peers: number[] = [];
      for (let round = -1; round < rounds * repeats(count); round++) {
        const alone = await harness.together([0], { count, k });
        const shared = await harness.together(many, { count, k });
        if (round >= 0) one.push(alone.ms);
        if (round >= 0) all.push(shared.ms);
        const theirs = await peer?.search(count, k, count === 1 ? 'shipped' : 'blas', false);
        if (round >= 0 && theirs) peers.push(theirs.ms);
      }
      yield {
        bench: 'search',
        what: 'threads',
        ...size,
        queries: count,
        k,
        threads: most,
        oneThreadMs: rounded(median(one)),
        allThreadsMs: rounded(median(all)),
        ratio: rounded(median(one) / median(all)),
        // What the machine can do when nobody else runs for a moment.
        ratioOfFastest: rounded(Math.min(...one) / Math.min(...all)),
        peerAllThreadsMs: peers.length > 0 ? rounded(median(peers)) : null,
        ratioToPeer: peers.length > 0 ? rounded(median(peers) / median(all)) : null,
      };
    }
  }
  for (const thread of [0, ...many]) await harness.end(thread);
}

/** The product's own path over IndexedDB, reading counted and shown apart, with the renderer's peak memory. */
export async function* stream(setting: Setting, ks: readonly number[]): AsyncGenerator<BenchLine> {
  const { harness, size } = setting;
  await freshThread(setting);
  await harness.call(0, 'store', { source: sources(size).documents, queries: sources(size).queries });
  await harness.end(0);
  // A fresh page in a fresh process: what it holds from here on is the search's own.
  await harness.reload();
  await harness.call(0, 'open', {});
  const read = await harness.call<{ firstMs: number; againMs: number }>(0, 'read', {});
  for (const k of ks) {
    await harness.end(0);
    await harness.reload();
    await harness.call(0, 'open', {});
    const before = await harness.memoryBytes();
    const watched = watchMemory(harness);
    const result = await harness.call<{ ms: number }>(0, 'stream', { k });
    const ownPeak = await watched.stop();
    const after = await harness.memoryBytes();
    yield {
      bench: 'search',
      what: 'streamed from IndexedDB, one thread',
      ...size,
      queries: QUERIES,
      k,
      ms: rounded(result.ms),
      readingAloneMs: rounded(read.firstMs),
      readingAgainMs: rounded(read.againMs),
      peakBytes: after?.peak ?? null,
      bytesBefore: before?.now ?? null,
      ownPeakBytes: ownPeak,
      ownBytesBefore: before?.own ?? null,
    };
  }
  await harness.end(0);
}

/** Looks at the page's own memory every 50 ms until it is stopped; then gives the most that was seen. */
function watchMemory(harness: Harness): { stop: () => Promise<number | null> } {
  let peak: number | null = null;
  let running = true;
  const look = async (): Promise<void> => {
    while (running) {
      const memory = await harness.memoryBytes();
      if (memory !== undefined) peak = Math.max(peak ?? 0, memory.own);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const looking = look();
  return {
    async stop() {
      running = false;
      await looking;
      return peak;
    },
  };
}

/** What most people write: one loop over a Float32Array. */
export async function loop(setting: Setting, count: number, k: number): Promise<BenchLine> {
  const { ms } = await setting.harness.call<{ ms: number }>(0, 'loop', {
    source: sources(setting.size).documents,
    count,
    k,
  });
  const ours = await setting.harness.call<{ ms: number }>(0, 'search', { count, k });
  return {
    bench: 'search',
    what: 'typed-array loop',
    ...setting.size,
    queries: count,
    k,
    oursMs: rounded(ours.ms),
    peerMs: rounded(ms),
    ratio: rounded(ms / ours.ms),
  };
}

/** The approximate index that people use in browsers, with its recall of our exact top k. */
export async function hnsw(setting: Setting, count: number, k: number): Promise<BenchLine> {
  const ours = await setting.harness.call<{ ms: number; ids: string[][] }>(0, 'search', {
    count,
    k,
    answer: true,
  });
  const theirs = await setting.harness.call<{ ms: number; buildMs: number; ids: string[][] }>(0, 'hnsw', {
    source: sources(setting.size).documents,
    count,
    k,
  });
  let found = 0;
  ours.ids.forEach((ids, query) => {
    const exact = new Set(ids);
    found += (theirs.ids[query] ?? []).filter((id) => exact.has(id)).length;
  });
  return {
    bench: 'search',
    what: 'hnswlib-wasm (M 16, efConstruction 200), approximate',
    ...setting.size,
    queries: count,
    k,
    oursMs: rounded(ours.ms),
    peerMs: rounded(theirs.ms),
    peerBuildMs: rounded(theirs.buildMs),
    peerRecall: rounded(found / (count * k)),
    ratio: rounded(theirs.ms / ours.ms),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
