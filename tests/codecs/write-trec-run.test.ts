import { expect, it } from 'vitest';
import { scoreText, trecRunLines } from '../../src/codecs/write-trec-run.ts';

it('writes 17 significant digits, which read back as the same float64', () => {
  for (const score of [0.1, 1 / 3, -2e-300, 0, 1, 123456789.123456789, 0.8 + 1e-12, 5e-324]) {
    expect(Number(scoreText(score))).toBe(score);
  }
  expect(
    trecRunLines({ queryId: 'q', documentIds: ['b', 'a'], scores: Float64Array.of(0.5, 0.25) }, 'tag'),
  ).toBe('q Q0 b 1 0.50000000000000000 tag\nq Q0 a 2 0.25000000000000000 tag\n');
  expect(trecRunLines({ queryId: 'q', documentIds: [], scores: new Float64Array(0) }, 'tag')).toBe('');
});

it('refuses ids that the format cannot hold', () => {
  const ranking = { queryId: 'q', documentIds: ['a b'], scores: Float64Array.of(1) };
  expect(() => trecRunLines(ranking, 't')).toThrow(/"a b"/);
});
