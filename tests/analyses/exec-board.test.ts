import { describe, expect, it } from 'vitest';
import { execBoard } from '../../src/analyses/execretrieval/board.ts';
import { deceptionTriples, type DeceptionTriple } from '../../src/analyses/execretrieval/deception.ts';
import { poolDensity } from '../../src/analyses/execretrieval/pool-density.ts';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import { stackedMutations } from '../../src/analyses/execretrieval/stacked-mutations.ts';
import { rank } from '../../src/domain/ranking.ts';
import { execGolden, goldenInput, goldenSystems } from './exec-golden.ts';

const options = { resamples: 300 };

describe('several systems together', () => {
  const board = execBoard(
    goldenSystems.map((name) => {
      const input = { ...goldenInput(name), ...options };
      return { name, report: execRetrievalReport(input), triples: deceptionTriples(input).triples };
    }),
    options,
  );

  it('give the golden counts of queries solved at rank 1', () => {
    expect(board.solvedAtRank1.median).toBe(execGolden.solvedAtRank1.medianSystemsPerQuery);
    expect(board.solvedAtRank1.byNone).toBe(execGolden.solvedAtRank1.byNone);
    expect(board.solvedAtRank1.queriesBySystems.reduce((sum, count) => sum + count, 0)).toBe(70);
  });

  it('pool their triples', () => {
    const { pooled } = execGolden.deception;
    expect(board.pooled.all).toMatchObject({ triples: pooled.triples, deceived: pooled.deceived });
    expect(board.pooled.all.strict.value).toBeCloseTo(pooled.strict, 12);
    const byType = board.pooled.byBugType.reduce((sum, { deception }) => sum + deception.deceived, 0);
    expect(byType).toBe(pooled.deceived);
    // The golden table has no code: no spans, no correlation.
    expect(board.largestSpanCorrelation).toBeNull();
    expect(board.spanCorrelations.map(({ name }) => name)).toEqual([...goldenSystems, 'pooled']);
  });

  it('order domains by difficulty', () => {
    const expected = Object.keys(execGolden.values['alpha']?.byDomain ?? {}).map((domain) => {
      const rates = goldenSystems.map((name) => execGolden.values[name]?.byDomain[domain]?.['exec@1'] ?? NaN);
      return { domain, value: rates.reduce((sum, rate) => sum + rate, 0) / rates.length };
    });
    expected.sort((a, b) => a.value - b.value);
    expect(board.domains.map(({ domain }) => domain)).toEqual(expected.map(({ domain }) => domain));
    board.domains.forEach(({ execAt1 }, i) =>
      expect(execAt1.value).toBeCloseTo(expected[i]?.value as number, 12),
    );
    expect(board.comparison?.pairs).toHaveLength(3);
  });
});

describe('pool density', () => {
  const { canonical, paired, docs, similarity, 'exec@1': expected } = execGolden.poolDensity;
  const queries = Object.keys(canonical).map((id) => ({
    id,
    domain: null,
    canonicalIds: [canonical[id] as string],
    distractorIds: paired[id] as string[],
  }));
  const run = new Map(queries.map(({ id }) => [id, rank(id, docs, similarity[id] as number[])]));
  const input = { queries, run, passes: (id: string, documentId: string) => documentId === canonical[id] };

  it('gives the golden curve in both readings', () => {
    for (const [reading, name] of [
      ['first', 'all'],
      ['own', 'own'],
    ] as const) {
      const { points } = poolDensity(input, { ...options, reading });
      expect(points.map(({ kept }) => kept)).toEqual([0, 1, 2, 3, 4]);
      for (const { kept, execAt1, exhausted } of points) {
        expect(execAt1.value, `${name} ${kept}`).toBeCloseTo(expected[name][kept] as number, 12);
        expect(exhausted).toBe(0);
      }
    }
  });

  it('measures the relative drop of the first near-clone', () => {
    const { oneCloneDrop } = poolDensity(input, options);
    expect(oneCloneDrop.value).toBeCloseTo(0.5, 12);
    expect(oneCloneDrop.low).toBeLessThan(0.5);
    expect(oneCloneDrop.high).toBeGreaterThan(0.5);
  });

  it('draws near-clones at random, the same for the same seed, with the spread over draws', () => {
    const random = poolDensity(input, { ...options, reading: 'random', draws: 20 });
    expect(random).toEqual(poolDensity(input, { ...options, reading: 'random', draws: 20 }));
    expect(random.points[0]?.execAt1.value).toBeCloseTo(expected.all['0'] as number, 12);
    expect(random.points[4]?.execAt1.value).toBeCloseTo(expected.all['4'] as number, 12);
    const one = random.points[1];
    expect(one?.drawSpread).toMatchObject({ draws: 20 });
    expect(one?.drawSpread?.lowest).toBeLessThan(one?.drawSpread?.highest as number);
  });

  it('counts lists that run out', () => {
    const shallow = new Map(
      [...run].map(([id, ranking]) => [
        id,
        { ...ranking, documentIds: (paired[id] as string[]).slice(0, 1), scores: Float64Array.of(1) },
      ]),
    );
    const { points, oneCloneDrop } = poolDensity({ ...input, run: shallow }, options);
    expect(points[0]).toMatchObject({ exhausted: queries.length, execAt1: { value: 0 } });
    expect(points[1]?.exhausted).toBe(0);
    expect(oneCloneDrop.value).toBeNull();
  });
});

describe('stacked against single mutations', () => {
  const triple = (queryId: string, comparison: DeceptionTriple['comparison']): DeceptionTriple => ({
    queryId,
    distractorId: `${queryId}-d`,
    bugType: 'off_by_one',
    comparison,
    span: null,
  });

  it('compares on the queries that have both', () => {
    const single = [
      triple('a', 'deceived'),
      triple('a', 'above'),
      triple('b', 'above'),
      triple('c', 'deceived'),
    ];
    const stacked = [
      triple('a', 'above'),
      triple('b', 'tied'),
      triple('b', 'deceived'),
      triple('d', 'deceived'),
    ];
    const result = stackedMutations(single, stacked, options);
    expect(result.queries).toBe(2);
    expect(result.single).toMatchObject({ value: 1 / 3, n: 3 });
    expect(result.stacked).toMatchObject({ value: 1 / 3, n: 3 });
    expect(result.difference.value).toBe(0);
    expect(result.difference.low).toBeLessThan(0);
    expect(result.difference.high).toBeGreaterThan(0);
  });

  it('is empty where no query has both', () => {
    const { queries, difference } = stackedMutations([triple('a', 'above')], [], options);
    expect([queries, difference.value]).toEqual([0, null]);
  });
});
