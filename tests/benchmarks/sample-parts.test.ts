import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORE_BENCH_SUBDATASETS } from '../../src/benchmarks/core-bench.ts';
import { BENCHMARKS, benchmarkById } from '../../src/benchmarks/list.ts';
import { sampleParts, type BenchmarkPart } from '../../src/benchmarks/sample-parts.ts';

const parts: BenchmarkPart[] = Object.entries(CORE_BENCH_SUBDATASETS.L2).flatMap(
  ([subdataset, repositories]) =>
    Array.from({ length: repositories }, (_, i) => ({ part: `${subdataset}/r${i}`, subdataset })),
);

const perGroup = (sample: readonly BenchmarkPart[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { subdataset } of sample) counts[subdataset] = (counts[subdataset] ?? 0) + 1;
  return counts;
};

describe('sampling the repositories of a level', () => {
  it('draws from every sub-dataset in proportion', () => {
    expect(parts).toHaveLength(632);
    // 63.2 repositories a tenth: 1.2, 1.0, 20.9, 31.9, 0.6, 3.5 and 4.1 before rounding, one at least.
    expect(perGroup(sampleParts(parts, 63, 1))).toEqual({
      'SWE-bench Verified': 1,
      'SWE-bench Pro': 1,
      'SWE-bench Live': 21,
      'SWE-bench++': 32,
      'SWE-bench+': 1,
      'Multi-SWE-bench': 3,
      'SWE-bench Multilingual': 4,
    });
  });

  it('is the same for the same seed, has the size asked for, and repeats nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(), (count, seed) => {
        const sample = sampleParts(parts, count, seed);
        expect(sample).toEqual(sampleParts(parts, count, seed));
        expect(sample).toHaveLength(Math.min(count, parts.length));
        expect(new Set(sample).size).toBe(sample.length);
        if (count >= 7) expect(Object.keys(perGroup(sample))).toHaveLength(7);
      }),
      { numRuns: 40 },
    );
    expect(sampleParts(parts, 20, 1)).not.toEqual(sampleParts(parts, 20, 2));
  });
});

describe('the list of benchmarks', () => {
  it('has every id once and pins every hub source', () => {
    const ids = BENCHMARKS.map((benchmark) => benchmark.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { source } of BENCHMARKS)
      if (source.kind === 'hub') expect(source.revision).toMatch(/^[0-9a-f]{7,40}$/);
  });

  it('states published values as shares with their source', () => {
    for (const { published } of BENCHMARKS)
      for (const { value, source, interval } of published) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(source).not.toBe('');
        if (interval) expect(interval[0] <= value && value <= interval[1]).toBe(true);
      }
  });

  it('names the nearest ids for an unknown one', () => {
    expect(() => benchmarkById('exec-minni')).toThrow(/Did you mean exec-mini/);
  });
});
