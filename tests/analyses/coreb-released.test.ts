import { describe, expect, it } from 'vitest';
import { releasedCorebEvaluation, type ScoredList } from '../../src/analyses/coreb/released-evaluator.ts';
import { readGolden, toQrels } from '../metrics/golden.ts';

type Values = Record<string, number>;
const golden = readGolden<{
  qrels: Record<string, Record<string, number>>;
  anchors: Record<string, string>;
  run: Record<string, [string, number][]>;
  corebPackage: {
    evaluate: Record<'ndcg' | 'map' | 'recall' | 'precision', Values>;
    evaluateAnchorRemovedFirst: Record<'ndcg' | 'map' | 'recall' | 'precision', Values>;
    mrr: Values;
    mrrAnchorRemovedFirst: Values;
    recallCap: Values;
    accuracy: Values;
    recomputeWithoutAnchor: Values;
  };
}>('metrics-coreb.json');
const qrels = toQrels(golden.qrels);
const anchors = new Map(Object.entries(golden.anchors));

function lists(keep: (query: string, id: string) => boolean): Map<string, ScoredList> {
  return new Map(
    Object.entries(golden.run).map(([query, pairs]) => {
      const kept = pairs.filter(([id]) => keep(query, id));
      return [query, { documentIds: kept.map(([id]) => id), scores: kept.map(([, score]) => score) }];
    }),
  );
}

describe("CoREB's released evaluator, as golden/metrics-coreb.json has it", () => {
  const asGiven = releasedCorebEvaluation({ lists: lists(() => true), qrels, anchors });
  const withoutAnchors = releasedCorebEvaluation({
    lists: lists((query, id) => anchors.get(query) !== id),
    qrels,
    anchors,
  });
  const { corebPackage } = golden;

  it('gives nDCG, MAP, recall and precision rounded to five digits', () => {
    for (const [ours, theirs] of [
      [asGiven, corebPackage.evaluate],
      [withoutAnchors, corebPackage.evaluateAnchorRemovedFirst],
    ] as const)
      for (const group of ['ndcg', 'map', 'recall', 'precision'] as const)
        expect(ours[group]).toEqual(theirs[group]);
  });

  it('gives MRR, capped recall and accuracy: ties in list order, over all queries of the qrels', () => {
    expect(asGiven.mrr).toEqual(corebPackage.mrr);
    expect(withoutAnchors.mrr).toEqual(corebPackage.mrrAnchorRemovedFirst);
    expect(asGiven.recallCap).toEqual(corebPackage.recallCap);
    expect(asGiven.accuracy).toEqual(corebPackage.accuracy);
  });

  it('gives the second pass without anchors, not rounded', () => {
    const theirs = corebPackage.recomputeWithoutAnchor;
    expect(Object.keys(asGiven.withoutAnchor).sort()).toEqual(Object.keys(theirs).sort());
    for (const [key, value] of Object.entries(theirs))
      expect(asGiven.withoutAnchor[key], key).toBeCloseTo(value, 12);
  });

  it('keeps list order on ties, whichever that is', () => {
    const reading = (ids: string[]) =>
      releasedCorebEvaluation({
        lists: new Map([['q', { documentIds: ids, scores: ids.map(() => 0.5) }]]),
        qrels: new Map([
          [
            'q',
            new Map([
              ['a', 2],
              ['b', 1],
            ]),
          ],
        ]),
        anchors: new Map(),
      });
    expect(reading(['a', 'b']).mrr['MRR@1']).toBe(1);
    expect(reading(['b', 'a']).mrr).toMatchObject({ 'MRR@1': 0, 'MRR@3': 0.5 });
    expect(reading(['a', 'b']).ndcg['NDCG@1']).toBe(0);
  });
});
