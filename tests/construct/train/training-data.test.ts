import { describe, expect, it } from 'vitest';
import {
  flagEmbeddingLines,
  makeTrainingData,
  rerankerLines,
  sentenceTransformersLines,
  type TrainingBenchmark,
} from '../../../src/construct/train/training-data.ts';

const SETTINGS = { seed: 42, hardNegatives: 2, depth: 3 };
const benchmark = (
  grades: Readonly<Record<string, Readonly<Record<string, number>>>>,
): TrainingBenchmark => ({
  documents: new Map([
    ['a', 'parse the date'],
    ['b', 'parse the time'],
    ['c', 'Parse  the date'],
    ['d', 'print the report'],
    ['e', 'send mail'],
    ['f', 'close window'],
    ['g', 'parse the failed date'],
  ]),
  queries: [
    { id: 'q1', text: 'how to parse date' },
    { id: 'q2', text: 'report printing', visible: ['d', 'e'] },
  ],
  grades: new Map(Object.entries(grades).map(([id, of]) => [id, new Map(Object.entries(of))])),
});

describe('training data', () => {
  it('writes each positive twice, beside an easy and beside a hard negative', () => {
    const data = makeTrainingData(benchmark({ q1: { a: 1 }, q2: { d: 1 } }), SETTINGS);
    const own = data.reranker.filter(({ queryId }) => queryId === 'q1');
    expect(own.map(({ label }) => label)).toEqual([1, 0, 1, 0]);
    expect(own[0]?.document).toBe('parse the date');
    expect(own[2]?.document).toBe('parse the date');
    // A copy of the positive under another id is never a negative.
    const negatives = [
      ...own.filter(({ label }) => label === 0).map(({ document }) => document),
      ...data.contrastive.flatMap((one) => (one.queryId === 'q1' ? one.negatives : [])),
    ];
    expect(negatives).not.toContain('Parse  the date');
    expect(['parse the time', 'parse the failed date']).toContain(own[3]?.document);
  });

  it('takes negatives only from what the query sees', () => {
    const data = makeTrainingData(benchmark({ q1: { a: 1 }, q2: { d: 1 } }), SETTINGS);
    expect(data.contrastive.find(({ queryId }) => queryId === 'q2')?.negatives).toEqual(['send mail']);
  });

  it('takes grade 2 as positive where there is one, and grade 1 as the first hard negatives', () => {
    const data = makeTrainingData(benchmark({ q1: { a: 2, f: 1 } }), SETTINGS);
    expect(data.positiveGrade).toBe(2);
    expect(data.contrastive[0]?.negatives[0]).toBe('close window');
    expect(data.leftOut).toEqual([{ queryId: 'q2', reason: 'it has no positive in the corpus' }]);
  });

  it('leaves out what a test shares, by query and by positive, whatever the layout', () => {
    const test: TrainingBenchmark = {
      documents: new Map([['x', 'PARSE the\n date']]),
      queries: [{ id: 't', text: 'Report   printing' }],
      grades: new Map([['t', new Map([['x', 1]])]]),
    };
    expect(() => makeTrainingData(benchmark({ q1: { a: 1 }, q2: { d: 1 } }), SETTINGS, test)).toThrow(
      'the test holds one of its positives',
    );
    const data = makeTrainingData(benchmark({ q1: { b: 1 }, q2: { d: 1 } }), SETTINGS, test);
    expect(data.leftOut).toEqual([{ queryId: 'q2', reason: 'the test holds the same query' }]);
  });

  it('is the same again for a seed, and is written in the three forms', () => {
    const make = () => makeTrainingData(benchmark({ q1: { a: 1 } }), SETTINGS);
    expect(make()).toEqual(make());
    const { contrastive, reranker } = make();
    const parse = (lines: Iterable<string>): unknown[] =>
      [...lines].map((text) => JSON.parse(text) as unknown);
    expect(parse(sentenceTransformersLines(contrastive))[0]).toEqual({
      anchor: 'how to parse date',
      positive: 'parse the date',
      negative: contrastive[0]?.negatives[0],
    });
    expect(parse(flagEmbeddingLines(contrastive))).toEqual([
      { query: 'how to parse date', pos: ['parse the date'], neg: contrastive[0]?.negatives },
    ]);
    expect(parse(rerankerLines(reranker))[0]).toEqual({
      query: 'how to parse date',
      document: 'parse the date',
      label: 1,
    });
  });
});
