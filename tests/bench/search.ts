/** `assay bench search`: the certified search in Chromium against what people use, same machine, same run, in turns. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { Bench, BenchLine, BenchOptions } from './bench.ts';
import { startHarness } from './search/harness.ts';
import {
  batch,
  freshThread,
  hnsw,
  loadDocuments,
  loop,
  masks,
  QUERIES,
  stream,
  threads,
  type Setting,
  type Size,
} from './search/measures.ts';
import { startPeer, type Peer, type PeerName } from './search/peer.ts';
import {
  encoderRows,
  madeUpBase,
  randomRows,
  readBase,
  writeRows,
  type VectorKind,
} from './search/vectors.ts';

/** Parts of the benchmark; ASSAY_BENCH_PARTS chooses some. */
const PARTS = ['batch', 'masks', 'threads', 'loop', 'hnsw', 'stream'] as const;
type Part = (typeof PARTS)[number];

/** What is measured. Each may be narrowed by an environment variable, e.g. ASSAY_BENCH_DOCUMENTS=100000. */
interface Plan {
  readonly dimensions: readonly number[];
  readonly documents: readonly number[];
  readonly kinds: readonly VectorKind[];
  readonly queries: readonly number[];
  readonly ks: readonly number[];
  readonly parts: readonly Part[];
  readonly rounds: number;
}

const SEED = 20_260_806;
/** A kernel memory holds 4 GiB; documents take a little more than 5 bytes a component there. */
const MOST_RESIDENT_BYTES = 3.6e9;

/** The search benchmark. Real vectors for the `encoder` data: ASSAY_BENCH_VECTORS and ASSAY_BENCH_QUERY_VECTORS (.npy). */
export const search: Bench = {
  name: 'search',
  about: 'exact top-k in Chromium against faiss or numpy (one thread, all threads, streamed, masked)',
  run: (options) => run(options, planOf(options)),
};

async function* run(options: BenchOptions, plan: Plan): AsyncGenerator<BenchLine> {
  const peerName = options.against ?? 'faiss';
  if (peerName !== 'faiss' && peerName !== 'numpy') {
    throw new AppError('input', 'unknown-peer', `--against is "${peerName}"; faiss and numpy are known.`);
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const harness = await startHarness(folder);
  try {
    for (const dimensions of plan.dimensions) {
      for (const kind of plan.kinds) {
        for (const documents of plan.documents) {
          const size: Size = { kind, dimensions, documents };
          await writeFiles(folder, size);
          yield* benchOne({ harness, size, rounds: plan.rounds }, plan, peerName, options.python, folder);
        }
      }
    }
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function* benchOne(
  setting: Setting,
  plan: Plan,
  peerName: PeerName,
  python: string | undefined,
  folder: string,
): AsyncGenerator<BenchLine> {
  const { size, harness } = setting;
  const { parts } = plan;
  const kernel = await freshThread(setting);
  yield { bench: 'search', what: 'kernel', kernel, processors: availableParallelism() };
  const resident = size.documents * size.dimensions * 5.4 <= MOST_RESIDENT_BYTES;
  if (!resident) {
    yield {
      bench: 'search',
      what: 'resident parts left out',
      ...size,
      why: 'more than one memory of 4 GiB holds',
    };
  }
  if (resident && parts.some((part) => part !== 'stream' && part !== 'threads')) {
    yield await loadDocuments(setting);
    const { peer, note } = await peerOrNote(peerName, python, folder, 1);
    if (note !== undefined) yield { bench: 'search', what: 'peer left out', why: note };
    try {
      await peer?.load();
      for (const count of plan.queries) {
        for (const k of plan.ks) {
          if (parts.includes('batch')) yield await batch(setting, count, k, peer);
          if (parts.includes('masks')) yield await masks(setting, count, k);
        }
      }
    } finally {
      peer?.end();
    }
    if (parts.includes('loop')) yield await loop(setting, 4, 10);
    if (parts.includes('hnsw') && size.documents <= 10_000) yield await hnsw(setting, 100, 10);
    await harness.end(0);
  }
  if (resident && parts.includes('threads')) {
    const { peer } = await peerOrNote(
      peerName,
      python,
      folder,
      Math.max(2, Math.min(8, availableParallelism())),
    );
    try {
      await peer?.load();
      yield* threads(setting, plan.queries, plan.ks, peer);
    } finally {
      peer?.end();
    }
  }
  if (parts.includes('stream')) yield* stream(setting, plan.ks);
}

async function peerOrNote(
  name: PeerName,
  python: string | undefined,
  folder: string,
  threadCount: number,
): Promise<{ peer?: Peer; note?: string }> {
  if (python === undefined) return { note: `${name} needs --python: a Python with ${name} and numpy` };
  try {
    return { peer: await startPeer(name, python, folder, threadCount) };
  } catch (thrown) {
    return { note: messageOf(thrown) };
  }
}

async function writeFiles(folder: string, { kind, dimensions, documents }: Size): Promise<void> {
  const vectors = process.env['ASSAY_BENCH_VECTORS'];
  const queryVectors = process.env['ASSAY_BENCH_QUERY_VECTORS'] ?? vectors;
  const make = async (seed: number, file: string | undefined, noise: number) => {
    if (kind === 'random') return randomRows(seed);
    const base = file === undefined ? madeUpBase(SEED, 6_000, 384) : await readBase(file);
    return encoderRows(seed, base, noise, dimensions);
  };
  await writeRows(path.join(folder, 'documents.npy'), documents, dimensions, await make(SEED, vectors, 0.3));
  await writeRows(
    path.join(folder, 'queries.npy'),
    QUERIES,
    dimensions,
    await make(SEED + 1, queryVectors, 0.2),
  );
}

function planOf({ quick }: BenchOptions): Plan {
  return {
    dimensions: numbers('DIMENSIONS', quick ? [384] : [384, 1_024]),
    documents: numbers('DOCUMENTS', quick ? [10_000] : [10_000, 100_000, 1_000_000]),
    kinds: words('KINDS', ['encoder', 'random'] as const, quick ? ['encoder'] : ['encoder', 'random']),
    queries: numbers('QUERIES', quick ? [1, 32] : [1, 32, QUERIES]),
    ks: numbers('K', [10, 100]),
    parts: words('PARTS', PARTS, PARTS),
    rounds: numbers('ROUNDS', [quick ? 1 : 5])[0] as number,
  };
}

function numbers(name: string, standard: readonly number[]): readonly number[] {
  const text = process.env[`ASSAY_BENCH_${name}`];
  if (text === undefined) return standard;
  const list = text.split(',').map(Number);
  if (list.some((value) => !Number.isInteger(value) || value < 1)) {
    throw new AppError(
      'input',
      'bench-setting',
      `ASSAY_BENCH_${name} is "${text}"; whole numbers, separated by commas.`,
    );
  }
  return list;
}

function words<T extends string>(name: string, allowed: readonly T[], standard: readonly T[]): readonly T[] {
  const text = process.env[`ASSAY_BENCH_${name}`];
  if (text === undefined) return standard;
  return text.split(',').map((word) => {
    const known = allowed.find((candidate) => candidate === word);
    if (known === undefined) {
      throw new AppError(
        'input',
        'bench-setting',
        `ASSAY_BENCH_${name} has "${word}"; known: ${allowed.join(', ')}.`,
      );
    }
    return known;
  });
}
