import * as v from 'valibot';
import { DTYPE_SUFFIXES, type Dtype } from '../models/model-definition.ts';
import type { Entry } from '../contracts/data.ts';
import type { RunRequest } from '../run/run-state.ts';
import { progressText } from './format.ts';
import type { RunSummary } from './page-services.ts';

const nullableNumber = v.nullable(v.number());

/** The few members of a record that a line needs; the whole is checked when the result is opened. */
const recordHead = v.object({
  id: v.string(),
  createdAt: v.string(),
  benchmark: v.object({ id: v.string() }),
  model: v.object({ id: v.string(), dtype: v.string() }),
  protocol: v.object({ id: v.string() }),
  device: v.object({ backend: v.string() }),
  report: v.object({
    counts: v.object({ queries: v.number() }),
    columns: v.array(v.string()),
    cells: v.array(v.object({ value: nullableNumber, low: nullableNumber, high: nullableNumber })),
  }),
});

/** What to run, as it was stored by this page or an older version of it. */
export const requestSchema = v.object({
  benchmarkId: v.string(),
  modelId: v.string(),
  dtype: v.picklist(Object.keys(DTYPE_SUFFIXES) as Dtype[]),
  protocolId: v.string(),
  device: v.picklist(['auto', 'webgpu', 'wasm']),
  queries: v.exactOptional(v.number()),
  depth: v.number(),
  seed: v.number(),
});

const stateEntry = v.object({
  state: v.object({
    id: v.string(),
    request: requestSchema,
    status: v.object({ kind: v.string(), recordId: v.exactOptional(v.string()) }),
    phases: v.array(
      v.object({
        name: v.string(),
        status: v.string(),
        done: v.number(),
        total: v.exactOptional(v.number()),
        unit: v.string(),
      }),
    ),
    startedAt: v.string(),
  }),
  ref: v.object({ kind: v.string() }),
});

/** Returns the line of a stored record; undefined when the entry is no record that this version can read. */
export function summaryOfRecord(entry: Entry): RunSummary | undefined {
  const parsed = v.safeParse(recordHead, parseJson(entry.value));
  if (!parsed.success) return undefined;
  const { id, createdAt, benchmark, model, protocol, device, report } = parsed.output;
  const [cell] = report.cells;
  const [name] = report.columns;
  return {
    id,
    recordId: id,
    status: 'complete',
    benchmark: benchmark.id,
    model: model.id,
    dtype: model.dtype,
    protocol: protocol.id,
    device: device.backend,
    at: createdAt,
    queries: report.counts.queries,
    ...(cell === undefined || name === undefined || cell.value === null
      ? {}
      : {
          headline: {
            name,
            value: cell.value,
            ...(cell.low === null ? {} : { low: cell.low }),
            ...(cell.high === null ? {} : { high: cell.high }),
          },
        }),
  };
}

/** Returns the line of a run that is not complete; undefined for a complete one and for what cannot be read. */
export function summaryOfState(entry: Entry): RunSummary | undefined {
  const parsed = v.safeParse(stateEntry, entry.value);
  if (!parsed.success || parsed.output.state.status.kind === 'complete') return undefined;
  const { state, ref } = parsed.output;
  const request: RunRequest = state.request;
  const phase = state.phases.findLast(({ status }) => status !== 'waiting');
  return {
    id: state.id,
    status: state.status.kind === 'failed' ? 'failed' : 'unfinished',
    benchmark: request.benchmarkId,
    model: request.modelId,
    dtype: request.dtype,
    protocol: request.protocolId,
    device: request.device,
    at: state.startedAt,
    ...(request.queries === undefined ? {} : { queries: request.queries }),
    ...(phase === undefined
      ? {}
      : { progress: `${phase.name}, ${progressText(phase.done, phase.total, phase.unit)}` }),
    ...(ref.kind === 'declared' || ref.kind === 'stored' ? { request } : {}),
  };
}

/** Returns the id of the run that made a record; undefined when its state is no longer kept. */
export function runOfRecord(entries: readonly Entry[], recordId: string): string | undefined {
  for (const entry of entries) {
    const parsed = v.safeParse(stateEntry, entry.value);
    if (parsed.success && parsed.output.state.status.recordId === recordId) return parsed.output.state.id;
  }
  return undefined;
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not a record: the schema refuses it.
    return undefined;
  }
}
