import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_MINILM_L6_V2 } from '../../../src/models/minilm.ts';
import { cosine, estimateError, rowOf, type VectorRows } from '../../../workers/encode/error-estimate.ts';
import {
  checkAgainstItself,
  checkAgainstReferences,
  DEVICE_ERROR_LIMIT,
} from '../../../workers/encode/passport.ts';
import { decodeRows, encodeRows, fewProbes, parseProbes, pickRows } from '../../../workers/encode/probes.ts';
import { BUNDLED_FOLDER } from './node-model.ts';

const weights = ALL_MINILM_L6_V2.dtypes.q8?.files?.[0]?.sha256 ?? '';
const text = readFileSync(path.join(BUNDLED_FOLDER, 'probes.json'), 'utf8');
const probes = parseProbes(text, weights);
const right = probes.file?.vectors as VectorRows;

/** Vectors after a change of each value; the stored ones stay as they are. */
function changed(change: (value: number, row: number, dimension: number) => number): VectorRows {
  const { dimensions } = right;
  return {
    ...right,
    values: right.values.map((value, i) => change(value, Math.floor(i / dimensions), i % dimensions)),
  };
}

function faultsOf(vectors: VectorRows): string[] {
  return checkAgainstReferences(vectors, probes).faults.map(({ fault }) => fault);
}

describe('the passport', () => {
  it('accepts the right vectors and float32 noise', () => {
    expect(checkAgainstReferences(right, probes)).toMatchObject({ verdict: 'right', faults: [], probes: 64 });
    const noisy = changed((value, row, d) => value + ((row * 31 + d * 17) % 2 === 0 ? 2e-7 : -2e-7));
    const passport = checkAgainstReferences(noisy, probes);
    expect(passport.verdict).toBe('right');
    expect(passport.deviceError?.largestMarginChange).toBeLessThan(1e-4);
    expect(passport.quantisationError?.minCosine).toBeCloseTo(0.998776, 5);
  });

  it('names permuted vectors', () => {
    const order = Array.from({ length: right.rows }, (_, row) => (row + 1) % right.rows);
    expect(faultsOf(pickRows(right, order))).toEqual(['permuted']);
    // Two results swapped are enough.
    const swapped = Array.from({ length: right.rows }, (_, row) => (row < 2 ? 1 - row : row));
    expect(faultsOf(pickRows(right, swapped))).toEqual(['permuted']);
  });

  it('names zeroed vectors, all or one', () => {
    expect(faultsOf(changed(() => 0))).toEqual(['zeroed']);
    expect(faultsOf(changed((value, row) => (row === 40 ? 0 : value)))).toEqual(['zeroed']);
  });

  it('names overflow', () => {
    expect(faultsOf(changed((value, row, d) => (row === 3 && d === 7 ? NaN : value)))).toEqual([
      'overflowed',
    ]);
    expect(faultsOf(changed((value, row, d) => (row === 63 && d === 0 ? Infinity : value)))).toEqual([
      'overflowed',
    ]);
  });

  it('names the pooling that was used instead', () => {
    for (const [pooling, vectors] of probes.file?.otherPoolings ?? []) {
      const few = fewProbes(probes);
      const passport = checkAgainstReferences(vectors, probes, 'slow');
      expect(passport.probes).toBe(few.texts.length);
      expect(passport.faults[0]?.fault).toBe('wrong-pooling');
      expect(passport.faults[0]?.message).toContain(`"${pooling}"`);
    }
    expect(probes.file?.otherPoolings.size).toBe(2);
  });

  it('names vectors that are not of unit length, of wrong size, or of nothing known', () => {
    expect(faultsOf(changed((value) => 2 * value))).toEqual(['not-normalised']);
    expect(faultsOf({ ...right, dimensions: 192, rows: 128 })).toEqual(['wrong-dimensions']);
    const random = changed((_, row, d) => Math.sin(1 + row * 7919 + d * 104_729));
    expect(faultsOf(random)).toContain('unrelated');
    expect(checkAgainstReferences(random, probes).verdict).toBe('refused');
  });

  it('refuses vectors that are near but too far', () => {
    // A shift of one dimension: cosines stay above 0.98, margins move by more than the limit.
    const shifted = changed((value, row, d) => (d === 0 && row % 2 === 0 ? value + 0.12 : value));
    const passport = checkAgainstReferences(shifted, probes);
    expect(passport.deviceError?.largestMarginChange).toBeGreaterThan(DEVICE_ERROR_LIMIT);
    expect(passport.verdict).toBe('refused');
  });

  it('compares a model without stored vectors with itself', () => {
    expect(checkAgainstItself(right, [right], true)).toMatchObject({
      verdict: 'right',
      against: 'own repetition',
      deviceError: { largestMarginChange: 0 },
    });
    const other = changed((value, row) => (row === 5 ? 0 : value));
    expect(checkAgainstItself(other, [right], true).faults[0]?.fault).toBe('zeroed');
  });
});

describe('the error estimate', () => {
  it('is the largest change of a margin over all choices, as by brute force', () => {
    const small = pickRows(right, [0, 5, 9, 16, 17, 20]);
    const measured = { ...small, values: small.values.map((v, i) => v + 1e-3 * Math.sin(i)) };
    const s = (v: VectorRows, a: number, b: number): number => cosine(rowOf(v, a), rowOf(v, b));
    let largest = 0;
    for (let q = 0; q < 6; q++)
      for (let d1 = 0; d1 < 6; d1++)
        for (let d2 = 0; d2 < 6; d2++)
          if (q !== d1 && q !== d2)
            largest = Math.max(
              largest,
              Math.abs(s(measured, q, d1) - s(measured, q, d2) - (s(small, q, d1) - s(small, q, d2))),
            );
    expect(estimateError(measured, small, true).largestMarginChange).toBeCloseTo(largest, 15);
    expect(largest).toBeGreaterThan(0);
  });
});

describe('probe files', () => {
  it('hold float32 vectors bit for bit', () => {
    const values = Float32Array.of(0.1, -0, 1e-40, 3.4e38, 5, 6);
    expect(decodeRows(encodeRows(values), 3, 2).values).toEqual(values);
  });

  it('are refused when they are not what they should be', () => {
    expect(() => parseProbes('{', weights)).toThrow(/not JSON/);
    expect(() => parseProbes('{"about":"x"}', weights)).toThrow(/malformed at/);
    const parsed = JSON.parse(text) as { texts: string[] };
    const short = JSON.stringify({ ...parsed, texts: parsed.texts.slice(1) });
    expect(() => parseProbes(short, weights)).toThrow(/63 rows of 384 belong/);
  });

  it('say nothing of a weight file that they do not know', () => {
    expect(parseProbes(text, 'f'.repeat(64)).file).toBeUndefined();
  });
});
