import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_MINILM_L6_V2 } from '../../../src/models/minilm.ts';
import { checkNumerics } from '../../../workers/encode/check-numerics.ts';
import { encodeTexts, tokeniseTexts, type EncodeSettings } from '../../../workers/encode/encoder.ts';
import { cosine, rowOf } from '../../../workers/encode/error-estimate.ts';
import type { LanePool } from '../../../workers/encode/encoding-model.ts';
import { BUNDLED_FOLDER, filesOf, loadInNode } from './node-model.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../golden/embeddings-minilm.json', import.meta.url), 'utf8'),
) as { probes: { text: string; tokens: number; ids16: number[]; vector: number[] }[] };
const texts = golden.probes.map((probe) => probe.text);
const settings: EncodeSettings = {
  prompt: '',
  maxTokens: ALL_MINILM_L6_V2.maxTokens,
  pooling: 'mean',
  padding: 'right',
  layerNorm: false,
  normalised: true,
  graphDimensions: 384,
  dimensions: 384,
  batchTokens: 512,
};

// A model takes seconds, and minutes on a machine that is busy with something else.
describe('the bundled model on WASM', { timeout: 180_000 }, () => {
  let model: LanePool;
  let values: Float32Array;
  let truncatedRows: readonly number[];
  beforeAll(async () => {
    model = await loadInNode(BUNDLED_FOLDER);
    ({ values, truncatedRows } = await encodeTexts(model, texts, settings));
  }, 180_000);

  it('tokenises as sentence-transformers does', () => {
    const whole = tokeniseTexts(model, texts, { ...settings, maxTokens: 100_000 });
    expect(whole.map(({ ids }) => ids.length)).toEqual(golden.probes.map((probe) => probe.tokens));
    whole.forEach(({ ids }, i) => expect(ids.slice(0, 16)).toEqual(golden.probes[i]?.ids16));
  });

  it('keeps the separator of texts that are cut, and says which were', () => {
    const cut = tokeniseTexts(model, texts, settings);
    expect(truncatedRows).toEqual([62, 63]);
    for (const row of truncatedRows) {
      expect(cut[row]?.ids).toHaveLength(256);
      expect(cut[row]?.ids.at(-1)).toBe(102);
    }
  });

  it('gives the float32 vectors within the error that the provenance states', () => {
    const cosines = golden.probes.map(({ vector }, row) =>
      cosine(values.subarray(row * 384, (row + 1) * 384), Float32Array.from(vector)),
    );
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.998776);
    expect(cosines.reduce((a, b) => a + b) / cosines.length).toBeCloseTo(0.999612, 6);
    const largest = golden.probes.flatMap(({ vector }, row) =>
      vector.map((value, d) => Math.abs(value - (values[row * 384 + d] as number))),
    );
    expect(Math.max(...largest)).toBeLessThanOrEqual(0.0093);
  });

  it('does not depend on what else is in the batch beyond float32 rounding', async () => {
    const chosen = [texts[0], texts[12], texts[16], texts[62]] as string[];
    const alone = await encodeTexts(model, chosen, { ...settings, batchTokens: 1 });
    const together = await encodeTexts(model, chosen, { ...settings, batchTokens: 4 * 256 });
    expect(alone.batches).toBe(4);
    expect(together.batches).toBe(1);
    const vectors = { rows: 4, dimensions: 384 };
    chosen.forEach((_, row) =>
      expect(
        cosine(
          rowOf({ ...vectors, values: alone.values }, row),
          rowOf({ ...vectors, values: together.values }, row),
        ),
      ).toBeGreaterThan(0.999999),
    );
  });

  it('has a passport with a tiny device error and the known quantisation error', async () => {
    const reference = {
      weightsDigest: ALL_MINILM_L6_V2.dtypes.q8?.files?.[0]?.sha256 ?? '',
      probesText: new TextDecoder().decode(filesOf(BUNDLED_FOLDER).get('probes.json')),
    };
    const passport = await checkNumerics(model, settings, reference, undefined, {});
    expect(passport).toMatchObject({ verdict: 'right', faults: [], probes: 64, against: 'stored reference' });
    expect(passport.deviceError?.largestMarginChange).toBeLessThan(2e-6);
    expect(passport.quantisationError?.minCosine).toBeCloseTo(0.998776, 5);
    expect(passport.quantisationError?.meanCosine).toBeCloseTo(0.999612, 5);
    const few = await checkNumerics(model, settings, reference, 'slow', {});
    expect(few).toMatchObject({ verdict: 'right', probes: 6, reducedBecause: 'slow' });
    expect(few.quantisationError).toEqual(passport.quantisationError);
  });

  it('is refused, and the fault named, when it is pooled wrongly', async () => {
    const reference = {
      weightsDigest: ALL_MINILM_L6_V2.dtypes.q8?.files?.[0]?.sha256 ?? '',
      probesText: new TextDecoder().decode(filesOf(BUNDLED_FOLDER).get('probes.json')),
    };
    const passport = await checkNumerics(model, { ...settings, pooling: 'cls' }, reference, undefined, {});
    expect(passport.verdict).toBe('refused');
    expect(passport.faults.map(({ fault }) => fault)).toContain('wrong-pooling');
  });

  it('without stored vectors is compared with itself', async () => {
    const passport = await checkNumerics(model, settings, { weightsDigest: '' }, 'slow', {});
    expect(passport).toMatchObject({ verdict: 'right', against: 'own repetition', probes: 6 });
    expect(passport.deviceError?.largestMarginChange).toBeLessThan(2e-6);
  });
});
