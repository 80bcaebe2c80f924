/** `assay bench search`: the certified search in Chromium against what people use, same machine, same run, in turns. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AppError } from '../../src/domain/app-error.ts';
import { projectRoot } from '../../cli/project-root.ts';
import type { SearchCounts } from '../../src/contracts/search.ts';
import { startHarness, type Harness } from './search/harness.ts';
import {
  encoderRows,
  madeUpBase,
  randomRows,
  readBase,
  writeRows,
  type VectorKind,
} from './search/vectors.ts';

/** What is measured; the defaults take about half an hour. */
export interface SearchBenchOptions {
  readonly against: 'faiss' | 'numpy';
  /** Python with the peer installed. Default: ASSAY_PYTHON, else `python3`. */
  readonly python?: string;
  readonly dimensions?: readonly number[];
  readonly documents?: readonly number[];
  readonly queries?: readonly number[];
  readonly ks?: readonly number[];
  readonly kinds?: readonly VectorKind[];
  readonly rounds?: number;
  /** Real vectors to make `encoder` data from (.npy, float32); default: made-up ones. */
  readonly base?: string;
  readonly baseQueries?: string;
  /** Which parts to run. */
  readonly parts?: readonly ('batch' | 'threads' | 'masks' | 'stream' | 'loop')[];
}

/** One line of the benchmark's output. */
export type SearchBenchLine = Readonly<Record<string, unknown>>;

const SEED = 20_260_806;
const QUERIES = 939;

/** Yields one object a measurement: what, size, ours, peer, ratio. Medians of `rounds` alternating rounds. */
export async function* bench(options: SearchBenchOptions): AsyncGenerator<SearchBenchLine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const harness = await startHarness(folder);
  try {
    const opened = await harness.call<{ kind: string; isolated: boolean }>(0, 'open', {});
    yield { what: 'kernel', ...opened, processors: availableParallelism() };
    for (const dimensions of options.dimensions ?? [384, 1_024]) {
      for (const kind of options.kinds ?? ['encoder', 'random']) {
        for (const documents of options.documents ?? [10_000, 100_000, 1_000_000]) {
          yield* benchOne(options, harness, folder, { kind, dimensions, documents });
        }
      }
    }
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Size {
  readonly kind: VectorKind;
  readonly dimensions: number;
  readonly documents: number;
}

async function* benchOne(
  options: SearchBenchOptions,
  harness: Harness,
  folder: string,
  size: Size,
): AsyncGenerator<SearchBenchLine> {
  const { dimensions, documents } = size;
  await writeFiles(options, folder, size);
  const source = { file: 'documents.npy', rows: documents, dimensions };
  const querySource = { file: 'queries.npy', rows: QUERIES, dimensions };
  const parts = options.parts ?? ['batch', 'threads', 'masks', 'stream', 'loop'];
  const rounds = options.rounds ?? 5;
  await harness.call(0, 'open', {});
  await harness.call(0, 'queries', { source: querySource });
  const budget = documents * dimensions * 5.3;
  const fits = budget < 3.2e9;
  if (fits && parts.some((part) => part !== 'stream')) {
    const loaded = await harness.call<{ packMs: number; memoryBytes: number }>(0, 'load', {
      source,
      part: 0,
      of: 1,
    });
    yield { what: 'pack', ...size, ms: loaded.packMs, memoryBytes: loaded.memoryBytes };
    const peer = await startPeer(options, folder, 1);
    try {
      for (const count of options.queries ?? [1, 32, QUERIES]) {
        for (const k of options.ks ?? [10, 100]) {
          if (parts.includes('batch')) yield await batch(options, harness, peer, size, count, k, rounds);
          if (parts.includes('masks')) yield await masks(harness, size, count, k, rounds);
        }
      }
    } finally {
      peer.end();
    }
    await harness.end(0);
    await harness.call(0, 'open', {});
    await harness.call(0, 'queries', { source: querySource });
  }
  if (fits && parts.includes('threads')) yield* threads(options, harness, size, rounds);
  if (parts.includes('stream')) yield* stream(options, harness, size);
  if (fits && parts.includes('loop')) {
    const { ms } = await harness.call<{ ms: number }>(0, 'loop', { source, count: 4, k: 10 });
    yield { what: 'typed-array loop', ...size, queries: 4, k: 10, ms };
  }
}

async function batch(
  options: SearchBenchOptions,
  harness: Harness,
  peer: Peer,
  size: Size,
  count: number,
  k: number,
  rounds: number,
): Promise<SearchBenchLine> {
  const repeat = count === 1 ? 15 : count === 32 ? 5 : 1;
  const ours: number[] = [];
  const blas: number[] = [];
  const shipped: number[] = [];
  let counts: SearchCounts | undefined;
  let peerIds: number[][] = [];
  let ids: string[][] = [];
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < repeat; i++) {
      const result = await harness.call<{ ms: number; counts: SearchCounts; ids: string[][] }>(0, 'search', {
        count,
        k,
        answer: round === -1,
      });
      counts = result.counts;
      if (round === -1) ids = result.ids;
      else ours.push(result.ms);
    }
    for (let i = 0; i < repeat; i++) {
      const result = await peer.search(count, k, 'blas', round === -1);
      if (round === -1) peerIds = result.ids;
      else blas.push(result.ms);
    }
    // As shipped, a batch of 32 takes a slow loop: few rounds tell enough.
    if (options.against === 'faiss' && round < (count === 32 ? 2 : rounds)) {
      for (let i = 0; i < repeat; i++) {
        const { ms } = await peer.search(count, k, 'shipped', false);
        if (round >= 0) shipped.push(ms);
      }
    }
  }
  const same = ids.filter((list, query) =>
    list.every((id, i) => Number(id.slice(1)) === peerIds[query]?.[i]),
  ).length;
  const best = count === 1 && shipped.length > 0 ? Math.min(median(blas), median(shipped)) : median(blas);
  return {
    what: 'batch',
    ...size,
    queries: count,
    k,
    oursMs: median(ours),
    peer: options.against,
    peerBlasMs: median(blas),
    ...(shipped.length > 0 ? { peerShippedMs: median(shipped) } : {}),
    ratio: round2(best / median(ours)),
    ratioBlas: round2(median(blas) / median(ours)),
    ...(shipped.length > 0 ? { ratioShipped: round2(median(shipped) / median(ours)) } : {}),
    gigaflops: round2((2e-6 * count * size.documents * size.dimensions) / median(ours)),
    candidatesPerQuery: round2((counts?.candidates ?? 0) / count),
    rescoredPerQuery: round2((counts?.rescored ?? 0) / count),
    rankingsEqualToPeer: `${same}/${count}`,
  };
}

