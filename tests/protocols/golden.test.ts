import { describe, expect, it } from 'vitest';
import { rank, type Run } from '../../src/domain/ranking.ts';
import {
  changeProtocol,
  findProtocol,
  scoreRun,
  type Protocol,
  type Scoring,
} from '../../src/protocols/index.ts';
import {
  ourName,
  readGolden,
  toQrels,
  toRun,
  type GoldenLevels,
  type GoldenMeans,
} from '../metrics/golden.ts';

type Plain = Record<string, Record<string, number>>;

interface CorebReading {
  readonly perQuery: Record<string, readonly number[]>;
  readonly means: Record<'evaluated' | 'allJudged' | 'withPositive', GoldenMeans>;
}

const coreb = readGolden<{
  qrels: Plain;
  anchors: Record<string, string>;
  run: Record<string, [string, number][]>;
  measures: string[];
  'coreb-paper': CorebReading;
  'zeroed-anchor-kept': CorebReading;
  'trec-level-2': CorebReading;
  'coreb-mteb': CorebReading;
  corebPackage: Record<'evaluate' | 'evaluateAnchorRemovedFirst', Record<string, Record<string, number>>>;
}>('metrics-coreb.json');
const corebRun: Run = new Map(
  Object.entries(coreb.run).map(([query, pairs]) => [
    query,
    rank(
      query,
      pairs.map(([id]) => id),
      pairs.map(([, score]) => score),
    ),
  ]),
);
const anchors = new Map(Object.entries(coreb.anchors).map(([query, id]) => [query, new Set([id])]));

function scoreCoreb(protocol: Protocol, measures: readonly string[], withAnchors = true): Scoring {
  return scoreRun(protocol, {
    run: corebRun,
    qrels: toQrels(coreb.qrels),
    measures,
    excluded: withAnchors ? anchors : undefined,
  });
}

function expectReading(scoring: Scoring, reading: CorebReading): void {
  const { evaluation } = scoring;
  for (const [query, values] of Object.entries(reading.perQuery))
    values.forEach((value, m) => {
      const ours = evaluation.values[m]?.[evaluation.queryIds.indexOf(query)];
      expect(ours, `${query} ${coreb.measures[m] as string}`).toBeCloseTo(value, 12);
    });
  for (const [golden, ours] of [
    ['evaluated', 'evaluated'],
    ['allJudged', 'allJudged'],
    ['withPositive', 'withRelevant'],
  ] as const) {
    expect(evaluation.means[ours].queries).toBe(reading.means[golden].queries);
    reading.means[golden].values.forEach((value, m) =>
      expect(evaluation.means[ours].values[m]).toBeCloseTo(value as number, 12),
    );
  }
}

describe('CoREB by metrics-coreb.json', () => {
  const measures = coreb.measures.map((name) => ourName(name, 1));
  const paper = findProtocol('coreb-paper');

  it('coreb-paper: zeroed below level 2, anchor removed, all judged queries (A.6)', () => {
    const scoring = scoreCoreb(paper, measures);
    expectReading(scoring, coreb['coreb-paper']);
    expect(scoring.mean).toEqual(scoring.evaluation.means.allJudged);
    expect(scoring.evaluation.measures.map((measure) => measure.name)).toEqual(
      coreb.measures.map((name) => ourName(name, 2)),
    );
  });

  it('A.3, queries without a positive excluded, is one setting away', () => {
    const scoring = scoreCoreb(changeProtocol(paper, { queriesWithoutRelevant: 'excluded' }), measures);
    expect(scoring.mean).toEqual(scoring.evaluation.means.withRelevant);
    expect(scoring.mean.queries).toBe(24);
  });

  it('the anchor kept, and trec_eval -l 2, are each one setting away', () => {
    expectReading(
      scoreCoreb(changeProtocol(paper, { exclusions: 'ignored' }), measures),
      coreb['zeroed-anchor-kept'],
    );
    expectReading(
      scoreCoreb(changeProtocol(paper, { gradesBelowLevel: 'kept' }), measures),
      coreb['trec-level-2'],
    );
    expectReading(
      scoreCoreb(changeProtocol(findProtocol('trec'), { relevanceLevel: 2 }), measures),
      coreb['trec-level-2'],
    );
  });

  it('coreb-mteb: level 1, anchors stay although they are listed', () => {
    const scoring = scoreCoreb(findProtocol('coreb-mteb'), measures);
    expectReading(scoring, coreb['coreb-mteb']);
    expect(scoring.mean).toEqual(scoring.evaluation.means.evaluated);
  });

  it.each([
    ['evaluate', false],
    ['evaluateAnchorRemovedFirst', true],
  ] as const)('coreb-runner gives the package´s %s to its 5 digits', (kind, withAnchors) => {
    const names: [string, string][] = [];
    for (const [group, base] of [
      ['ndcg', 'nDCG'],
      ['map', 'AP'],
      ['recall', 'R'],
      ['precision', 'P'],
    ] as const)
      for (const cutoff of [1, 3, 5, 10, 100]) names.push([group, `${base}@${cutoff}`]);
    const scoring = scoreCoreb(
      findProtocol('coreb-runner'),
      names.map(([, name]) => name),
      withAnchors,
    );
    names.forEach(([group, name], m) => {
      const theirs = Object.entries(coreb.corebPackage[kind][group] ?? {}).find(([key]) =>
        key.endsWith(`@${name.split('@')[1] as string}`),
      )?.[1] as number;
      expect(Number((scoring.mean.values[m] as number).toFixed(5)), name).toBeCloseTo(theirs, 10);
    });
  });

  it('the pitfall of levels: zeroed in CoREB, not in trec_eval -l 2', () => {
    const qrels = toQrels({ q: { pos1: 2, pos2: 2, neg1: 1, neg2: 1 } });
    const run = toRun({ q: { neg1: 0.9, pos1: 0.8, x: 0.7, pos2: 0.6, neg2: 0.5 } });
    const names = ['nDCG@10', 'R@2', 'RR@10', 'AP@10', 'P@5'];
    const zeroed = scoreRun(paper, { run, qrels, measures: names }).mean.values;
    const kept = scoreRun(changeProtocol(paper, { gradesBelowLevel: 'kept' }), {
      run,
      qrels,
      measures: names,
    }).mean.values;
    expect(zeroed[0]).toBeCloseTo(0.650921, 6);
    expect(kept[0]).toBeCloseTo(0.837218, 6);
    expect(zeroed.slice(1)).toEqual([0.5, 0.5, 0.5, 0.4]);
    expect(kept.slice(1)).toEqual([0.5, 0.5, 0.5, 0.4]);
  });
});

