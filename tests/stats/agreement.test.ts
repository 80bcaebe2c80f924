import { describe, expect, it } from 'vitest';
import { cohenKappa, ratingTable } from '../../src/stats/cohen-kappa.ts';
import { fleissKappa } from '../../src/stats/fleiss-kappa.ts';
import { krippendorffAlpha } from '../../src/stats/krippendorff-alpha.ts';
import { golden } from './golden.ts';

const close = (actual: number | null | undefined, expected: number | null | undefined): void => {
  if (typeof expected === 'number') expect(actual).toBeCloseTo(expected, 12);
  else expect(actual ?? null).toBeNull();
};

describe('agreement', () => {
  it("gives statsmodels' kappas, errors and intervals", () => {
    for (const row of golden.agreement.cohen) {
      const result = cohenKappa(row.table);
      close(result.kappa, row.kappa);
      close(result.standardError, row.standardError);
      close(result.interval?.[0], row.ci95[0]);
      close(result.interval?.[1], row.ci95[1]);
      if ('linearWeighted' in row) close(cohenKappa(row.table, 'linear').kappa, row.linearWeighted);
      if ('quadraticWeighted' in row) close(cohenKappa(row.table, 'quadratic').kappa, row.quadraticWeighted);
    }
    for (const row of golden.agreement.fleiss) {
      close(fleissKappa(row.subjectsByCategory), row.kappa);
      close(fleissKappa(row.subjectsByCategory, 'randolph'), row.randolph);
    }
    for (const row of golden.agreement.krippendorffNominal)
      close(krippendorffAlpha(row.unitsByRater), row.alpha);
  });

  it("gives Krippendorff's published values for his four observers", () => {
    // Computing Krippendorff's Alpha-Reliability, 2011, section C: nominal .743, ordinal .815, interval .849.
    const observers = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
      [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
    ];
    const units = Array.from({ length: 12 }, (_, u) => observers.map((labels) => labels[u] ?? null));
    expect(krippendorffAlpha(units, 'nominal')).toBeCloseTo(0.743, 3);
    expect(krippendorffAlpha(units, 'ordinal')).toBeCloseTo(0.815, 3);
    expect(krippendorffAlpha(units, 'interval')).toBeCloseTo(0.849, 3);
  });

  it('makes the table of two raters and refuses what is not one', () => {
    const { categories, table } = ratingTable(['yes', 'no', 'yes'], ['yes', 'yes', 'maybe']);
    expect(categories).toEqual(['yes', 'no', 'maybe']);
    expect(table).toEqual([
      [1, 0, 1],
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(() => ratingTable(['a'], [])).toThrow(/same items/);
    expect(() => cohenKappa([[1, 2]])).toThrow(/square/);
    expect(() => fleissKappa([[2], [3]])).toThrow(/same number/);
    expect(cohenKappa([]).kappa).toBeNull();
    expect(krippendorffAlpha([[1, null]])).toBeNull();
    expect(krippendorffAlpha([[1, 1]])).toBeNull();
  });
});
