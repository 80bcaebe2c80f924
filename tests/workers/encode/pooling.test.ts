import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  finishVectors,
  halfToFloat,
  poolTokens,
  toFloat32,
  type VectorRecipe,
} from '../../../workers/encode/pooling.ts';

const plain = { pooling: 'mean', layerNorm: false, normalised: false } as const;
/** A recipe for vectors of this many dimensions, cut to fewer where asked. */
const recipe = (graphDimensions: number, change: Partial<VectorRecipe> = {}): VectorRecipe => ({
  ...plain,
  graphDimensions,
  dimensions: graphDimensions,
  ...change,
});

describe('pooling', () => {
  // One text of three positions, two dimensions; the last position is padding.
  const states = Float32Array.of(1, 0, 0, 1, 9, 9);
  const mask = [1n, 1n, 0n];

  it('averages over the mask only', () => {
    const pooled = poolTokens(states, mask, 1, 3, 'mean');
    expect([...pooled]).toEqual([0.5, 0.5]);
    const unit = finishVectors(pooled, 1, recipe(2, { normalised: true }));
    expect(unit[0]).toBeCloseTo(0.70711, 5);
    expect(unit[1]).toBeCloseTo(0.70711, 5);
  });

  it('takes the first or the last position of the mask, whichever side is padded', () => {
    expect([...poolTokens(states, mask, 1, 3, 'cls')]).toEqual([1, 0]);
    expect([...poolTokens(states, mask, 1, 3, 'last')]).toEqual([0, 1]);
    const left = Float32Array.of(9, 9, 1, 0, 0, 1);
    expect([...poolTokens(left, [0n, 1n, 1n], 1, 3, 'last')]).toEqual([0, 1]);
    expect([...poolTokens(left, [0n, 1n, 1n], 1, 3, 'cls')]).toEqual([1, 0]);
  });

  it('gives the zero vector, never NaN, for a row without tokens', () => {
    const pooled = poolTokens(states, [0n, 0n, 0n], 1, 3, 'mean');
    expect([...finishVectors(pooled, 1, recipe(2, { normalised: true }))]).toEqual([0, 0]);
  });

  it('normalises the layer, cuts to the Matryoshka prefix, then scales to unit length', () => {
    const pooled = Float32Array.of(1, 2, 3, 6);
    // Mean 3, variance 3.5: the normalised layer is (-2, -1, 0, 3) / sqrt(3.50001).
    const unit = finishVectors(pooled, 1, recipe(4, { layerNorm: true, normalised: true, dimensions: 2 }));
    expect(unit[0]).toBeCloseTo(-2 / Math.sqrt(5), 6);
    expect(unit[1]).toBeCloseTo(-1 / Math.sqrt(5), 6);
    const raw = finishVectors(pooled, 1, recipe(4, { layerNorm: true }));
    expect(raw[3]).toBeCloseTo(3 / Math.sqrt(3.50001), 6);
  });

  it('refuses a graph that gives other dimensions than declared, and more than it gives', () => {
    expect(() => finishVectors(Float32Array.of(1, 2), 1, recipe(3))).toThrow(
      /gives vectors of 2 dimensions; declared are 3/,
    );
    expect(() => finishVectors(Float32Array.of(1, 2), 1, recipe(1))).toThrow(/declared are 1/);
    expect(() => finishVectors(Float32Array.of(1, 2), 1, recipe(2, { dimensions: 3 }))).toThrow(
      /asked for 3/,
    );
  });

  it('reads half precision in either form alike', () => {
    const bits = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x8000);
    const expected = [1, -2, 0.333251953125, 2 ** -24, 65504, -0];
    expect([...toFloat32(bits)]).toEqual(expected);
    // A Float16Array is read like any array of numbers.
    expect([...toFloat32({ ...expected, length: 6, BYTES_PER_ELEMENT: 2 })]).toEqual(expected);
    expect(halfToFloat(0x7c00)).toBe(Infinity);
    expect(halfToFloat(0x7e00)).toBeNaN();
  });

  it('has unit length for any vector that is not zero', () => {
    const values = fc.array(fc.float({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, (numbers) => {
        const unit = recipe(numbers.length, { normalised: true });
        const norm = Math.hypot(...finishVectors(Float32Array.from(numbers), 1, unit));
        expect(norm === 0 || Math.abs(norm - 1) < 1e-5).toBe(true);
      }),
    );
  });
});
