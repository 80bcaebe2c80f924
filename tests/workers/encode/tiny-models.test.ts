import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Pooling } from '../../../src/models/model-definition.ts';
import { encodeTexts, tokeniseTexts, type EncodeSettings } from '../../../workers/encode/encoder.ts';
import { loadInNode } from './node-model.ts';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/tiny-models');
/** What a plain numpy implementation gives for each text alone, without padding; see make_tiny_models.py there. */
const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
  texts: string[];
  encoder: { ids: number[]; cls: number[]; mean: number[]; last: number[] }[];
  decoder: { ids: number[]; last: number[] }[];
};
const { texts } = expected;
const WEIGHTS = { weightsPath: 'onnx/model.onnx', dtype: 'fp32' } as const;

const settings = (change: Partial<EncodeSettings>): EncodeSettings => ({
  prompt: '',
  maxTokens: 48,
  pooling: 'mean',
  padding: 'right',
  layerNorm: false,
  normalised: true,
  graphDimensions: 16,
  dimensions: 16,
  batchTokens: 1_000,
  ...change,
});

function expectVectors(values: Float32Array, rows: readonly (readonly number[])[]): void {
  rows.forEach((row, i) =>
    row.forEach((value, d) => expect(values[i * row.length + d], `text ${i}, ${d}`).toBeCloseTo(value, 5)),
  );
}

describe('a tiny encoder', async () => {
  const model = await loadInNode(path.join(folder, 'encoder'), WEIGHTS);

  it('tokenises as the reference, special tokens included', () => {
    expect(tokeniseTexts(model, texts, settings({})).map(({ ids }) => ids)).toEqual(
      expected.encoder.map(({ ids }) => ids),
    );
    expect(model.tokenizer.closing).toEqual([3]);
  });

  it.each(['cls', 'mean', 'last'] as const)(
    'pools by %s, in one padded batch, on either side',
    async (pooling) => {
      for (const padding of ['right', 'left'] as const) {
        const { values, batches } = await encodeTexts(model, texts, settings({ pooling, padding }));
        expect(batches).toBe(1);
        expectVectors(
          values,
          expected.encoder.map((row) => row[pooling]),
        );
      }
    },
  );

  it("takes the graph's own sentence embedding", async () => {
    const { values } = await encodeTexts(
      model,
      texts,
      settings({ pooling: 'sentence_embedding' as Pooling }),
    );
    expectVectors(
      values,
      expected.encoder.map(({ mean }) => mean),
    );
  });

  it('cuts to fewer dimensions before the unit length', async () => {
    const { values } = await encodeTexts(model, texts, settings({ dimensions: 4 }));
    const cut = expected.encoder.map(({ mean }) => {
      const head = mean.slice(0, 4);
      return head.map((value) => value / Math.hypot(...head));
    });
    expectVectors(values, cut);
  });

  it('is refused when it gives other dimensions than declared', async () => {
    await expect(
      encodeTexts(model, texts, settings({ graphDimensions: 32, dimensions: 32 })),
    ).rejects.toThrow(/gives vectors of 16 dimensions; declared are 32/);
  });
});

describe('a tiny decoder without pad token', async () => {
  const model = await loadInNode(path.join(folder, 'decoder'), { ...WEIGHTS, appendEos: true });

  it('gets the end token that its tokenizer does not add, which stays when texts are cut', () => {
    expect(tokeniseTexts(model, texts, settings({})).map(({ ids }) => ids)).toEqual(
      expected.decoder.map(({ ids }) => ids),
    );
    const [cut] = tokeniseTexts(model, [texts[4] as string], settings({ maxTokens: 4 }));
    expect(cut).toEqual({ ids: [...(expected.decoder[4]?.ids.slice(0, 3) ?? []), 4], truncated: true });
  });

  it('reads the last token whatever the padding', async () => {
    for (const batchTokens of [1, 1_000])
      for (const padding of ['left', 'right'] as const) {
        const { values } = await encodeTexts(
          model,
          texts,
          settings({ pooling: 'last', padding, batchTokens }),
        );
        expectVectors(
          values,
          expected.decoder.map(({ last }) => last),
        );
      }
  });

  it('that is asked for a sentence embedding says what it gives instead', async () => {
    await expect(
      encodeTexts(model, texts, settings({ pooling: 'sentence_embedding' as Pooling })),
    ).rejects.toThrow(/the graph gives last_hidden_state, but sentence_embedding is needed/);
  });
});
