import { describe, expect, it } from 'vitest';
import { crossRelease } from '../../src/analyses/coreb/cross-release.ts';
import { efficiency } from '../../src/analyses/coreb/efficiency.ts';
import { passAt1, type PassRow } from '../../src/analyses/coreb/pass-at-1.ts';
import { rerankerDeltas } from '../../src/analyses/coreb/reranker-deltas.ts';
import { taskDifficulty } from '../../src/analyses/coreb/task-difficulty.ts';
import { readPassRows } from '../../src/sources/pass-rows.ts';

/** Leaderboard v202603, nDCG@10 (T2C, C2C, C2T) and billions of parameters, from the data card. */
const leaderboard: [string, number, number, number, number | null][] = [
  ['GemEmb-2', 0.434, 0.698, 0.784, null],
  ['C2LLM-7B', 0.443, 0.659, 0.766, 7],
  ['jina-code-1.5b', 0.414, 0.671, 0.735, 1.5],
  ['C2LLM-0.5B', 0.43, 0.657, 0.725, 0.5],
  ['jina-code-0.5b', 0.386, 0.677, 0.725, 0.5],
  ['F2LLM-4B', 0.407, 0.5, 0.735, 4],
  ['Qwen3-4B', 0.39, 0.392, 0.704, 4],
  ['F2LLM-1.7B', 0.383, 0.383, 0.69, 1.7],
  ['Qwen3-0.6B', 0.349, 0.384, 0.597, 0.6],
  ['F2LLM-0.6B', 0.344, 0.334, 0.641, 0.6],
  ['Qwen3-8B', 0.328, 0.32, 0.635, 8],
];
const weights = { t2c: 1_123, c2c: 278, c2t: 1_010 };

describe('CoREB over systems', () => {
  const systems = leaderboard.map(([name, t2c, c2c, c2t]) => ({
    name,
    scores: new Map([
      ['t2c', t2c],
      ['c2c', c2c],
      ['c2t', c2t],
    ]),
  }));

  it('averages and spreads tasks as the paper says', () => {
    const rows = taskDifficulty(systems, { resamples: 200 });
    // Analysis I: 0.39, 0.52; code-to-code spreads twice as far as code-to-text. (Its 0.73 for code-to-text is over all
    // 1,200 queries or a slip: the leaderboard averages 0.70.)
    expect(rows.map(({ task, average }) => [task, average.value?.toFixed(2)])).toEqual([
      ['t2c', '0.39'],
      ['c2c', '0.52'],
      ['c2t', '0.70'],
    ]);
    expect(rows[1]).toMatchObject({ best: 'GemEmb-2', worst: 'Qwen3-8B' });
    expect((rows[1]?.spread ?? 0) / (rows[2]?.spread ?? 1)).toBeGreaterThan(2);
    expect(rows[0]?.average.n).toBe(11);
  });

  it('finds the front of the paper and leaves unknown sizes out', () => {
    const sized = leaderboard.map(([name, t2c, c2c, c2t, billions]) => ({
      name,
      billions,
      score:
        (t2c * weights.t2c + c2c * weights.c2c + c2t * weights.c2t) /
        (weights.t2c + weights.c2c + weights.c2t),
    }));
    const { front, unknownSize, rows } = efficiency(sized);
    expect(front).toEqual(['C2LLM-0.5B', 'C2LLM-7B']);
    expect(unknownSize).toEqual(['GemEmb-2']);
    expect(rows[0]?.name).toBe('C2LLM-0.5B');
    expect(rows.at(-1)).toMatchObject({ name: 'Qwen3-8B', onFront: false });
  });

  it('compares releases over the systems of both', () => {
    const older = systems.slice(0, 9).map(({ name, scores }, i) => ({
      name,
      scores: new Map([['t2c', (scores.get('t2c') as number) + (i === 3 ? 0.05 : -0.01)]]),
    }));
    const [row] = crossRelease(older, systems);
    expect(row).toMatchObject({
      task: 't2c',
      systems: 9,
      largestDifference: { name: 'C2LLM-0.5B' },
    });
    expect(row?.medianDifference).toBeCloseTo(0.01, 12);
    expect(row?.sharedTop5).toEqual(['C2LLM-7B', 'GemEmb-2', 'C2LLM-0.5B', 'jina-code-1.5b', 'F2LLM-4B']);
    expect(row?.spearman.rho).toBeGreaterThan(0.9);
    expect(crossRelease([], systems)).toEqual([]);
  });

  it('measures rerankers query by query, in points', () => {
    const ids = Array.from({ length: 40 }, (_, i) => `q${i}`);
    const base = new Map(ids.map((id, i) => [id, (i % 10) / 10]));
    const better = new Map(ids.map((id, i) => [id, (i % 10) / 10 + 0.05]));
    const deltas = rerankerDeltas(
      'nDCG@10',
      [{ task: 't2c', values: base }],
      [
        { name: 'helps', tasks: [{ task: 't2c', values: better }] },
        {
          name: 'nothing',
          tasks: [
            { task: 't2c', values: base },
            { task: 'unknown', values: base },
          ],
        },
      ],
      { resamples: 200 },
    );
    expect(deltas).toHaveLength(2);
    expect(deltas[0]?.points.value).toBeCloseTo(5, 10);
    expect(deltas[0]).toMatchObject({ better: 40, worse: 0, n: 40 });
    expect(deltas[0]?.adjustedP).toBeLessThan(0.001);
    expect(deltas[1]).toMatchObject({ better: 0, worse: 0, p: 1 });
  });
});

