import { describe, expect, it } from 'vitest';
import { maxSim, normaliseTokens } from '../../../workers/rerank/max-sim.ts';
import { cutPair, joinPrompt, yesProbability } from '../../../workers/rerank/pairs.ts';

describe('pairs', () => {
  it('lose the end of the document, never the closing tokens', () => {
    const ids = [101, 7, 102, 8, 9, 10, 102];
    const segments = [0, 0, 0, 1, 1, 1, 1];
    expect(cutPair(ids, segments, 7, [102])).toEqual({ ids, segments, truncated: false });
    expect(cutPair(ids, segments, 5, [102])).toEqual({
      ids: [101, 7, 102, 8, 102],
      segments: [0, 0, 0, 1, 1],
      truncated: true,
    });
    expect(cutPair([0, 7, 2, 2, 8, 9, 2], undefined, 6, [2])).toEqual({
      ids: [0, 7, 2, 2, 8, 2],
      truncated: true,
    });
  });

  it('of a yes/no prompt cut the body to the room left', () => {
    expect(joinPrompt([1, 2], [5, 6, 7], [9], 6)).toEqual({ ids: [1, 2, 5, 6, 7, 9], truncated: false });
    expect(joinPrompt([1, 2], [5, 6, 7], [9], 4)).toEqual({ ids: [1, 2, 5, 9], truncated: true });
    expect(joinPrompt([1, 2], [5], [9], 2)).toEqual({ ids: [1, 2, 9], truncated: true });
  });

  it('score yes against no without overflow', () => {
    expect(yesProbability(2, 2)).toBe(0.5);
    expect(yesProbability(1, 0)).toBeCloseTo(Math.E / (Math.E + 1), 12);
    expect(yesProbability(-1e4, 1e4)).toBe(0);
    expect(yesProbability(1e4, -1e4)).toBe(1);
  });
});

describe('late interaction', () => {
  it('sums the best match of each token of the query', () => {
    const query = normaliseTokens(Float32Array.of(2, 0, 0, 3), 2);
    const document = normaliseTokens(Float32Array.of(1, 1, 0, -5), 2);
    expect([...query.values]).toEqual([1, 0, 0, 1]);
    // First token: max(0.7071, 0); second: max(0.7071, -1).
    expect(maxSim(query, document)).toBeCloseTo(2 * Math.SQRT1_2, 6);
    expect(maxSim(query, query)).toBeCloseTo(2, 6);
  });

  it('gives 0 for an empty document, and zero states match nothing', () => {
    const query = normaliseTokens(Float32Array.of(1, 0), 1);
    expect(maxSim(query, normaliseTokens(new Float32Array(0), 0))).toBe(0);
    expect(maxSim(query, normaliseTokens(Float32Array.of(0, 0), 1))).toBe(0);
  });
});
