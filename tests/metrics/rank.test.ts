import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../seed.ts';
import { compareRanked, rank } from '../../src/domain/ranking.ts';

const documents = fc.uniqueArray(
  fc.tuple(
    fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('￮', '\u{1F600}', '\ue000')),
    fc.oneof(
      fc.constantFrom(0, -0, 1, -1, 5e-324, Number.MAX_VALUE),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  ),
  { selector: ([id]) => id, maxLength: 40 },
);

describe('rank', () => {
  it('sorts as comparing every pair by the total order does, ties and signed zeros included', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 0, max: 50 }), (pairs, depth) => {
        const ids = pairs.map(([id]) => id);
        const scores = pairs.map(([, score]) => score);
        const sorted = [...pairs].sort(([idA, scoreA], [idB, scoreB]) =>
          compareRanked(scoreA, idA, scoreB, idB),
        );
        const ranking = rank('q', ids, scores, depth);
        expect(ranking.documentIds).toEqual(sorted.slice(0, depth).map(([id]) => id));
        expect([...ranking.scores]).toEqual(sorted.slice(0, depth).map(([, score]) => score));
      }),
      { numRuns: process.env['ASSAY_LONG'] === '1' ? 20_000 : 400 },
    );
  });

  it('takes float32 infinities, which rounding to single precision can make', () => {
    const ranking = rank('q', ['a', 'b', 'c'], [Infinity, Infinity, -Infinity]);
    expect(ranking.documentIds).toEqual(['b', 'a', 'c']);
  });
});
