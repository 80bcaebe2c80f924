import { describe, expect, it } from 'vitest';
import type { Judgements } from '../../src/domain/qrels.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import { evaluateRun, parseMeasure } from '../../src/metrics/index.ts';
import { readGolden } from './golden.ts';

interface ExecGolden {
  readonly queries: readonly { readonly query_id: string; readonly correct_corpus_ids: readonly string[] }[];
  readonly rankings: Record<string, Record<string, readonly string[]>>;
  readonly outcomes: Record<string, Record<string, readonly string[]>>;
  readonly values: Record<
    string,
    {
      readonly mean: Record<string, number>;
      readonly otherReadings: Record<string, Record<string, number>>;
      readonly measures: readonly string[];
      readonly perQuery: Record<string, readonly number[]>;
    }
  >;
}

const golden = readGolden<ExecGolden>('exec-metrics.json');
const qrels = new Map<string, Judgements>(
  golden.queries.map((query) => [query.query_id, new Map(query.correct_corpus_ids.map((id) => [id, 1]))]),
);
const passing = new Map(
  Object.entries(golden.outcomes).map(([query, outcomes]) => [
    query,
    new Set(
      Object.entries(outcomes)
        .filter(([, tests]) => tests.length > 0 && tests.every((test) => test === 'pass'))
        .map(([id]) => id),
    ),
  ]),
);

/** Rankings come as ids only: scores that fall by one keep their order. */
function runOf(rankings: Record<string, readonly string[]>): Map<string, Ranking> {
  return new Map(
    Object.entries(rankings).map(([queryId, documentIds]) => [
      queryId,
      { queryId, documentIds, scores: Float64Array.from(documentIds, (_, i) => -i) },
    ]),
  );
}

describe('exec measures against exec-metrics.json', () => {
  it.each(Object.keys(golden.values))('system %s', (system) => {
    const expected = golden.values[system] as ExecGolden['values'][string];
    const measures = expected.measures.map((name) => parseMeasure(name.replace(/^ndcg/u, 'nDCG')));
    const result = evaluateRun(runOf(golden.rankings[system] ?? {}), qrels, measures, { passing });
    expected.measures.forEach((name, m) => {
      expect(result.means.allJudged.values[m]).toBeCloseTo(expected.mean[name] as number, 12);
      for (const [query, values] of Object.entries(expected.perQuery))
        expect(result.values[m]?.[result.queryIds.indexOf(query)]).toBeCloseTo(values[m] as number, 12);
    });
  });

  it.each(Object.keys(golden.values))('the other readings, system %s', (system) => {
    const readings = golden.values[system]?.otherReadings ?? {};
    for (const at of ['@1', '@3', '@5', '@10']) {
      const measures = [`execution_precision(over='returned')${at}`, `best_canonical_nDCG${at}`].map((name) =>
        parseMeasure(name),
      );
      const { values } = evaluateRun(runOf(golden.rankings[system] ?? {}), qrels, measures, { passing }).means
        .allJudged;
      expect(values[0]).toBeCloseTo(readings['execution_precision over returned']?.[at] as number, 12);
      expect(values[1]).toBeCloseTo(readings['ndcg best canonical only']?.[at] as number, 12);
    }
  });

  it('refuses to guess verdicts', () => {
    expect(() => evaluateRun(new Map(), qrels, [parseMeasure('exec@1')])).toThrow(
      /exec@1 cannot be computed without verdicts/u,
    );
  });
});
