import { describe, expect, it } from 'vitest';
import type { Qrels } from '../../src/domain/qrels.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';
import { evaluateRun, parseMeasure, type Denominator, type RunEvaluation } from '../../src/metrics/index.ts';
import { ourName, readGolden, toQrels, toRun, type GoldenLevels } from './golden.ts';

type Plain = Record<string, Record<string, number>>;
type Perquery = { query: string; values: readonly number[] }[];

function close(actual: number | null | undefined, expected: number | null, what: string): void {
  if (expected === null) expect(actual, what).toBeNull();
  else expect(Math.abs((actual ?? NaN) - expected), `${what}: ${actual} for ${expected}`).toBeLessThan(1e-12);
}

function checkLevels(golden: GoldenLevels, qrels: Qrels, run: Run): void {
  for (const [levelText, expected] of Object.entries(golden.levels)) {
    const level = Number(levelText);
    const names = golden.measures.map((measure) => ourName(measure, level));
    const measures = golden.measures.map((measure) =>
      parseMeasure(ourName(measure, 1), { relevanceLevel: level }),
    );
    expect(measures.map((measure) => measure.name)).toEqual(names);
    const result = evaluateRun(run, qrels, measures, { relevanceLevel: level });
    const perQuery = Array.isArray(expected.perQuery)
      ? (expected.perQuery as Perquery).map((row) => [row.query, row.values] as const)
      : Object.entries(expected.perQuery);
    expect(perQuery.map(([query]) => query).sort()).toEqual(
      result.queryIds.filter((_, q) => result.evaluated[q] === 1).sort(),
    );
    for (const [query, values] of perQuery)
      values.forEach((value, m) => close(valueOf(result, m, query), value, `${query} ${names[m] as string}`));
    for (const denominator of ['evaluated', 'allJudged', 'withRelevant'] as Denominator[]) {
      const { queries, values } = expected.means[denominator];
      expect(result.means[denominator].queries).toBe(queries);
      values.forEach((value, m) =>
        close(result.means[denominator].values[m], value, `mean ${denominator} ${names[m] as string}`),
      );
    }
  }
}

function valueOf(result: RunEvaluation, measure: number, query: string): number | undefined {
  return result.values[measure]?.[result.queryIds.indexOf(query)];
}

describe('golden values of pytrec_eval', () => {
  it.each(['metrics-graded.json', 'metrics-binary.json', 'metrics-deep.json'])('%s', (name) => {
    const golden = readGolden<GoldenLevels & { qrels: Plain; run: Plain }>(name);
    checkLevels(golden, toQrels(golden.qrels), toRun(golden.run));
  });

  const hand = readGolden<{
    cases: (GoldenLevels & { name: string; qrels: Plain; run: Plain; ranking: string[] })[];
  }>('metrics-hand.json');
  it.each(hand.cases.map((entry) => [entry.name, entry] as const))('metrics-hand.json: %s', (_, golden) => {
    const run = toRun(golden.run);
    expect(run.get('q')?.documentIds).toEqual(golden.ranking);
    checkLevels(golden, toQrels(golden.qrels), run);
  });

  it('metrics-unicode.json: ids where UTF-8 and UTF-16 order differ, ids like members of objects', () => {
    const golden = readGolden<
      GoldenLevels & {
        qrels: { query: string; judgments: [string, number][] }[];
        run: { query: string; scores: [string, number][] }[];
        ranking: { query: string; ids: string[] }[];
      }
    >('metrics-unicode.json');
    const qrels = new Map(golden.qrels.map(({ query, judgments }) => [query, new Map(judgments)]));
    const run = new Map(
      golden.run.map(({ query, scores }) => [
        query,
        rank(
          query,
          scores.map(([id]) => id),
          scores.map(([, score]) => score),
        ),
      ]),
    );
    for (const { query, ids } of golden.ranking) expect(run.get(query)?.documentIds).toEqual(ids);
    checkLevels(golden, qrels, run);
  });

  it('metrics-graded.json: top 20 and exponential gain', () => {
    const golden = readGolden<{
      qrels: Plain;
      run: Plain;
      rankingTop20: Record<string, string[]>;
      exponentialGain: { perQuery: Record<string, Record<'ndcg_exp_cut_5' | 'ndcg_exp_cut_10', number>> };
    }>('metrics-graded.json');
    const run = toRun(golden.run);
    for (const [query, ids] of Object.entries(golden.rankingTop20))
      expect(run.get(query)?.documentIds.slice(0, 20)).toEqual(ids);
    const measures = ["nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@10"].map((name) => parseMeasure(name));
    const result = evaluateRun(run, toQrels(golden.qrels), measures);
    for (const [query, values] of Object.entries(golden.exponentialGain.perQuery)) {
      close(valueOf(result, 0, query), values.ndcg_exp_cut_5, query);
      close(valueOf(result, 1, query), values.ndcg_exp_cut_10, query);
    }
  });

  it('metrics-f32-ties.json: double precision and float32 rank differently', () => {
    const golden = readGolden<
      GoldenLevels & {
        qrels: Plain;
        run: Plain;
        float64: { perQuery: Record<string, number[]> };
        rankingFloat64: Record<string, string[]>;
      }
    >('metrics-f32-ties.json');
    const qrels = toQrels(golden.qrels);
    const double = toRun(golden.run);
    for (const [query, ids] of Object.entries(golden.rankingFloat64))
      expect(double.get(query)?.documentIds.slice(0, 10)).toEqual(ids);
    const result = evaluateRun(
      double,
      qrels,
      golden.measures.map((measure) => parseMeasure(ourName(measure, 1))),
    );
    for (const [query, values] of Object.entries(golden.float64.perQuery))
      values.forEach((value, m) => close(valueOf(result, m, query), value, `${query} ${golden.measures[m]}`));
    const single = new Map(
      [...double].map(([query, ranking]) => [
        query,
        rank(query, ranking.documentIds, Float32Array.from(ranking.scores)),
      ]),
    );
    checkLevels(golden, qrels, single);
  });
});
