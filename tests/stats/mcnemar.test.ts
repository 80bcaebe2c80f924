import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarExact, mcnemarMidP, pairedTable } from '../../src/stats/mcnemar.ts';
import { golden, relativeError } from './golden.ts';

describe('McNemar', () => {
  it('gives the exact p of every golden table to 1e-12 relative, subnormal ones included', () => {
    for (const { b, c, exact, log10Exact, midP } of golden.mcnemar) {
      const result = mcnemarExact(b, c);
      expect(relativeError(result.p, exact), `exact (${b}, ${c})`).toBeLessThanOrEqual(1e-12);
      if (log10Exact !== null)
        expect(Math.abs(result.log10P - log10Exact), `log10 (${b}, ${c})`).toBeLessThanOrEqual(
          1e-11 * Math.max(1, Math.abs(log10Exact)),
        );
      expect(relativeError(mcnemarMidP(b, c).p, midP), `mid-p (${b}, ${c})`).toBeLessThanOrEqual(1e-12);
    }
  });

  it('is clamped and defined where nothing is discordant', () => {
    const cases: [number, number, number][] = [
      [0, 0, 1],
      [5, 5, 1],
      [1, 9, 0.021484375],
      [3, 12, 0.03515625],
      [2, 8, 0.109375],
      [0, 6, 0.03125],
    ];
    for (const [b, c, p] of cases) expect(mcnemarExact(b, c).p).toBe(p);
    expect(mcnemarExact(40, 21).p).toBeCloseTo(0.0204147, 7);
  });

  it('is symmetric, within 0..1, and the mid-p never exceeds the exact p', () => {
    const count = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(count, count, (b, c) => {
        const exact = mcnemarExact(b, c);
        expect(exact).toEqual(mcnemarExact(c, b));
        expect(exact.p).toBeGreaterThanOrEqual(0);
        expect(exact.p).toBeLessThanOrEqual(1);
        expect(mcnemarMidP(b, c).p).toBeLessThanOrEqual(exact.p);
      }),
    );
  });

  it('counts pairs', () => {
    expect(pairedTable([1, 1, 0, 0, 1], [1, 0, 1, 0, 0])).toEqual({
      both: 1,
      aOnly: 2,
      bOnly: 1,
      neither: 1,
    });
    expect(() => pairedTable([1], [])).toThrow(/equal length/);
    expect(() => mcnemarExact(-1, 2)).toThrow(/whole numbers/);
    expect(() => mcnemarExact(1.5, 2)).toThrow(/whole numbers/);
  });
});
