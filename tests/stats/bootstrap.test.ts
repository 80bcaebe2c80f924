import { describe, expect, it } from 'vitest';
import {
  bootstrapDifferences,
  bootstrapMean,
  bootstrapMeans,
  bootstrapReplicates,
} from '../../src/stats/bootstrap.ts';
import { golden } from './golden.ts';

const numbers = (values: string | number[]): number[] =>
  typeof values === 'string' ? [...values].map(Number) : values;

describe('percentile bootstrap', () => {
  for (const row of golden.bootstrap) {
    it(`equals numpy bit for bit: ${row.name}`, () => {
      const a = numbers(row.a);
      const b = numbers(row.b);
      const difference = a.map((value, i) => value - (b[i] as number));
      const intervals = bootstrapMeans([a, b, difference]);
      const expected = [
        [row.aMean, ...row.aCi95],
        [row.bMean, ...row.bCi95],
        [row.aMinusBMean, ...row.aMinusBCi95],
      ];
      expect(intervals.map(({ mean, low, high }) => [mean, low, high])).toEqual(expected);
      const replicates = bootstrapReplicates([a, b, difference]);
      expect(replicates.map((values) => [...values.slice(0, 5)])).toEqual([
        row.aReplicates.first5,
        row.bReplicates.first5,
        row.aMinusBReplicates.first5,
      ]);
      const [paired] = bootstrapDifferences([a, b], [[0, 1]]);
      expect(paired?.mean).toBe(row.aMinusBMean);
      // Sums of 0/1 are exact: bit for bit there, to rounding elsewhere.
      expect(paired?.low).toBeCloseTo(row.aMinusBCi95[0], 14);
      expect(paired?.high).toBeCloseTo(row.aMinusBCi95[1], 14);
      if (typeof row.a === 'string') expect([paired?.low, paired?.high]).toEqual(row.aMinusBCi95);
      const at90 = bootstrapMean(difference, { level: 0.9 });
      expect([at90.low, at90.high]).toEqual(row.ci90OfDifference);
    });
  }

  it('gives NaN for no queries and refuses unequal lists', () => {
    expect(bootstrapMean([])).toEqual({ mean: NaN, low: NaN, high: NaN, n: 0 });
    expect(() => bootstrapMeans([[1, 2], [1]])).toThrow(/equal length/);
    expect(() => bootstrapMean([1], { resamples: 0 })).toThrow(/resamples/);
  });
});
