import { describe, expect, it } from 'vitest';
import { benchmarkById } from '../../src/benchmarks/list.ts';
import { MODELS } from '../../src/models/index.ts';
import { comparedResults } from '../../src/share/compared-result.ts';
import { boardOf, paretoFront, type BoardRow } from '../../src/share/leaderboard.ts';
import { resultFixture } from './result-fixture.ts';

describe('a board', () => {
  it('tells published from measured, ranks both, and leaves failed runs without a number', async () => {
    const records = await Promise.all([1, 2].map(async (seed) => (await resultFixture(seed)).record));
    const measured = comparedResults(records.map((record) => ({ record }))).map((one) => ({
      ...one,
      key: one.name,
      source: 'record',
    }));
    const unfinished = [
      { key: 'x', model: 'all-MiniLM-L6-v2', state: 'failed' as const, source: 'out of memory' },
    ];
    const board = boardOf({
      benchmark: benchmarkById('execretrieval'),
      measured,
      unfinished,
      models: MODELS,
      metric: 'exec@1',
    });
    expect(board.metric).toBe('exec@1');
    const gemini = board.rows.find(({ system }) => system === 'gemini-embedding-2');
    expect(gemini).toMatchObject({ origin: 'published', letters: '', parameters: null });
    expect(gemini?.source).toMatch(/results/);
    expect(gemini?.values.get('exec@1')).toEqual({ value: 0.3312, low: 0.299, high: 0.362 });
    const failed = board.rows.find(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ rank: null, dimensions: 384, indexBytes: 4_694 * 384 * 4 });
    expect(failed?.values.size).toBe(0);
    const values = board.rows
      .filter(({ rank }) => rank !== null)
      .map(({ values: of }) => of.get('exec@1')?.value ?? 0);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(
      board.rows
        .filter(({ letters }) => letters !== '')
        .map(({ system }) => system)
        .sort(),
    ).toEqual(['system-1', 'system-2']);
  });

  it('says why results of other data are in no tie group', async () => {
    const one = (await resultFixture(1)).record;
    const other = (await resultFixture(2, 12)).record;
    const measured = comparedResults([{ record: one }, { record: other }]).map((result) => ({
      ...result,
      key: result.name,
      source: '',
    }));
    const { notes } = boardOf({ benchmark: benchmarkById('exec-mini'), measured, models: MODELS });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/system-2 is in no tie group with system-1/);
  });

  it('finds the Pareto front', () => {
    const row = (system: string, value: number, parameters: number | null): BoardRow => ({
      key: system,
      system,
      origin: 'published',
      state: 'complete',
      source: '',
      rank: null,
      letters: '',
      values: new Map([['m', { value, low: null, high: null }]]),
      parameters,
      dimensions: null,
      maxTokens: null,
      indexBytes: null,
      licence: null,
    });
    const rows = [
      row('large', 0.9, 8),
      row('middle', 0.7, 4),
      row('beaten', 0.6, 4),
      row('small', 0.5, 1),
      row('unknown', 1, null),
    ];
    expect(paretoFront(rows, 'm', 'parameters').map(({ system }) => system)).toEqual([
      'small',
      'middle',
      'large',
    ]);
  });
});
