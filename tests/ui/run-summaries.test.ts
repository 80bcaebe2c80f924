import { describe, expect, it } from 'vitest';
import { runOfRecord, summaryOfRecord, summaryOfState } from '../../src/ui/run-summaries.ts';

const record = {
  id: 'ab'.repeat(32),
  schema: 'assay-record/1',
  createdAt: '2026-11-30T15:12:00.000Z',
  benchmark: { id: 'exec-mini', digest: 'x' },
  model: { id: 'all-MiniLM-L6-v2', dtype: 'q8' },
  protocol: { id: 'execretrieval' },
  device: { backend: 'wasm' },
  report: {
    counts: { queries: 150 },
    columns: ['exec@1'],
    cells: [{ value: 0.18, low: 0.1, high: null }],
  },
};
const state = {
  state: {
    id: 'run-1',
    request: {
      benchmarkId: 'exec-mini',
      modelId: 'all-MiniLM-L6-v2',
      dtype: 'q8',
      protocolId: 'execretrieval',
      device: 'auto',
      depth: 1_000,
      seed: 7,
    },
    status: { kind: 'paused' },
    phases: [
      { name: 'load', status: 'done', done: 10, total: 10, unit: 'bytes' },
      { name: 'judge', status: 'running', done: 212, total: 600, unit: 'suites' },
      { name: 'score', status: 'waiting', done: 0, unit: 'queries' },
    ],
    startedAt: '2026-11-30T15:00:00.000Z',
  },
  ref: { kind: 'declared', id: 'exec-mini' },
};
const entry = (value: unknown) => ({ id: 'x', value, updatedAt: 0 });

describe('run summaries', () => {
  it('reads the line of a record from its text, missing ends of the interval left out', () => {
    expect(summaryOfRecord(entry(JSON.stringify(record)))).toEqual({
      id: record.id,
      recordId: record.id,
      status: 'complete',
      benchmark: 'exec-mini',
      model: 'all-MiniLM-L6-v2',
      dtype: 'q8',
      protocol: 'execretrieval',
      device: 'wasm',
      at: record.createdAt,
      queries: 150,
      headline: { name: 'exec@1', value: 0.18, low: 0.1 },
    });
  });

  it('leaves out what is no record', () => {
    expect(summaryOfRecord(entry('{'))).toBeUndefined();
    expect(summaryOfRecord(entry({ id: 1 }))).toBeUndefined();
    expect(summaryOfRecord(entry(null))).toBeUndefined();
  });

  it('says how far an unfinished run is and how it goes on', () => {
    const summary = summaryOfState(entry(state));
    expect(summary?.progress).toBe('judge, 212 of 600 suites');
    expect(summary?.status).toBe('unfinished');
    expect(summary?.request).toEqual(state.state.request);
    // Files that were dropped on a page cannot be read by the next one.
    expect(summaryOfState(entry({ ...state, ref: { kind: 'files' } }))?.request).toBeUndefined();
  });

  it('does not list a complete run twice, and finds it from its record', () => {
    const complete = { ...state, state: { ...state.state, status: { kind: 'complete', recordId: 'r-1' } } };
    expect(summaryOfState(entry(complete))).toBeUndefined();
    expect(runOfRecord([entry(state), entry(complete)], 'r-1')).toBe('run-1');
    expect(runOfRecord([entry(state)], 'r-1')).toBeUndefined();
  });
});
