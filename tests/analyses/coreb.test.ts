import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crossRelease } from '../../src/analyses/coreb/cross-release.ts';
import { efficiency } from '../../src/analyses/coreb/efficiency.ts';
import { overallOf } from '../../src/analyses/coreb/overall.ts';
import { passAt1, type PassRow } from '../../src/analyses/coreb/pass-at-1.ts';
import { parseSubtask, type CorebQuery } from '../../src/analyses/coreb/queries.ts';
import { corebReport, type CorebReportInput } from '../../src/analyses/coreb/report.ts';
import { rerankerDeltas } from '../../src/analyses/coreb/reranker-deltas.ts';
import { taskDifficulty } from '../../src/analyses/coreb/task-difficulty.ts';
import { rank } from '../../src/domain/ranking.ts';
import { readPassRows } from '../../src/sources/pass-rows.ts';
import { changeProtocol, findProtocol } from '../../src/protocols/index.ts';

interface IntrusionGolden {
  counts: Record<string, number>;
  conditional: number;
  overAllQueries: number;
  overQueriesWithPositive: number;
  noPositiveInTopKCountsAsIntruded: number;
  meanHardNegativesInTopK: number;
}
interface VariantGolden {
  perQuery: Record<string, number[]>;
  means: Record<'evaluated' | 'allJudged' | 'withPositive', { queries: number; values: number[] }>;
  intrusionAt10: IntrusionGolden;
}
/** tests/golden/metrics-coreb.json: coreb 0.1.0 and pytrec_eval 0.5.11 on a synthetic code-to-code table. */
const golden = JSON.parse(readFileSync(new URL('../golden/metrics-coreb.json', import.meta.url), 'utf8')) as {
  qrels: Record<string, Record<string, number>>;
  run: Record<string, [string, number][]>;
  anchors: Record<string, string>;
  measures: string[];
  'coreb-paper': VariantGolden;
  'zeroed-anchor-kept': VariantGolden;
  overall: {
    queries: Record<string, number>;
    'nDCG@10': Record<string, number>;
    queryWeighted: number;
    plain: number;
  };
};

const map = <T>(record: Record<string, T>): Map<string, T> => new Map(Object.entries(record));
const qrels = new Map(Object.entries(golden.qrels).map(([id, grades]) => [id, map(grades)]));
const input: CorebReportInput = {
  queries: Object.keys(golden.qrels).map((id, i): CorebQuery => {
    return {
      id,
      task: 'c2c',
      subtask: 'cross_lang',
      language: null,
      anchorLanguage: i % 2 === 0 ? 'python' : 'java',
      targetLanguages: i % 3 === 0 ? ['go', 'ruby'] : ['cpp'],
      problemId: `problem-${i % 7}`,
    };
  }),
  qrels,
  run: new Map(
    Object.entries(golden.run).map(([id, list]) => [
      id,
      rank(
        id,
        list.map(([documentId]) => documentId),
        list.map(([, score]) => score),
      ),
    ]),
  ),
  excluded: new Map(Object.entries(golden.anchors).map(([id, anchor]) => [id, new Set([anchor])])),
  resamples: 200,
};

/** pytrec_eval's names in the project's grammar at level 2. */
function grammarName(measure: string): string {
  const [, name, k] = /^(ndcg_cut|map_cut|recall|P|recip_rank)_?(\d+)?$/.exec(measure) ?? [];
  const spelt = { ndcg_cut: 'nDCG', map_cut: 'AP(rel=2)', recall: 'R(rel=2)', P: 'P(rel=2)' }[name ?? ''];
  return spelt === undefined ? '' : `${spelt}@${k}`;
}

