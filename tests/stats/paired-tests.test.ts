import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarApproximate, mcnemarExact } from '../../src/stats/mcnemar.ts';
import { pairedT } from '../../src/stats/paired-t.ts';
import { pairedRandomisation, pairedRandomisations } from '../../src/stats/randomisation.ts';
import { signTest } from '../../src/stats/sign-test.ts';
import { wilcoxon, type ZeroMethod } from '../../src/stats/wilcoxon.ts';
import { golden, relativeError } from './golden.ts';

function expectClose(actual: number | null, expected: number | null, tolerance: number, what: string): void {
  if (expected === null || actual === null) expect(actual, what).toBe(expected);
  else
    expect(relativeError(actual, expected), `${what}: ${actual} for ${expected}`).toBeLessThanOrEqual(
      tolerance,
    );
}

describe('paired tests', () => {
  for (const row of golden.paired) {
    it(`agree with scipy: ${row.name}`, () => {
      const differences = row.a.map((value, i) => value - (row.b[i] as number));
      const t = pairedT(differences);
      expect(relativeError(t.meanDifference, row.meanDifference)).toBeLessThanOrEqual(1e-12);
      // "constant difference": scipy's t of 1e16 there comes from the rounding of a - b.
      if (row.name === 'constant difference') expect(t.t).toBeNull();
      else {
        expectClose(t.t, row.tTest.t, 1e-11, 't');
        expectClose(t.p, row.tTest.p, 1e-9, 'p of t');
        row.tTest.ci95?.forEach((end, i) => {
          expectClose((t.interval as readonly number[])[i] as number, end, 1e-9, 'interval');
        });
      }
      const rounded = row.differencesRounded9;
      for (const [name, expected] of Object.entries(row.wilcoxon)) {
        const [zeroMethod, , correction] = name.split(',') as [ZeroMethod, string, string];
        const result =
          name === 'exact'
            ? wilcoxon(rounded, { method: 'exact' })
            : wilcoxon(rounded, { zeroMethod, continuity: correction === 'correction=true' });
        expectClose(result.w, expected.W, 1e-12, `W ${name}`);
        expectClose(result.p, expected.p, 1e-9, `p ${name}`);
      }
      const sign = signTest(rounded);
      expect([sign.positive, sign.negative]).toEqual([row.signTest.positive, row.signTest.negative]);
      expectClose(sign.p, row.signTest.p, 1e-12, 'sign test');
      if (row.randomizationExact !== undefined) {
        const randomisation = pairedRandomisation(rounded);
        expect(randomisation.exact).toBe(true);
        expect(randomisation.p).toBeCloseTo(row.randomizationExact, 14);
      }
    });
  }

  it('approximates McNemar as statsmodels does, and clamped', () => {
    for (const row of golden.mcnemar) {
      const kinds = [
        ['none', row.asymptotic],
        ['edwards', row.asymptoticCorrected],
        ['edwards-clamped', row.asymptoticEdwardsClamped ?? null],
      ] as const;
      for (const [kind, expected] of kinds) {
        const actual = mcnemarApproximate(row.b, row.c, kind);
        expectClose(
          actual?.chiSquare ?? null,
          expected?.chi2 ?? null,
          1e-12,
          `chi2 ${kind} ${row.b} ${row.c}`,
        );
        expectClose(actual?.p ?? null, expected?.p ?? null, 1e-9, `p ${kind} ${row.b} ${row.c}`);
      }
    }
  });

  it('gives null or 1, never NaN, where nothing differs', () => {
    expect(wilcoxon([0, 0, 0])).toEqual({ w: null, p: null });
    expect(wilcoxon([])).toEqual({ w: null, p: null });
    expect(pairedT([0.5])).toMatchObject({ t: null, p: null, interval: null });
    expect(pairedRandomisation([0, 0]).p).toBe(1);
    expect(signTest([]).p).toBe(1);
    expect(() => wilcoxon([1, 1], { method: 'exact' })).toThrow(/without ties/);
  });
});

describe('randomisation', () => {
  it('is McNemar on 0/1 outcomes, for any number of queries', () => {
    const differences = [...new Array<number>(40).fill(1), ...new Array<number>(21).fill(-1), 0, 0];
    expect(pairedRandomisation(differences)).toMatchObject({ p: mcnemarExact(40, 21).p, exact: true });
  });

  it('counts the same as trying every pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 9 }), (values) => {
        const observed = Math.abs(values.reduce((sum, value) => sum + value, 0));
        let hits = 0;
        for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
          const sum = values.reduce((total, value, i) => total + (pattern & (1 << i) ? value : -value), 0);
          if (Math.abs(sum) >= observed) hits++;
        }
        expect(pairedRandomisation(values).p).toBeCloseTo(hits / 2 ** values.length, 12);
      }),
    );
  });

  it('gives every list the result that it has alone, whatever is kept or drawn anew', () => {
    const list = (n: number): number[] => Array.from({ length: n }, (_, i) => Math.sin(i + n) + 0.05);
    const lists = [list(40), list(25), list(300), list(130)];
    const alone = lists.map((differences) => pairedRandomisation(differences, { samples: 500 }));
    expect(pairedRandomisations(lists, { samples: 500 })).toEqual(alone);
    // 2,000 samples of 70,000 signs do not fit what is kept.
    const large = list(70_000);
    const together = pairedRandomisations([large, list(40)], { samples: 2_000 });
    expect(together[1]).toEqual(pairedRandomisation(list(40), { samples: 2_000 }));
    expect(together[0]?.p).toBeLessThan(0.01);
  });

  it('samples beyond twenty differences, the same for the same seed and close to the exact value', () => {
    const values = Array.from({ length: 20 }, (_, i) => ((i * 37) % 23) - 9.5);
    const exact = pairedRandomisation(values).p;
    const longer = [...values, 1e-9];
    const sampled = pairedRandomisation(longer, { samples: 20_000 });
    expect(sampled.exact).toBe(false);
    expect(sampled.p).toBe(pairedRandomisation(longer, { samples: 20_000 }).p);
    expect(Math.abs(sampled.p - exact)).toBeLessThan(0.02);
  });
});
