import { describe, expect, it } from 'vitest';
import { compareSystems, comparisonSentence, type ComparedSystem } from '../../src/analyses/comparison.ts';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import { execGolden, goldenInput, goldenSystems } from './exec-golden.ts';

const reports = goldenSystems.map((name) => ({
  name,
  report: execRetrievalReport({ ...goldenInput(name), resamples: 1 }),
}));

function systemsOn(column: string): ComparedSystem[] {
  return reports.map(({ name, report }) => ({
    name,
    values: new Map(
      report.perQuery.map(({ queryId, values }) => [
        queryId,
        values[report.columns.indexOf(column)] as number,
      ]),
    ),
  }));
}

describe('comparison of systems', () => {
  it('gives the golden tables, p-values and intervals', () => {
    for (const k of [1, 3, 5, 10]) {
      const comparison = compareSystems(`exec@${k}`, systemsOn(`exec@${k}`));
      expect(comparison.pairs).toHaveLength(3);
      for (const pair of comparison.pairs) {
        const expected = execGolden.pairwise[`${pair.a} vs ${pair.b}`]?.[`exec@${k}`];
        if (expected === undefined) throw new Error(`no golden pair ${pair.a} vs ${pair.b}`);
        expect(pair.table).toEqual({
          both: expected.both,
          aOnly: expected.a_only,
          bOnly: expected.b_only,
          neither: expected.neither,
        });
        expect(pair.aMean).toBeCloseTo(expected.a_rate, 12);
        expect(pair.bMean).toBeCloseTo(expected.b_rate, 12);
        expect(pair.difference.value).toBeCloseTo(expected.delta, 12);
        expect((pair.mcnemar?.p ?? NaN) / expected.mcnemar_exact_p).toBeCloseTo(1, 12);
        expect(pair.difference.low).toBeCloseTo(expected.bootstrap_ci_95[0], 12);
        expect(pair.difference.high).toBeCloseTo(expected.bootstrap_ci_95[1], 12);
        expect(pair.flipped).toHaveLength(expected.a_only + expected.b_only);
        expect(pair.adjustedP).toBeGreaterThanOrEqual(pair.p);
      }
    }
  });

  it('compares graded measures by randomisation and groups systems', () => {
    const comparison = compareSystems('nDCG@10', systemsOn('nDCG@10'));
    expect(comparison.groups.test).toBe('randomisation');
    expect(comparison.groups.systems.map(({ letters }) => letters)).toEqual(['a', 'a', 'b']);
    expect(comparison.pairs.every(({ table, mcnemar }) => table === null && mcnemar === null)).toBe(true);
    expect(comparison.pairs[0]?.detectable).toBeGreaterThan(0);
  });

  it('joins queries by id whatever their order, and says what was left out', () => {
    const a = {
      name: 'A',
      values: new Map([
        ['q1', 1],
        ['q2', 0],
        ['q3', 1],
        ['only-a', 1],
      ]),
    };
    const b = {
      name: 'B',
      values: new Map([
        ['q3', 0],
        ['q2', 0],
        ['q1', 1],
      ]),
    };
    const { queries, leftOut, pairs } = compareSystems('exec@1', [a, b]);
    expect(queries).toBe(3);
    expect(leftOut).toEqual([
      { name: 'A', queries: 1 },
      { name: 'B', queries: 0 },
    ]);
    expect(pairs[0]).toMatchObject({
      table: { both: 1, aOnly: 1, bOnly: 0, neither: 1 },
      flipped: [{ queryId: 'q3', a: 1, b: 0 }],
      p: 1,
    });
    expect(comparisonSentence(pairs[0] as (typeof pairs)[0], 6)).toBe(
      'B solves 0 queries that A does not, and A solves 1 that B does not; p = 1.0; ' +
        'no difference beyond chance after correction for 6 comparisons.',
    );
  });

  it('says when clusters see it otherwise', () => {
    const ids = Array.from({ length: 30 }, (_, i) => `q${i}`);
    const a = { name: 'A', values: new Map(ids.map((id) => [id, 1])) };
    const b = { name: 'B', values: new Map(ids.map((id, i) => [id, i < 20 ? 0 : 1])) };
    const clusters = new Map(ids.map((id, i) => [id, `repository-${Math.floor(i / 10)}`]));
    const { pairs } = compareSystems('exec@1', [a, b], { clusters, clusterUnit: 'repository' });
    expect(pairs[0]?.p).toBeLessThan(0.001);
    expect(pairs[0]?.cluster).toMatchObject({ clusters: 3, p: 0.5 });
    expect(pairs[0]?.cluster?.remark).toMatch(/not by repository/);
  });

  it('refuses what cannot be compared', () => {
    const one = { name: 'A', values: new Map([['q1', 1]]) };
    expect(() => compareSystems('exec@1', [one])).toThrow(/two systems/);
    const other = { name: 'B', values: new Map([['x9', 1]]) };
    expect(() => compareSystems('exec@1', [one, other])).toThrow(/no query in common \(A: q1; B: x9\)/);
  });
});