describe('CoREB report', () => {
  const report = corebReport(input);
  const task = report.tasks[0];

  it('scores as the paper, over all judged queries and over those with a positive', () => {
    const expected = golden['coreb-paper'];
    let compared = 0;
    golden.measures.forEach((measure, m) => {
      const name = grammarName(measure);
      const all = task?.otherDenominators.allJudged.find((cell) => cell.measure === name);
      const positive = task?.otherDenominators.withPositive.find((cell) => cell.measure === name);
      if (all === undefined || positive === undefined) return;
      compared++;
      expect(all.value, name).toBeCloseTo(expected.means.allJudged.values[m] as number, 12);
      expect(positive.value, name).toBeCloseTo(expected.means.withPositive.values[m] as number, 12);
      const column = report.measures.indexOf(name);
      for (const { queryId, values } of report.perQuery)
        expect(values[column], `${queryId} ${name}`).toBeCloseTo(expected.perQuery[queryId]?.[m] ?? 0, 12);
    });
    expect(compared).toBeGreaterThanOrEqual(14);
    expect([task?.queries, task?.queriesWithPositive]).toEqual([26, 24]);
    // The paper's A.6 counts queries without a positive as 0: the protocol's mean is over all judged.
    expect(task?.cells.map(({ value }) => value)).toEqual(
      task?.otherDenominators.allJudged.map(({ value }) => value),
    );
  });

  it('measures intrusion in four readings, after and before the anchor is removed', () => {
    const kept = corebReport({
      ...input,
      protocol: changeProtocol(findProtocol('coreb-paper'), { exclusions: 'ignored' }),
    });
    for (const [actual, expected] of [
      [task?.intrusion, golden['coreb-paper'].intrusionAt10],
      [kept.tasks[0]?.intrusion, golden['zeroed-anchor-kept'].intrusionAt10],
    ] as const) {
      expect(actual?.conditional.value).toBeCloseTo(expected.conditional, 12);
      expect([actual?.conditional.count, actual?.conditional.n]).toEqual([
        expected.counts['intruded'],
        expected.counts['both'],
      ]);
      expect(actual?.overAllQueries.value).toBeCloseTo(expected.overAllQueries, 12);
      expect(actual?.overAllQueries.n).toBe(expected.counts['queriesInRun']);
      expect(actual?.overQueriesWithPositive.value).toBeCloseTo(expected.overQueriesWithPositive, 12);
      expect(actual?.overQueriesWithPositive.n).toBe(expected.counts['queriesInRunWithPositive']);
      expect(actual?.missingPositiveCounts.value).toBeCloseTo(expected.noPositiveInTopKCountsAsIntruded, 12);
      expect(actual?.meanHardNegatives).toBeCloseTo(expected.meanHardNegativesInTopK, 12);
    }
  });

  it('slices by subtask and language with mean positives, and draws the curve with its gap', () => {
    expect(report.subtasks).toHaveLength(1);
    const positives = [...qrels.values()].map(
      (grades) => [...grades.values()].filter((grade) => grade === 2).length,
    );
    const meanPositives = positives.reduce((sum, count) => sum + count, 0) / positives.length;
    expect(report.subtasks[0]?.meanPositives).toBeCloseTo(meanPositives, 12);
    expect(report.bySubtask.map(({ subtask, n }) => [subtask, n])).toEqual([['cross_lang', 26]]);
    expect(report.byLanguage).toEqual([]);
    expect(report.c2cByAnchor.map(({ language, n }) => [language, n])).toEqual([
      ['java', 13],
      ['python', 13],
    ]);
    expect(report.c2cByTarget.map(({ language, n }) => [language, n])).toEqual([
      ['cpp', 17],
      ['go', 9],
      ['ruby', 9],
    ]);
    expect(task?.curve.map(({ k }) => k)).toEqual([1, 3, 5, 10]);
    for (const { nDCG, recall, gap } of task?.curve ?? [])
      expect(gap.value).toBeCloseTo((recall.value as number) - (nDCG.value as number), 12);
    expect(task?.cells[0]?.byProblem?.n).toBe(26);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});

describe('slices of text-to-code', () => {
  it('by subtask and language, with search apart', () => {
    const names = [
      't2c_canonical_retro_python',
      't2c_full_retro_python',
      't2c_search_python',
      't2c_full_retro_go',
    ];
    const queries = names.map((name, i): CorebQuery => {
      const { task, subtask, language } = parseSubtask(name) as NonNullable<ReturnType<typeof parseSubtask>>;
      return {
        id: `q${i}`,
        task,
        subtask,
        language,
        anchorLanguage: null,
        targetLanguages: [],
        problemId: null,
      };
    });
    const report = corebReport({
      queries,
      qrels: new Map(
        queries.map(({ id }, i) => [
          id,
          new Map([
            ['right', 2],
            ['other', i === 0 ? 2 : 1],
          ]),
        ]),
      ),
      run: new Map(queries.map(({ id }, i) => [id, rank(id, ['right', 'other'], i === 2 ? [1, 2] : [2, 1])])),
      resamples: 20,
    });
    expect(report.subtasks).toHaveLength(4);
    expect(report.bySubtask.map(({ subtask, n }) => [subtask, n])).toEqual([
      ['canonical_retro', 1],
      ['full_retro', 2],
      ['search', 1],
    ]);
    expect(report.byLanguage.map(({ subtask, language, n }) => [subtask, language, n])).toEqual([
      ['all but search', 'go', 1],
      ['all but search', 'python', 2],
      ['search', 'python', 1],
    ]);
    expect(report.byLanguage[1]?.meanPositives).toBe(1.5);
    expect(report.byLanguage[2]?.value).toBeLessThan(0.7);
    expect(report.tasks[0]?.cells[0]?.byProblem).toBeNull();
  });
});

describe('overall of CoREB', () => {
  it('is the golden query-weighted and plain mean, and the default that only counts positives', () => {
    const parts = ['t2c', 'c2c', 'c2t'].map((task) => ({
      value: golden.overall['nDCG@10'][task] as number,
      queries: golden.overall.queries[task] as number,
      queriesWithRelevant: task === 'c2t' ? 1_010 : (golden.overall.queries[task] as number),
    }));
    expect(overallOf(parts, 'tasks-by-queries')).toBeCloseTo(golden.overall.queryWeighted, 12);
    expect(overallOf(parts, 'tasks-plain')).toBeCloseTo(golden.overall.plain, 12);
    expect(overallOf(parts, 'tasks-by-queries-with-relevant')).toBeCloseTo(0.6111, 4);
    expect(overallOf([], 'tasks-plain')).toBeNull();
    // The published order that settled the weights: Qwen3-8B .4557 trails 0.6B .4569.
    const qwen = (t2c: number, c2c: number, c2t: number): number | null =>
      overallOf(
        [t2c, c2c, c2t].map((value, i) => ({ ...(parts[i] as (typeof parts)[number]), value })),
        'tasks-by-queries-with-relevant',
      );
    expect(qwen(0.328, 0.32, 0.635)).toBeCloseTo(0.4557, 4);
    expect(qwen(0.349, 0.384, 0.597)).toBeCloseTo(0.4569, 4);
  });
});

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

describe('names of subtasks', () => {
  it('are taken apart', () => {
    expect(parseSubtask('t2c_canonical_retro_python')).toEqual({
      task: 't2c',
      subtask: 'canonical_retro',
      language: 'python',
    });
    expect(parseSubtask('c2c_cross_lang')).toEqual({ task: 'c2c', subtask: 'cross_lang', language: null });
    expect(parseSubtask('c2t_match')).toEqual({ task: 'c2t', subtask: 'match', language: null });
    expect(parseSubtask('x2y_search_any')).toBeNull();
  });
});
