import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overallOf } from '../../src/analyses/coreb/overall.ts';
import { parseSubtask, type CorebQuery } from '../../src/analyses/coreb/queries.ts';
import { corebReport, type CorebReportInput } from '../../src/analyses/coreb/report.ts';
import { rank } from '../../src/domain/ranking.ts';
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
