import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numericsInterval, shiftedRankings } from '../../src/analyses/numerics-interval.ts';
import { rank, type Ranking } from '../../src/domain/ranking.ts';

const relevantIn = (k: number, relevant: ReadonlySet<string>) => (ranking: Ranking) =>
  ranking.documentIds.slice(0, k).filter((id) => relevant.has(id)).length / k;

describe('the interval of a numerics error', () => {
  const relevant = new Set(['bug-free']);
  const ranking = rank('q', ['bug-free', 'bug', 'other'], [0.802, 0.8, 0.3]);

  it('holds both orders of two documents that are nearer than the error', () => {
    const run = new Map([['q', ranking]]);
    const interval = (error: number) =>
      numericsInterval(run, (_, id) => relevant.has(id), error, relevantIn(1, relevant), 1);
    expect(interval(0.0019)).toMatchObject({ value: 1, low: 1, high: 1, affectedQueries: 0 });
    expect(interval(0.0021)).toMatchObject({ value: 1, low: 0, high: 1, affectedQueries: 1 });
    expect(interval(0)).toMatchObject({ low: 1, high: 1, cutTooNear: 0 });
  });

  it('says when the ranking is cut too near', () => {
    const run = new Map([['q', rank('q', ['a', 'b'], [0.5, 0.4999])]]);
    const interval = numericsInterval(
      run,
      () => false,
      1e-3,
      () => 0,
      2,
    );
    expect(interval.cutTooNear).toBe(1);
    expect(
      numericsInterval(
        run,
        () => false,
        1e-5,
        () => 0,
        1,
      ).cutTooNear,
    ).toBe(0);
    expect(
      numericsInterval(
        new Map(),
        () => false,
        1,
        () => 1,
        1,
      ),
    ).toMatchObject({ value: 0, queries: 0 });
  });

  it('contains what any error within the bound gives, for precision at k', () => {
    const documents = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1 }),
        score: fc.integer({ min: 0, max: 20 }),
        off: fc.integer({ min: -2, max: 2 }),
        relevant: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12, selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 5 }), (rows, k) => {
        const ids = rows.map(({ id }) => id);
        const good = new Set(rows.filter((row) => row.relevant).map(({ id }) => id));
        const measured = rank(
          'q',
          ids,
          rows.map(({ score }) => score),
        );
        // Each score is off by at most 2: margins by at most 4.
        const truth = rank(
          'q',
          ids,
          rows.map(({ score, off }) => score + off),
        );
        const measure = relevantIn(k, good);
        const { low, high } = numericsInterval(
          new Map([['q', measured]]),
          (_, id) => good.has(id),
          4 + 1e-9,
          measure,
          k,
        );
        expect(measure(truth)).toBeGreaterThanOrEqual(low);
        expect(measure(truth)).toBeLessThanOrEqual(high);
        const { favourable, unfavourable } = shiftedRankings(measured, (id) => good.has(id), 4);
        expect(new Set(favourable.documentIds)).toEqual(new Set(unfavourable.documentIds));
      }),
    );
  });
});
