import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bcaBootstrapMean } from '../../src/stats/bca-bootstrap.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { clusterBootstrap, clusterRemark, clustersOf, clusterSignFlip } from '../../src/stats/cluster.ts';
import { detectableMeanDifference, detectableRateDifference } from '../../src/stats/detectable-difference.ts';
import { mcnemarExact } from '../../src/stats/mcnemar.ts';
import { Pcg64 } from '../../src/stats/pcg64.ts';
import { pairedRandomisation } from '../../src/stats/randomisation.ts';
import { compactLetters, tieGroups } from '../../src/stats/tie-groups.ts';

describe('clusters', () => {
  it('of one observation each give the plain bootstrap and the plain test', () => {
    const values = [0.1, 0.9, 0.4, 0.3, 0.8, -0.2, 0.5];
    const clusters = clustersOf(values, [...values.keys()]);
    const plain = bootstrapMean(values);
    const clustered = clusterBootstrap(clusters);
    expect(clustered.mean).toBeCloseTo(plain.mean, 14);
    expect(clustered.low).toBeCloseTo(plain.low, 14);
    expect(clustered.high).toBeCloseTo(plain.high, 14);
    expect(clusterSignFlip(clusters).p).toBe(pairedRandomisation(values).p);
  });

  it('of equal observations widen the interval and weaken the test', () => {
    // Three repositories, each ten times the same difference: three facts, not thirty.
    const keys = Array.from({ length: 30 }, (_, i) => `repository-${i % 3}`);
    const values = keys.map(
      (key) => ({ 'repository-0': 0.3, 'repository-1': 0.2, 'repository-2': 0.25 })[key] ?? 0,
    );
    const clusters = clustersOf(values, keys);
    expect([...clusters.sizes]).toEqual([10, 10, 10]);
    expect(clusterSignFlip(clusters)).toMatchObject({ p: 0.25, exact: true });
    const queryP = pairedRandomisation(values).p;
    expect(queryP).toBeLessThan(0.001);
    expect(clusterRemark(queryP, 0.25, 'repository')).toMatch(/not by repository \(p = 0\.25\)/);
    expect(clusterRemark(0.2, 0.25, 'repository')).toBeNull();
    expect(clusterRemark(0.2, 0.01, 'problem')).toMatch(/Significant by problem/);
    const plain = bootstrapMean(values);
    const clustered = clusterBootstrap(clusters);
    expect(clustered.high - clustered.low).toBeGreaterThan(plain.high - plain.low);
    expect(clustered).toMatchObject({ n: 30, clusters: 3 });
  });

  it('are refused without a key for every value and empty without values', () => {
    expect(() => clustersOf([1], [])).toThrow(/cluster/);
    expect(clusterBootstrap(clustersOf([], []))).toMatchObject({ mean: NaN, n: 0 });
  });
});

describe('BCa bootstrap', () => {
  it("equals scipy's formulas on the same resamples", () => {
    // scipy 1.17.1's _bca_interval on the resamples of default_rng(20260510), by running it.
    for (const { values, low, high } of SCIPY_BCA) {
      const interval = bcaBootstrapMean(values);
      expect(interval.low).toBeCloseTo(low, 12);
      expect(interval.high).toBeCloseTo(high, 12);
    }
  });

  it('has no width where nothing varies', () => {
    expect(bcaBootstrapMean([1, 1, 1])).toEqual({ mean: 1, low: 1, high: 1, n: 3 });
    expect(bcaBootstrapMean([]).mean).toBeNaN();
  });
});