async function masks(
  harness: Harness,
  size: Size,
  count: number,
  k: number,
  rounds: number,
): Promise<SearchBenchLine> {
  const plain: number[] = [];
  const masked: number[] = [];
  const repeat = count === 1 ? 15 : 1;
  for (let i = 0; i < (rounds + 1) * repeat; i++) {
    plain.push((await harness.call<{ ms: number }>(0, 'search', { count, k })).ms);
    masked.push((await harness.call<{ ms: number }>(0, 'search', { count, k, mask: 10 })).ms);
  }
  return {
    what: 'masks (a tenth hidden)',
    ...size,
    queries: count,
    k,
    plainMs: median(plain),
    maskedMs: median(masked),
    ratio: round2(median(masked) / median(plain)),
  };
}

async function* threads(
  options: SearchBenchOptions,
  harness: Harness,
  size: Size,
  rounds: number,
): AsyncGenerator<SearchBenchLine> {
  const source = { file: 'documents.npy', rows: size.documents, dimensions: size.dimensions };
  const querySource = { file: 'queries.npy', rows: QUERIES, dimensions: size.dimensions };
  const most = Math.max(2, Math.min(8, availableParallelism()));
  const times = new Map<string, Map<number, number>>();
  for (const count of [1, most]) {
    for (let thread = 0; thread < count; thread++) {
      await harness.call(thread, 'open', {});
      await harness.call(thread, 'queries', { source: querySource });
      await harness.call(thread, 'load', { source, part: thread, of: count });
    }
    for (const queries of options.queries ?? [1, 32, QUERIES]) {
      for (const k of options.ks ?? [10, 100]) {
        const all: number[] = [];
        for (let round = -1; round < rounds * (queries === 1 ? 15 : 1); round++) {
          const { ms } = await harness.together(count, { count: queries, k });
          if (round >= 0) all.push(ms);
        }
        const key = `${queries} ${k}`;
        const known = times.get(key) ?? new Map<number, number>();
        known.set(count, median(all));
        times.set(key, known);
      }
    }
    for (let thread = 0; thread < count; thread++) await harness.end(thread);
  }
  for (const [key, byThreads] of times) {
    const [queries, k] = key.split(' ').map(Number);
    const one = byThreads.get(1) as number;
    const many = byThreads.get(most) as number;
    yield {
      what: 'threads',
      ...size,
      queries,
      k,
      threads: most,
      oneMs: one,
      manyMs: many,
      ratio: round2(one / many),
    };
  }
  await harness.call(0, 'open', {});
  await harness.call(0, 'queries', { source: querySource });
}

