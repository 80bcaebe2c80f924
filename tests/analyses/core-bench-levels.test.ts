import { describe, expect, it } from 'vitest';
import { annotationAgreement } from '../../src/analyses/core-bench/annotation-agreement.ts';
import { levelAverages, levelOneScore, macroAverage } from '../../src/analyses/core-bench/averages.ts';
import { levelCorrelations, type LevelModel } from '../../src/analyses/core-bench/level-correlation.ts';
import { resolution } from '../../src/analyses/core-bench/resolution.ts';
import { spearman, spearmanInterval } from '../../src/stats/spearman.ts';

describe('levels of CORE-Bench (code retrieval)', () => {
  it('average to the published figures, and to nothing when a part is missing', () => {
    // Qwen3-Embedding-8B in table 3: 71.7, 20.3, 34.4 -> 42.2; rewrites 17.2, 30.8 -> 24.0.
    const averages = levelAverages({ L1: 71.7, L2: 20.3, L3: 34.4, 'L2-Rw': 17.2, 'L3-Rw': 30.8 });
    expect(averages['L1-L3 Avg']).toBeCloseTo(42.13, 2);
    expect(averages['Rewrite Avg']).toBeCloseTo(24, 12);
    expect(levelAverages({ L1: null, L2: 1, L3: 1, 'L2-Rw': null, 'L3-Rw': 1 })).toEqual({
      'L1-L3 Avg': null,
      'Rewrite Avg': null,
    });
    expect(
      levelOneScore(
        new Map([
          ['CosQA', [0.2]],
          ['CPRet', [0.4, 0.8]],
        ]),
      ),
    ).toBeCloseTo(0.4, 12);
    expect(levelOneScore(new Map([['CosQA', []]]))).toBeNull();
  });

  it('correlate as in table 3', () => {
    // L1, L2, L3 of the fourteen rows (nDCG@10).
    const rows = [
      [47.4, 12.1, 22.5],
      [23.8, 4.6, 8.7],
      [66.9, 17.0, 32.6],
      [31.3, 3.5, 8.1],
      [56.2, 17.0, 31.6],
      [72.7, 18.3, 32.8],
      [72.4, 16.7, 32.9],
      [54.7, 18.3, 33.9],
      [45.4, 22.4, 34.4],
      [63.8, 19.0, 33.8],
      [71.7, 20.3, 34.4],
      [58.1, 26.5, 44.5],
      [59.8, 30.3, 49.2],
      [63.0, 32.8, 50.2],
    ];
    const models = rows.map(([l1, l2, l3], i): LevelModel => ({
      name: `model ${i}`,
      level1: new Map([['CosQA', l1 as number]]),
      level2: l2 as number,
      level3: l3 as number,
    }));
    const cells = levelCorrelations(models);
    const cell = (from: string, to: string): (typeof cells)[number] | undefined =>
      cells.find((one) => one.from === from && one.to === to);
    expect(cell('L1', 'L2')?.rho).toBeCloseTo(0.324, 3);
    expect(cell('L1', 'L3')?.rho).toBeCloseTo(0.348, 3);
    expect(cell('L2', 'L3')?.rho).toBeCloseTo(0.961, 3);
    expect(cell('T2C', 'L2')).toMatchObject({ models: 14, rho: cell('L1', 'L2')?.rho });
    expect(cell('C2T', 'L2')).toMatchObject({ models: 0, rho: null, low: null });
    expect(cell('L1', 'L2')?.low).toBeLessThan(0);
    expect(cell('L2', 'L3')?.low).toBeGreaterThan(0.8);
    // A model that lacks a set of the group is left out, not averaged over fewer sets.
    const partial = [...models.slice(1), { ...models[0], level1: new Map() } as LevelModel];
    expect(levelCorrelations(partial).find(({ from, to }) => from === 'T2C' && to === 'L2')?.models).toBe(13);
  });

  it('have intervals of correlation that shrink with n and contain rho', () => {
    const rho = spearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]).value as number;
    const [low, high] = spearmanInterval(rho, 6) as [number, number];
    expect(low).toBeLessThan(rho);
    expect(high).toBeGreaterThan(rho);
    const [, narrower] = spearmanInterval(rho, 60) as [number, number];
    expect(narrower).toBeLessThan(high);
    expect(spearmanInterval(0.5, 3)).toBeNull();
    expect(spearmanInterval(1, 10)).toEqual([1, 1]);
  });

  it('macro averages do not depend on how many queries a group has', () => {
    expect(macroAverage([1, 1, 1, 0], ['a', 'a', 'a', 'b'], { resamples: 50 })).toMatchObject({
      value: 0.5,
      n: 4,
    });
    expect(macroAverage([], []).value).toBeNull();
  });
});

describe('annotation and resolution', () => {
  it('agreement: perfect, partial with gaps, and none', () => {
    const perfect = annotationAgreement(
      ['r1', 'r2'],
      [
        ['yes', 'yes'],
        ['no', 'no'],
      ],
    );
    expect(perfect).toMatchObject({
      krippendorff: 1,
      fleiss: { kappa: 1, items: 2 },
      unanimous: { value: 1 },
    });
    const partial = annotationAgreement(
      ['r1', 'r2', 'r3'],
      [
        ['yes', 'yes', 'no'],
        ['no', 'no', null],
        ['yes', 'yes', 'yes'],
        ['no', null, null],
      ],
    );
    expect(partial.items).toBe(4);
    expect(partial.unanimous).toMatchObject({ count: 2, n: 3 });
    expect(partial.fleiss.items).toBe(2);
    expect(partial.pairs.map(({ a, b, items }) => [a, b, items])).toEqual([
      ['r1', 'r2', 3],
      ['r1', 'r3', 2],
      ['r2', 'r3', 2],
    ]);
    expect(partial.pairs[0]?.kappa).toBe(1);
    expect(annotationAgreement([], []).krippendorff).toBeNull();
  });

  it('resolution: Wilson rates by source and McNemar of Level 3 against Level 2', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      instance: `i${i}`,
      source: i < 10 ? 'Verified' : 'Pro',
      full: true,
      level2: i % 4 === 0,
      level3: i === 19 ? null : i % 2 === 0,
    }));
    const table = resolution(rows, { resamples: 50 });
    expect(table.map(({ source }) => source)).toEqual(['Pro', 'Verified', 'all']);
    const all = table[2];
    expect([all?.full.count, all?.level2.count, all?.level3.count, all?.level3.n]).toEqual([20, 5, 10, 19]);
    expect(all?.pairs).toEqual({ both: 5, aOnly: 5, bOnly: 0, neither: 9, n: 19 });
    expect(all?.p).toBe(0.0625);
    expect(all?.difference.value).toBeCloseTo(5 / 19, 12);
  });
});
