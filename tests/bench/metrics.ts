import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readRun } from '../../src/codecs/run-reader.ts';
import type { NamedBytes } from '../../src/codecs/trec-lines.ts';
import type { Qrels } from '../../src/domain/qrels.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';
import { evaluateRun, parseMeasure } from '../../src/metrics/index.ts';
import { bootstrapMeans } from '../../src/stats/bootstrap.ts';
import { Pcg64 } from '../../src/stats/pcg64.ts';
import { median, type Bench } from './bench.ts';

const SEED = 20_260_811;
const CUTOFFS = [1, 3, 5, 10, 100, 1_000];
const NAMES = [
  ...['nDCG', 'AP', 'P', 'R', 'Success'].flatMap((name) => CUTOFFS.map((cutoff) => `${name}@${cutoff}`)),
  ...['nDCG', 'AP', 'RR', 'Rprec', 'Bpref', 'infAP', 'NumRet', 'NumRel', 'NumRelRet'],
];
const ROUNDS = 5;

/** The same measures in pytrec_eval: reads what we wrote, says how long that took, then evaluates once for each line it is sent. */
const PYTREC_EVAL = `
import sys, time, json, resource
import pytrec_eval
from importlib.metadata import version
ks = "${CUTOFFS.join(',')}"
measures = {m + "." + ks for m in ("ndcg_cut", "map_cut", "P", "recall", "success")} | {"ndcg", "map", "recip_rank", "Rprec", "bpref", "infAP", "num_ret", "num_rel", "num_rel_ret"}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
t = time.perf_counter()
with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
read = time.perf_counter() - t
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"version": version("pytrec-eval-terrier"), "readMs": 1000 * read, "readBytes": 1024 * (after - before)}), flush=True)
for line in sys.stdin:
    t, cpu = time.perf_counter(), time.process_time()
    got = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    t, cpu = time.perf_counter() - t, time.process_time() - cpu
    mean = lambda m: sum(v[m] for v in got.values()) / len(got)
    print(json.dumps({"ms": 1000 * t, "cpuMs": 1000 * cpu, "ndcg": mean("ndcg_cut_10"), "infAP": mean("infAP")}), flush=True)
`;