describe('CORE-Bench (code retrieval) by metrics-visibility.json', () => {
  type Values = Record<string, [number | null, number | null]>;
  const golden = readGolden<{
    corpus: string[];
    visible: Record<string, string[]>;
    qrels: Plain;
    run: Record<string, number[]>;
    filterBeforeCut: { judgedInvisibleStay: Values; judgedInvisibleDropped: Values };
    wrongNoFilter: Values;
  }>('metrics-visibility.json');
  const run: Run = new Map(
    Object.entries(golden.run).map(([query, scores]) => [query, rank(query, golden.corpus, scores)]),
  );
  const visible = new Map(
    Object.entries(golden.visible)
      .filter(([, ids]) => ids.length > 0)
      .map(([query, ids]) => [query, new Set(ids)]),
  );
  const protocol = findProtocol('core-bench');

  it.each([
    ['judged but invisible leave the denominator', protocol, golden.filterBeforeCut.judgedInvisibleDropped],
    [
      'judged but invisible stay in the denominator',
      changeProtocol(protocol, { invisibleJudged: 'kept' }),
      golden.filterBeforeCut.judgedInvisibleStay,
    ],
    ['no filter', changeProtocol(protocol, { visibility: 'ignored' }), golden.wrongNoFilter],
  ])('%s', (_, chosen, expected) => {
    const scoring = scoreRun(chosen, { run, qrels: toQrels(golden.qrels), visible });
    const { queryIds, values, measures } = scoring.evaluation;
    expect(measures.map((measure) => measure.name)).toEqual(["nDCG(dcg='exp-log2')@10", 'nDCG@10', 'R@100']);
    for (const [query, [gain, recall]] of Object.entries(expected)) {
      const q = queryIds.indexOf(query);
      if (gain === null || recall === null) {
        expect(q).toBe(-1);
        expect(scoring.leftWithoutJudgements).toEqual([query]);
        expect(scoring.notes[0]?.words).toContain('1 query left out');
      } else {
        expect(values[0]?.[q]).toBeCloseTo(gain, 12);
        expect(values[1]?.[q]).toBeCloseTo(gain, 12);
        expect(values[2]?.[q]).toBeCloseTo(recall, 12);
      }
    }
  });
});

describe('score precision by metrics-f32-ties.json', () => {
  it('float32 gives pytrec_eval´s values, float64 those of the double ranking', () => {
    const golden = readGolden<
      GoldenLevels & { qrels: Plain; run: Plain; float64: { perQuery: Record<string, number[]> } }
    >('metrics-f32-ties.json');
    const input = {
      run: toRun(golden.run),
      qrels: toQrels(golden.qrels),
      measures: golden.measures.map((name) => ourName(name, 1)),
    };
    const trec = findProtocol('trec');
    for (const [protocol, expected] of [
      [trec, golden.float64.perQuery],
      [changeProtocol(trec, { scorePrecision: 'float32' }), golden.levels['1']?.perQuery ?? {}],
    ] as const) {
      const { evaluation } = scoreRun(protocol, input);
      for (const [query, values] of Object.entries(expected))
        values.forEach((value, m) =>
          expect(evaluation.values[m]?.[evaluation.queryIds.indexOf(query)]).toBeCloseTo(value, 12),
        );
    }
  });
});