describe('tie groups', () => {
  it('gives letters that are not transitive', () => {
    // A and C differ, B differs from neither: a, ab, b.
    expect(compactLetters([0.5, 0.4, 0.3], [[0, 2]])).toEqual(['a', 'ab', 'b']);
    expect(compactLetters([0.3, 0.5], [])).toEqual(['a', 'a']);
    expect(
      compactLetters(
        [0.1, 0.9, 0.5],
        [
          [0, 1],
          [0, 2],
          [1, 2],
        ],
      ),
    ).toEqual(['c', 'a', 'b']);
  });

  it('shares a letter exactly where no difference was found, with no letter to spare', () => {
    const pair = fc.tuple(fc.nat(6), fc.nat(6)).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 15 }), (differing) => {
        const letters = compactLetters([7, 6, 5, 4, 3, 2, 1], differing);
        for (let a = 0; a < 7; a++) {
          for (let b = 0; b < a; b++) {
            const differs = differing.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
            const shared = [...(letters[a] as string)].some((one) => (letters[b] as string).includes(one));
            expect(shared).toBe(!differs);
          }
        }
      }),
    );
  });

  it('tests 0/1 outcomes by McNemar with Holm, others by randomisation', () => {
    const n = 200;
    const strong = Array.from({ length: n }, (_, i) => (i % 10 < 8 ? 1 : 0));
    const weak = Array.from({ length: n }, (_, i) => (i % 10 < 2 ? 1 : 0));
    const middling = Array.from({ length: n }, (_, i) => (i % 10 < 8 && i % 13 !== 0 ? 1 : 0));
    const groups = tieGroups([
      { name: 'weak', values: weak },
      { name: 'strong', values: strong },
      { name: 'strong again', values: [...strong] },
      { name: 'middling', values: middling },
    ]);
    expect(groups.test).toBe('mcnemar');
    expect(groups.systems.map(({ letters }) => letters)).toEqual(['c', 'a', 'a', 'b']);
    expect(groups.pairs).toHaveLength(6);
    const graded = tieGroups([
      { name: 'a', values: [0.5, 0.25, 0.1] },
      { name: 'b', values: [0.5, 0.2, 0.2] },
    ]);
    expect(graded.test).toBe('randomisation');
    expect(graded.systems.map(({ letters }) => letters)).toEqual(['a', 'a']);
    expect(() =>
      tieGroups([
        { name: 'a', values: [1] },
        { name: 'b', values: [] },
      ]),
    ).toThrow(/b has 0/);
  });
});

describe('minimum detectable difference', () => {
  it('solves its own equation', () => {
    // z(.975) = 1.959964, z(.8) = .841621: (1.959964 + .841621) * .4 / sqrt(100)
    expect(detectableMeanDifference(0.4, 100)).toBeCloseTo(0.11206, 5);
    const difference = detectableRateDifference(0.12, 939) as number;
    const reached =
      (1.959963984540054 * Math.sqrt(0.12) + 0.8416212335729143 * Math.sqrt(0.12 - difference ** 2)) ** 2 /
      difference ** 2;
    expect(reached).toBeCloseTo(939, 6);
  });

  it('is found in about four of five simulated comparisons', () => {
    const n = 600;
    const discordant = 0.15;
    const difference = detectableRateDifference(discordant, n) as number;
    const random = new Pcg64(11);
    let found = 0;
    for (let run = 0; run < 400; run++) {
      let aOnly = 0;
      let bOnly = 0;
      for (let i = 0; i < n; i++) {
        const draw = random.random();
        if (draw < (discordant + difference) / 2) aOnly++;
        else if (draw < discordant) bOnly++;
      }
      if (mcnemarExact(aOnly, bOnly).p <= 0.05) found++;
    }
    // The exact test is a little conservative.
    expect(found / 400).toBeGreaterThan(0.7);
    expect(found / 400).toBeLessThan(0.86);
  });

  it('is null where nothing could be found', () => {
    expect(detectableRateDifference(0, 100)).toBeNull();
    expect(detectableRateDifference(0.05, 10)).toBeNull();
    expect(detectableMeanDifference(0.1, 0)).toBeNull();
    expect(() => detectableRateDifference(1.5, 10)).toThrow(/0\.\.1/);
    expect(() => detectableMeanDifference(1, 10, { power: 80 })).toThrow(/power/);
  });
});
const SCIPY_BCA = [
  {
    values: [
      0.522, 0.527, 0.137, 0.023, 0.0, 0.056, 0.068, 0.0, 0.0, 0.998, 0.278, 0.013, 0.082, 0.925, 0.723,
      0.602, 0.06, 0.12, 0.31, 0.0, 0.172, 0.02, 0.681, 0.0, 0.313,
    ],
    low: 0.16067128845795428,
    high: 0.4002025843008983,
  },
  {
    values: [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
    low: 0.06666666666666667,
    high: 0.4666666666666667,
  },
  { values: [0.0, 0.1, 0.1, 0.9], low: 0.05, high: 0.7000000000000001 },
];