async function* stream(
  options: SearchBenchOptions,
  harness: Harness,
  size: Size,
): AsyncGenerator<SearchBenchLine> {
  const source = { file: 'documents.npy', rows: size.documents, dimensions: size.dimensions };
  await harness.call(0, 'store', { source, part: 0, of: 1 });
  // A fresh thread: what it holds is the search's own.
  await harness.end(0);
  await harness.call(0, 'open', {});
  await harness.call(0, 'queries', {
    source: { file: 'queries.npy', rows: QUERIES, dimensions: size.dimensions },
  });
  await harness.call(0, 'reopen', { part: 0 });
  for (const count of options.queries ?? [32, QUERIES]) {
    for (const k of options.ks ?? [10, 100]) {
      const result = await harness.call<{ ms: number; readMs: number; wasmBytes: number }>(0, 'stream', {
        count,
        k,
      });
      yield {
        what: 'streamed from IndexedDB',
        ...size,
        queries: count,
        k,
        ms: result.ms,
        readMs: result.readMs,
        wasmBytes: result.wasmBytes,
        peakRendererBytes: await harness.peakBytes(),
      };
    }
  }
}

async function writeFiles(options: SearchBenchOptions, folder: string, size: Size): Promise<void> {
  const { kind, dimensions, documents } = size;
  const make = async (seed: number, file: string | undefined, noise: number) => {
    if (kind === 'random') return randomRows(seed);
    const base = file === undefined ? madeUpBase(SEED, 6_000, 384) : await readBase(file);
    return encoderRows(seed, base, noise, dimensions);
  };
  await writeRows(
    path.join(folder, 'documents.npy'),
    documents,
    dimensions,
    await make(SEED, options.base, 0.3),
  );
  await writeRows(
    path.join(folder, 'queries.npy'),
    QUERIES,
    dimensions,
    await make(SEED + 1, options.baseQueries ?? options.base, 0.2),
  );
}

interface Peer {
  search(
    count: number,
    k: number,
    mode: 'blas' | 'shipped',
    ids: boolean,
  ): Promise<{ ms: number; ids: number[][] }>;
  end(): void;
}

async function startPeer(options: SearchBenchOptions, folder: string, threads: number): Promise<Peer> {
  const python = options.python ?? process.env['ASSAY_PYTHON'] ?? 'python3';
  const script = path.join(projectRoot, 'tests', 'bench', 'search', 'peer.py');
  const child: ChildProcessWithoutNullStreams = spawn(python, [script, options.against, String(threads)]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.on('error', (error) => (errors += error.message));
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new AppError(
        'input',
        'peer-failed',
        `${options.against} does not run with ${python}: ${errors.trim().split('\n').at(-1)}. Install it (pip install faiss-cpu numpy) and name that Python in ASSAY_PYTHON.`,
      );
    }
    return JSON.parse(value as string) as Record<string, unknown>;
  };
  const ask = async (request: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
  await next();
  await ask({
    do: 'load',
    documents: path.join(folder, 'documents.npy'),
    queries: path.join(folder, 'queries.npy'),
  });
  return {
    search: (count, k, mode, ids) =>
      ask({ do: 'search', count, k, mode, ids }) as unknown as Promise<{ ms: number; ids: number[][] }>,
    end: () => void child.kill(),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
