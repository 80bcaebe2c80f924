import type { StoredItem } from '../contracts/data.ts';
import type { Dtype, ModelDefinition } from '../models/model-definition.ts';
import type { RunRequest, RunState } from '../run/run-state.ts';
import type { BenchmarkChoice } from './benchmark-choice.ts';
import type { DeviceFacts } from './device.svelte.ts';

/** What a run will take, before it is made. */
export interface RunCost {
  /** Bytes over the network; what comes with the app counts until it is stored. Undefined where a size is unknown. */
  readonly downloadBytes: number | undefined;
  /** Bytes kept afterwards: download and vectors. */
  readonly diskBytes: number | undefined;
  /** Estimated from rates that this browser measured in earlier runs; undefined before the first. */
  readonly ms: number | undefined;
}

/** Units per second of one step, measured here. Keys: `wasm all-MiniLM-L6-v2/q8 encode`, `judge`. */
export type Rates = Readonly<Record<string, number>>;

const STORAGE_KEY = 'assay-measured-rates';
/** Every query's first ten snippets are run; those of other tasks mostly fail at once. */
const SUITES_PER_QUERY = 10;

/** Returns the costs of a run. */
export function runCost(
  request: RunRequest,
  benchmark: BenchmarkChoice,
  model: ModelDefinition,
  stored: readonly StoredItem[],
  facts: DeviceFacts | undefined,
  rates: Rates,
): RunCost {
  const megabytes = model.dtypes[request.dtype]?.megabytes;
  const modelBytes = isModelStored(model, request.dtype, stored)
    ? 0
    : megabytes === undefined
      ? undefined
      : megabytes * 1e6;
  const dataBytes = isBenchmarkStored(benchmark, stored) ? 0 : benchmark.downloadBytes;
  const queries = Math.min(request.queries ?? Infinity, benchmark.queries ?? Infinity);
  const share = benchmark.queries === undefined ? 1 : queries / benchmark.queries;
  const documents = benchmark.documents === undefined ? undefined : benchmark.documents * share;
  const downloadBytes = sum(modelBytes, dataBytes);
  const vectorBytes = documents === undefined ? undefined : (documents + queries) * model.dimensions * 4;
  return {
    downloadBytes,
    diskBytes: sum(downloadBytes, vectorBytes),
    ms: time(documents, queries, rates, `${deviceFor(request, facts)} ${model.id}/${request.dtype} encode`),
  };
}

/** Whether the benchmark lies complete in the store. */
export function isBenchmarkStored(benchmark: BenchmarkChoice, stored: readonly StoredItem[]): boolean {
  return stored.some(
    ({ kind, entry, complete }) =>
      kind === 'benchmark' && complete && entry?.id.startsWith(`${benchmark.id} `),
  );
}

/** Whether the model's weights in this dtype lie in the store: files are kept by model, so the size tells which. */
export function isModelStored(model: ModelDefinition, dtype: Dtype, stored: readonly StoredItem[]): boolean {
  const weights = (model.dtypes[dtype]?.megabytes ?? Infinity) * 1e6;
  return stored.some(
    ({ kind, name, complete, bytes }) =>
      kind === 'model' && complete && name === model.id && bytes >= 0.99 * weights,
  );
}

function deviceFor(request: RunRequest, facts: DeviceFacts | undefined): string {
  if (request.device !== 'auto') return request.device;
  return facts?.webgpu.available && !facts.webgpu.software ? 'webgpu' : 'wasm';
}

function time(documents: number | undefined, queries: number, rates: Rates, key: string): number | undefined {
  const encode = rates[key];
  const judge = rates['judge'];
  if (documents === undefined || !Number.isFinite(queries) || encode === undefined || judge === undefined)
    return undefined;
  return ((documents + queries) / encode + (queries * SUITES_PER_QUERY) / judge) * 1_000;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Returns the rates that runs in this browser have measured; empty before the first, or where storage is refused. */
export function measuredRates(): Rates {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
      ),
    );
  } catch {
    // Refused or spoiled storage: as if nothing had been measured yet.
    return {};
  }
}

/** Fewer texts or suites than this are no measure of a rate. */
const SHORTEST_MEASURED = 100;

/** Keeps the rates of a run that has ended, over the time that each step took in all. */
export function keepRates(state: RunState, device: string): void {
  const rates: Record<string, number> = { ...measuredRates() };
  for (const phase of state.phases) {
    // A short step is mostly start-up (model, device, probes): its rate says nothing about a long one.
    if (phase.status !== 'done' || phase.done < SHORTEST_MEASURED || phase.elapsedMs < 500) continue;
    const rate = (phase.done / phase.elapsedMs) * 1_000;
    if (phase.name === 'encode documents')
      rates[`${device} ${state.request.modelId}/${state.request.dtype} encode`] = rate;
    if (phase.name === 'judge') rates['judge'] = rate;
  }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(rates));
  } catch {
    // Without storage the next run is not estimated; nothing else hangs on it.
  }
}
