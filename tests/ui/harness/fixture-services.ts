import { BENCHMARKS } from '../../../src/benchmarks/list.ts';
import { AppError, toErrorData } from '../../../src/domain/app-error.ts';
import { MODELS } from '../../../src/models/index.ts';
import { PROTOCOLS } from '../../../src/protocols/index.ts';
import { PHASES, type Phase, type RunRequest, type RunState } from '../../../src/run/run-state.ts';
import { fixtureResult } from './fixture-result.ts';
import type { PageServices, RunHandle, RunSummary } from '../../../src/ui/page-services.ts';

const COUNTS: Record<string, readonly [total: number, unit: string, perSecond: number, note?: string]> = {
  load: [180_000, 'bytes', 900_000],
  'encode documents': [
    300,
    'documents',
    38,
    'WASM, 2 threads: WebGPU here is software and took 14 times as long on 8 texts.',
  ],
  'encode queries': [60, 'queries', 90],
  search: [60, 'queries', 900],
  judge: [600, 'suites', 60],
  score: [5_000, 'resamples', 20_000],
};

/** A run that goes by the clock; `fail` makes it stop in the middle of judging. */
class FixtureRun implements RunHandle {
  #state: RunState;
  readonly #listeners = new Set<(state: RunState) => void>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #speed: number;
  readonly #fail: boolean;