/** Metrics beside pytrec_eval, bootstrap intervals, and the memory of a run. */
export const metrics: Bench = {
  name: 'metrics',
  about: 'evaluating a run beside pytrec_eval, reading it, its memory, bootstrap intervals',
  async *run({ python, quick }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-metrics-'));
    try {
      const size = quick ? { queries: 100, depth: 200 } : { queries: 1_000, depth: 1_000 };
      const data = makeData(size.queries, size.depth);
      const [qrelsFile, runFile] = [path.join(folder, 'qrels.trec'), path.join(folder, 'run.trec')];
      await writeLines(qrelsFile, qrelsLines(data.qrels));
      await writeLines(runFile, runLines(data.unsorted));
      const runBytes = (await stat(runFile)).size;

      const measures = NAMES.map((name) => parseMeasure(name));
      const evaluate = (run: Run) => evaluateRun(run, data.qrels, measures);
      const rankings = rankAll(data.unsorted);
      const peer = await Peer.start(python, [qrelsFile, runFile]);
      const shared = { bench: 'metrics', ...size, measures: NAMES.length, rounds: ROUNDS, peer: peer.name };

      // In turns, so that a machine that is busy for a while is busy for both.
      const ours: Timed[] = [];
      const theirs: PeerRound[] = [];
      const evaluated: Timed[] = [];
      let result = evaluate(rankings);
      for (let round = 0; round <= ROUNDS; round++) {
        const whole = timed(() => (result = evaluate(rankAll(data.unsorted))));
        const peerRound = await peer.round();
        const evaluating = timed(() => evaluate(rankings));
        if (round === 0) continue; // warm-up of both
        ours.push(whole);
        evaluated.push(evaluating);
        if (peerRound !== null) theirs.push(peerRound);
      }
      peer.stop();
      const last = theirs.at(-1);
      yield {
        ...shared,
        what: 'rank unsorted scores and evaluate',
        ...timesOf(ours, theirs),
        largestDifference: last === undefined ? null : differences(result, last),
      };
      yield {
        ...shared,
        what: 'evaluate rankings that are in order (peer: ranks and evaluates)',
        ...timesOf(evaluated, theirs),
      };
      const memory = await readingMemory(runFile);
      yield {
        ...shared,
        what: 'read the run (peer: with qrels)',
        runBytes,
        oursMs: round1(memory.readMs),
        peerMs: peer.read === null ? null : round1(peer.read.readMs),
        ratio: peer.read === null ? null : ratio(memory.readMs, peer.read.readMs),
        oursKeptToRun: ratio(memory.keptBytes, runBytes),
        oursPeakToRun: ratio(memory.peakBytes, runBytes),
        peerPeakToRun: peer.read === null ? null : ratio(peer.read.readBytes, runBytes),
      };
      yield* bootstrapLine(quick);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function* bootstrapLine(quick: boolean) {
  const [queries, measureCount, resamples] = quick ? [200, 5, 500] : [939, 20, 5_000];
  const random = new Pcg64(SEED);
  const columns = Array.from({ length: measureCount }, () =>
    Float64Array.from({ length: queries }, () => random.random()),
  );
  const times = [1, 2, 3].map(() => timed(() => bootstrapMeans(columns, { resamples })));
  yield {
    bench: 'metrics',
    what: 'bootstrap intervals',
    queries,
    measures: measureCount,
    resamples,
    oursMs: round1(median(times.map((one) => one.ms))),
    oursCpuMs: round1(median(times.map((one) => one.cpuMs))),
    limitMs: 1_000,
    peer: null,
  };
}

interface Unsorted {
  readonly queryId: string;
  readonly ids: readonly string[];
  readonly scores: Float64Array;
}

/** Made-up judgements and scores: relevant documents score higher, some scores tie, nothing is in order. */
function makeData(queries: number, depth: number): { qrels: Qrels; unsorted: Unsorted[] } {
  const random = new Pcg64(SEED);
  const corpus = Array.from({ length: 100 * depth }, (_, i) => `doc-${String(i).padStart(8, '0')}`);
  const qrels = new Map<string, Map<string, number>>();
  const unsorted: Unsorted[] = [];
  for (let q = 0; q < queries; q++) {
    const queryId = `query-${q}`;
    const picked = new Set<number>();
    while (picked.size < depth) picked.add(Math.floor(random.random() * corpus.length));
    const ids = [...picked].map((i) => corpus[i] as string);
    const judged = new Map<string, number>();
    for (let i = 0; i < Math.min(depth, 60); i++)
      judged.set(ids[i * 2] ?? `absent-${i}`, Math.floor(random.random() * 4) - (i % 20 === 0 ? 1 : 0));
    for (let i = 0; i < 10; i++) judged.set(`absent-${i}`, 1);
    qrels.set(queryId, judged);
    const scores = Float64Array.from(ids, (id) =>
      Math.fround(Math.round(random.random() * 4_000) / 4_000 + 0.2 * Math.max(0, judged.get(id) ?? 0)),
    );
    for (let i = ids.length - 1; i > 0; i--) {
      const j = Math.floor(random.random() * (i + 1));
      [ids[i], ids[j]] = [ids[j] as string, ids[i] as string];
      [scores[i], scores[j]] = [scores[j] as number, scores[i] as number];
    }
    unsorted.push({ queryId, ids, scores });
  }
  return { qrels, unsorted };
}

function rankAll(unsorted: readonly Unsorted[]): Run {
  return new Map(unsorted.map(({ queryId, ids, scores }) => [queryId, rank(queryId, ids, scores)]));
}

function* qrelsLines(qrels: Qrels): Generator<string> {
  for (const [queryId, judgements] of qrels)
    yield [...judgements].map(([id, grade]) => `${queryId} 0 ${id} ${grade}\n`).join('');
}

function* runLines(unsorted: readonly Unsorted[]): Generator<string> {
  for (const { queryId, ids, scores } of unsorted)
    yield ids.map((id, i) => `${queryId} Q0 ${id} ${i + 1} ${scores[i]} bench\n`).join('');
}

async function writeLines(file: string, pieces: Iterable<string>): Promise<void> {
  const out = createWriteStream(file);
  for (const piece of pieces) if (!out.write(piece)) await once(out, 'drain');
  await new Promise<void>((resolve, reject) =>
    out.end((error?: Error | null) => (error ? reject(error) : resolve())),
  );
}

/** Reads a run once, watching memory: what stays after collecting, and the most that was held on the way, over what was there before. */
async function readingMemory(
  runFile: string,
): Promise<{ readMs: number; keptBytes: number; peakBytes: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    const { heapUsed, arrayBuffers, external } = process.memoryUsage();
    return heapUsed + Math.max(arrayBuffers, external);
  };
  collect();
  const before = held();
  let peak = before;
  const watched: NamedBytes = {
    name: runFile,
    async *stream(from) {
      for await (const piece of createReadStream(runFile, { start: from, highWaterMark: 1 << 20 })) {
        yield piece as Buffer;
        peak = Math.max(peak, held());
      }
    },
  };
  const start = performance.now();
  const { run } = await readRun(watched);
  const readMs = performance.now() - start;
  peak = Math.max(peak, held());
  collect();
  const kept = held() - before;
  // Named after collecting, so that the run cannot be collected before.
  if (run.size === 0) throw new Error(`${runFile} was read as an empty run`);
  return { readMs, keptBytes: kept, peakBytes: peak - before };
}

interface Timed {
  readonly ms: number;
  /** Processor time of all threads of the process, which other programs cannot lengthen much. */
  readonly cpuMs: number;
}

interface PeerRound extends Timed {
  readonly ndcg: number;
  readonly infAP: number;
}

interface PeerReading {
  readonly version: string;
  readonly readMs: number;
  readonly readBytes: number;
}

/** pytrec_eval in a process of its own, kept alive between rounds; or the reason why there is none. */
class Peer {
  readonly name: string;
  readonly read: PeerReading | null;
  readonly #child: ChildProcessWithoutNullStreams | null;
  readonly #lines: AsyncIterator<string> | null;

  private constructor(
    name: string,
    read: PeerReading | null,
    child: ChildProcessWithoutNullStreams | null,
    lines: AsyncIterator<string> | null,
  ) {
    this.name = name;
    this.read = read;
    this.#child = child;
    this.#lines = lines;
  }

  static async start(python: string | undefined, args: readonly string[]): Promise<Peer> {
    if (python === undefined)
      return new Peer('absent: name a Python that has pytrec-eval-terrier by --python', null, null, null);
    const child = spawn(python, ['-c', PYTREC_EVAL, ...args]);
    let complaint = '';
    child.stderr.on('data', (piece) => (complaint += String(piece)));
    child.once('error', (error) => (complaint += error.message));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done === true) {
      const reason = complaint.trim().split('\n').at(-1) ?? '';
      return new Peer(`absent: ${reason === '' ? 'it ended without a word' : reason}`, null, null, null);
    }
    const read = JSON.parse(first.value) as PeerReading;
    return new Peer(`pytrec-eval-terrier ${read.version}`, read, child, lines);
  }

  /** Evaluates once; null where there is no peer. */
  async round(): Promise<PeerRound | null> {
    if (this.#child === null || this.#lines === null) return null;
    this.#child.stdin.write('go\n');
    const answer = await this.#lines.next();
    return answer.done === true ? null : (JSON.parse(answer.value) as PeerRound);
  }

  stop(): void {
    this.#child?.stdin.end();
  }
}

function timesOf(ours: readonly Timed[], theirs: readonly Timed[]) {
  const [oursMs, oursCpuMs] = [median(ours.map((one) => one.ms)), median(ours.map((one) => one.cpuMs))];
  if (theirs.length === 0)
    return {
      oursMs: round1(oursMs),
      oursCpuMs: round1(oursCpuMs),
      peerMs: null,
      peerCpuMs: null,
      ratio: null,
    };
  const [peerMs, peerCpuMs] = [median(theirs.map((one) => one.ms)), median(theirs.map((one) => one.cpuMs))];
  return {
    oursMs: round1(oursMs),
    oursCpuMs: round1(oursCpuMs),
    peerMs: round1(peerMs),
    peerCpuMs: round1(peerCpuMs),
    ratio: ratio(oursMs, peerMs),
    ratioCpu: ratio(oursCpuMs, peerCpuMs),
  };
}

/** The larger difference of two means to the peer's: a benchmark of other numbers would compare nothing. */
function differences(result: ReturnType<typeof evaluateRun>, peer: PeerRound): number {
  const meanOf = (name: string): number => result.means.evaluated.values[NAMES.indexOf(name)] ?? NaN;
  return Math.max(Math.abs(meanOf('nDCG@10') - peer.ndcg), Math.abs(meanOf('infAP') - peer.infAP));
}

function timed(work: () => unknown): Timed {
  const cpu = process.cpuUsage();
  const start = performance.now();
  work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1_000 };
}

const round1 = (ms: number): number => Number(ms.toFixed(1));
const ratio = (ours: number, peer: number): number => Number((ours / peer).toFixed(3));