describe('Pass@1 on original and rewritten problems', () => {
  const row = (
    problem: string,
    variant: PassRow['variant'],
    passed: boolean,
    language = 'python',
  ): PassRow => ({
    model: 'M',
    release: 'v1',
    language,
    problem,
    variant,
    passed,
  });

  it('pairs problems and tests them exactly', () => {
    const rows: PassRow[] = [];
    for (let i = 0; i < 10; i++) {
      rows.push(row(`p${i}`, 'original', i < 9));
      rows.push(row(`p${i}`, 'rewritten', i >= 9));
    }
    rows.push(row('unpaired', 'original', true));
    const cells = passAt1(rows, {
      cutoffs: new Map([['M', '2025-01-31']]),
      windows: new Map([['v1', { from: '2024-09-01', to: '2025-01-04' }]]),
    });
    expect(cells.map(({ language }) => language)).toEqual(['all', 'python']);
    const cell = cells[1];
    expect(cell).toMatchObject({
      pairs: { both: 0, aOnly: 9, bOnly: 1, neither: 0, n: 10 },
      window: 'before the cutoff',
      p: 0.021484375,
    });
    expect(cell?.difference.value).toBeCloseTo(-0.8, 12);
    expect([cell?.original.count, cell?.original.n]).toEqual([10, 11]);
  });

  it('places windows across and after cutoffs, resamples problems for all languages', () => {
    const rows = ['python', 'go'].flatMap((language) => [
      row('p1', 'original', true, language),
      row('p1', 'rewritten', false, language),
    ]);
    const windows = new Map([['v1', { from: '2025-01-04', to: '2025-04-30' }]]);
    const place = (cutoff: string): string | undefined =>
      passAt1(rows, { windows, cutoffs: new Map([['M', cutoff]]) })[0]?.window;
    expect([place('2025-01-31'), place('2024-12-31')]).toEqual(['across the cutoff', 'after the cutoff']);
    const all = passAt1(rows)[0];
    expect(all).toMatchObject({ language: 'all', window: 'unknown', pairs: { n: 2 } });
    expect([all?.difference.low, all?.difference.high]).toEqual([-1, -1]);
  });

  it('is read from JSON Lines, and refused with file and line', async () => {
    const source = (text: string): { name: string; stream: () => AsyncGenerator<Uint8Array> } => ({
      name: 'attempts.jsonl',
      async *stream() {
        yield await Promise.resolve(new TextEncoder().encode(text));
      },
    });
    const one = row('7', 'original', true);
    expect(await readPassRows(source(`${JSON.stringify(one)}\n`))).toEqual([one]);
    const numeric = JSON.stringify({ ...one, problem: 7 });
    expect((await readPassRows(source(numeric)))[0]?.problem).toBe('7');
    const bad = JSON.stringify({ ...one, variant: 'annotated' });
    await expect(readPassRows(source(bad))).rejects.toThrow(
      /attempts\.jsonl, line 1: "variant" must be "original" or "rewritten"; found "annotated"/,
    );
  });

  it('refuses an attempt that occurs twice', () => {
    expect(() => passAt1([row('p', 'original', true), row('p', 'original', false)])).toThrow(/occurs twice/);
  });
});