  constructor(request: RunRequest, speed: number, fail: boolean) {
    this.#speed = speed;
    this.#fail = fail;
    this.#state = {
      id: 'fixture',
      request,
      status: { kind: 'running' },
      phases: PHASES.map((name) => ({
        name,
        status: 'waiting',
        done: 0,
        unit: COUNTS[name]?.[1] ?? '',
        elapsedMs: 0,
        rateHistory: [],
      })),
      warnings: [],
      partialMetrics: [],
      startedAt: new Date().toISOString(),
    };
    this.#timer = setInterval(() => this.#step(), 100);
  }

  get state(): RunState {
    return this.#state;
  }

  subscribe(listener: (state: RunState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  pause(): void {
    this.#set({ status: { kind: 'paused' } });
  }

  resume(): void {
    this.#set({ status: { kind: 'running' } });
  }

  cancel(): void {
    clearInterval(this.#timer);
    this.#set({ status: { kind: 'cancelled' } });
  }

  #set(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  #step(): void {
    if (this.#state.status.kind !== 'running') return;
    const index = this.#state.phases.findIndex(({ status }) => status !== 'done');
    const phase = this.#state.phases[index];
    if (phase === undefined) {
      clearInterval(this.#timer);
      this.#set({ status: { kind: 'complete', recordId: 'fixture' } });
      return;
    }
    const [total, , perSecond, note] = COUNTS[phase.name] ?? [1, '', 1];
    const done = Math.min(total, Math.round(phase.done + (perSecond * this.#speed) / 10));
    const rate = perSecond * (0.8 + 0.4 * Math.abs(Math.sin(done)));
    const next: Phase = {
      ...phase,
      status: done === total ? 'done' : 'running',
      done,
      total,
      elapsedMs: phase.elapsedMs + 100 * this.#speed,
      ratePerSecond: rate,
      remainingMs: ((total - done) / perSecond) * 1_000,
      rateHistory: [...phase.rateHistory, rate].slice(-60),
      ...(note === undefined ? {} : { note }),
    };
    const judged = phase.name === 'judge' ? done / 10 : 0;
    if (this.#fail && judged > 30) {
      clearInterval(this.#timer);
      this.#set({
        status: {
          kind: 'failed',
          error: toErrorData(
            new AppError(
              'judge',
              'frame-lost',
              'The sandbox frame did not answer for 30 s. Go on from here to start it again.',
            ),
          ),
        },
        phases: this.#state.phases.with(index, { ...next, status: 'failed' }),
      });
      return;
    }
    this.#set({
      phases: this.#state.phases.with(index, next),
      ...(judged > 0
        ? {
            partialMetrics: [
              { name: 'exec@1', value: 0.1834, queries: Math.floor(judged), ofQueries: 60 },
              { name: 'exec@10', value: 0.95, queries: Math.floor(judged), ofQueries: 60 },
            ],
          }
        : {}),
      ...(phase.name === 'encode queries'
        ? { warnings: [{ code: 'truncated', count: 12, message: '12 documents cut at 256 tokens' }] }
        : {}),
    });
  }
}

const RUNS: readonly RunSummary[] = [
  summary('r1', 'complete', '2026-11-30T15:12:00.000Z', 0.18333333333333332),
  summary('r2', 'complete', '2026-11-29T09:30:00.000Z', 0.21666666666666667),
  { ...summary('r3', 'unfinished', '2026-11-28T21:04:00.000Z'), progress: 'judge, 212 of 600 suites' },
];

function summary(id: string, status: RunSummary['status'], at: string, value?: number): RunSummary {
  const request: RunRequest = {
    benchmarkId: 'exec-mini',
    modelId: 'all-MiniLM-L6-v2',
    dtype: 'q8',
    protocolId: 'execretrieval',
    device: 'auto',
    depth: 1_000,
    seed: 20_260_510,
  };
  return {
    id,
    status,
    at,
    benchmark: 'exec-mini',
    model: 'all-MiniLM-L6-v2',
    dtype: 'q8',
    protocol: 'execretrieval',
    device: 'wasm',
    queries: 60,
    ...(value === undefined
      ? { request }
      : { recordId: 'fixture', headline: { name: 'exec@1', value, low: value - 0.09, high: value + 0.1 } }),
  };
}

/** Services without a worker behind them. `?speed=20` in the query string hurries the run, `?fail` breaks it. */
export function fixtureServices(): PageServices {
  const query = new URLSearchParams(location.search);
  let made: ReturnType<typeof fixtureResult> | undefined;
  const fixture = (): ReturnType<typeof fixtureResult> =>
    (made ??= fixtureResult(Number(query.get('queries') ?? 70)));
  const speed = Number(query.get('speed') ?? 1);
  return {
    benchmarks: BENCHMARKS,
    models: MODELS,
    protocols: PROTOCOLS,
    listBenchmarks: async () => [],
    loadBenchmark: async () =>
      Promise.reject(new AppError('input', 'missing-file', 'mine has no file for qrels. It holds a.csv.')),
    inspectFiles: async () => ({
      samples: [{ path: 'a.csv', format: 'csv', columns: ['id', 'text'], rows: [{ id: '1', text: 'one' }] }],
    }),
    startRun: async (request) => new FixtureRun(request, speed, query.has('fail')),
    prefetchRun: () => undefined,
    listRuns: async () => RUNS,
    openResult: async (place) => {
      if ('id' in place && place.id === 'fixture') return fixture().result;
      if ('id' in place && place.id.startsWith('other'))
        return fixtureResult(fixture().texts.queries.size, place.id.length).result;
      if ('id' in place && place.id === 'elsewhere') return fixtureResult(5).result;
      throw new AppError('record', 'record-unknown', 'This browser keeps no such result.');
    },
    checkResult: async () => [
      { level: 0, name: 'exec@1', state: 'equal', claimed: '0.24', found: '0.24' },
      { level: 0, name: 'exec@3', state: 'different', claimed: '0.9', found: '0.66' },
      { level: 0, name: 'device', state: 'claimed', claimed: 'wasm', note: 'levels 1 to 4 only' },
    ],
    payloadOfRecord: async () => 'made-up',
    resultTexts: async () => fixture().texts,
    runAgain: async () => ({
      result: {
        id: 'again',
        verdict: 'wrong',
        ms: 12.4,
        tests: [
          { verdict: 'pass', message: '' },
          { verdict: 'pass', message: '' },
          { verdict: 'wrong', message: 'assert is_leap_year(1900) == False', expected: 'False', got: 'True' },
          { verdict: 'pass', message: '' },
        ],
      },
      inspected: {
        id: 'again',
        verdict: 'wrong',
        ms: 9,
        output: 'checking 1900\n',
        tests: [
          {
            verdict: 'wrong',
            message: 'assert is_leap_year(1900) == False',
            frames: [
              { where: 'test', line: 1, name: '<module>', variables: [] },
              {
                where: 'candidate',
                line: 7,
                name: 'is_leap_year',
                variables: [{ name: 'year', value: '1900' }],
              },
            ],
          },
        ],
      },
    }),
    storeNotice: async () => undefined,
    trecRun: async () => new Blob(['q_0001 Q0 c_0_0 1 0.7 assay\n']),
    listStored: async () => [
      {
        kind: 'benchmark',
        name: 'exec-mini',
        entry: { collection: 'benchmarks', id: 'exec-mini 3f1a' },
        keys: [],
        bytes: 412_000,
        complete: true,
        lastUsedAt: 1_764_000_000_000,
      },
      {
        kind: 'model',
        name: 'all-MiniLM-L6-v2',
        keys: [],
        bytes: 21_369_191,
        complete: true,
        lastUsedAt: 1_764_100_000_000,
      },
      {
        kind: 'vectors',
        name: 'exec-mini documents, all-MiniLM-L6-v2 q8',
        keys: [],
        bytes: 460_800,
        complete: false,
        lastUsedAt: 1_764_200_000_000,
      },
    ],
    removeStored: async () => undefined,
    removeAll: async () => undefined,
    storageEstimate: async () => ({ usage: 22_600_000, quota: 9_800_000_000, persisted: false }),
    persistStorage: async () => true,
  };
}
