import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kendallTauB } from '../../src/stats/kendall.ts';
import { midranks } from '../../src/stats/midranks.ts';
import { pearson } from '../../src/stats/pearson.ts';
import { spearman } from '../../src/stats/spearman.ts';
import { golden, relativeError } from './golden.ts';

/** Values to 1e-12 (absolute where they are near 0), p to 1e-9 relative; p is not compared where |r| = 1, as the golden README says. */
function expectClose(actual: number | null, expected: number | null, tolerance: number, what: string): void {
  if (expected === null || actual === null) expect(actual, what).toBe(expected);
  else
    expect(
      Math.min(relativeError(actual, expected), Math.abs(actual - expected) * 1_000),
      `${what}: ${actual} for ${expected}`,
    ).toBeLessThanOrEqual(tolerance);
}

describe('correlation', () => {
  for (const row of golden.correlation) {
    it(`agrees with scipy: ${row.name}`, () => {
      const rho = spearman(row.x, row.y);
      expectClose(rho.value, row.spearman.rho, 1e-12, 'rho');
      const r = pearson(row.x, row.y);
      expectClose(r.value, row.pearson.r, 1e-12, 'r');
      if (Math.abs(rho.value ?? 0) < 1 - 1e-12) expectClose(rho.p, row.spearman.p, 1e-9, 'p of rho');
      if (Math.abs(r.value ?? 0) < 1 - 1e-12) expectClose(r.p, row.pearson.p, 1e-9, 'p of r');
      const tau = kendallTauB(row.x, row.y);
      expectClose(tau.tau, row.kendallTauB.tau, 1e-12, 'tau');
      expectClose(tau.pAsymptotic, row.kendallTauB.pAsymptotic, 1e-9, 'asymptotic p of tau');
      if (row.kendallTauB.pExact !== undefined)
        expectClose(tau.pExact, row.kendallTauB.pExact, 1e-12, 'exact p of tau');
    });
  }

  it('ranks ties by their mean rank', () => {
    const { ranks, ties } = midranks([3, 1, 3, 2, 3]);
    expect([...ranks]).toEqual([4, 1, 4, 2, 4]);
    expect(ties).toEqual([3]);
  });

  it('does not change under monotone maps, and swaps sign under reversal', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(pairs, (list) => {
        const x = list.map(([value]) => value);
        const y = list.map(([, value]) => value);
        const rho = spearman(x, y).value;
        expect(
          spearman(
            x.map((value) => value ** 3),
            y,
          ).value,
        ).toBe(rho);
        const reversed = spearman(
          x.map((value) => -value),
          y,
        ).value;
        if (rho === null) expect(reversed).toBeNull();
        else expect(reversed).toBeCloseTo(-rho, 12);
        const tau = kendallTauB(x, y).tau;
        expect(kendallTauB(y, x).tau === null).toBe(tau === null);
      }),
    );
  });

  it('refuses lists of different length', () => {
    expect(() => spearman([1], [1, 2])).toThrow(/equal length/);
    expect(() => pearson([1], [1, 2])).toThrow(/equal length/);
    expect(() => kendallTauB([1], [1, 2])).toThrow(/equal length/);
  });
});
