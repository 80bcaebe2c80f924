import { describe, expect, it } from 'vitest';
import { variance } from '../../src/stats/paired-t.ts';
import { proportionInterval } from '../../src/stats/proportion-interval.ts';
import { median, quantile } from '../../src/stats/quantile.ts';
import { golden } from './golden.ts';

describe('intervals of a share', () => {
  it("are statsmodels'", () => {
    for (const row of golden.proportions) {
      const { successes, n } = row;
      const expected = [
        [proportionInterval(successes, n), row.wilson],
        [proportionInterval(successes, n, 'wilson', 0.9), row.wilson90],
        [proportionInterval(successes, n, 'clopper-pearson'), row.beta],
        [proportionInterval(successes, n, 'agresti-coull'), row.agresti_coull],
        [proportionInterval(successes, n, 'jeffreys'), row.jeffreys],
        [proportionInterval(successes, n, 'normal'), row.normal],
      ] as const;
      expected.forEach(([actual, wanted], i) => {
        expect(actual[0], `low ${i} ${successes}/${n}`).toBeCloseTo(wanted[0], 10);
        expect(actual[1], `high ${i} ${successes}/${n}`).toBeCloseTo(wanted[1], 10);
      });
    }
  });

  it('know nothing without observations and refuse counts that cannot be', () => {
    expect(proportionInterval(0, 0)).toEqual([0, 1]);
    expect(() => proportionInterval(3, 2)).toThrow(/3 of 2/);
    expect(() => proportionInterval(0.5, 2)).toThrow(/whole/);
    expect(() => proportionInterval(1, 2, 'wilson', 95)).toThrow(/level/);
  });
});

describe('quantiles', () => {
  it("are numpy's, bit for bit", () => {
    for (const row of golden.quantiles) {
      expect(row.percent.map((percent) => quantile(row.values, percent / 100))).toEqual(row.linear);
      expect(median(row.values)).toBe(row.median);
      if (row.variance !== null) expect(variance(row.values)).toBeCloseTo(row.variance, 12);
    }
    expect(quantile([], 0.5)).toBeNaN();
    expect(median([])).toBeNaN();
    expect(() => quantile([1], 2)).toThrow(/0\.\.1/);
  });
});
