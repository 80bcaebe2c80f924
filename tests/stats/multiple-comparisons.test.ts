import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustP, type Correction } from '../../src/stats/multiple-comparisons.ts';
import { golden } from './golden.ts';

const kinds: [
  Correction,
  'bonferroni' | 'holm' | 'benjaminiHochberg' | 'benjaminiYekutieli' | 'holmSidak',
][] = [
  ['bonferroni', 'bonferroni'],
  ['holm', 'holm'],
  ['holm-sidak', 'holmSidak'],
  ['benjamini-hochberg', 'benjaminiHochberg'],
  ['benjamini-yekutieli', 'benjaminiYekutieli'],
];

describe('corrections for several tests', () => {
  it("are statsmodels'", () => {
    for (const row of golden.multiple) {
      for (const [kind, name] of kinds) {
        const adjusted = adjustP(row.p, kind);
        adjusted.forEach((p, i) => expect(p, kind).toBeCloseTo(row[name].adjusted[i] as number, 12));
        expect(adjusted.map((p) => p <= 0.05)).toEqual(row[name].rejectAt05);
      }
    }
  });

  it('never make a p smaller, keep its order, and do not depend on the order of the tests', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (values) => {
        for (const [kind] of kinds) {
          const adjusted = adjustP(values, kind);
          adjusted.forEach((p, i) => {
            expect(p).toBeGreaterThanOrEqual((values[i] as number) * (1 - 1e-12));
            expect(p).toBeLessThanOrEqual(1);
          });
          expect(adjustP([...values].reverse(), kind).reverse()).toEqual(adjusted);
        }
      }),
    );
    expect(() => adjustP([1.2], 'holm')).toThrow(/0\.\.1/);
  });
});
