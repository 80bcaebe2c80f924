import { describe, expect, it } from 'vitest';
import type { EncodeSetRequest } from '../../../src/contracts/encode.ts';
import type { BlockStore } from '../../../src/store/block-store.ts';
import { openMemoryStore } from '../../../src/store/open-store.ts';
import { encodeSet, WINDOW_TEXTS } from '../../../workers/encode/encode-set.ts';
import { encodeTexts, type EncodeSettings } from '../../../workers/encode/encoder.ts';
import type { EncodingModel } from '../../../workers/encode/encoding-model.ts';
import { finishVectors, poolTokens } from '../../../workers/encode/pooling.ts';

/** A model whose vector says which text it was: mean of (token, position) over the text. One token a character. */
function stubModel(spy: { batches?: number[][]; failAfter?: number; nan?: string } = {}): EncodingModel {
  let calls = 0;
  return {
    tokenizer: {
      tokenise: (text) => [1, ...Array.from(text, (c) => c.codePointAt(0) ?? 0), 2],
      closing: [2],
      padId: 0,
    },
    batchesAtOnce: 3,
    async vectorsOf({ rows, length, ids, mask }, recipe) {
      calls++;
      if (spy.failAfter !== undefined && calls > spy.failAfter) throw new Error('the device is gone');
      spy.batches?.push([rows, length]);
      const values = Float32Array.from({ length: rows * length * 2 }, (_, i) => {
        const cell = i >> 1;
        // What stands in padded positions must not count.
        if (mask[cell] === 0n) return 1e6;
        if (ids[cell] === 33n && spy.nan !== undefined) return NaN;
        return i % 2 === 0 ? Number(ids[cell]) : length - (cell % length);
      });
      // Batches end out of turn.
      await new Promise((resolve) => setTimeout(resolve, (calls * 7) % 3));
      const pooled = poolTokens(values, mask, rows, length, recipe.pooling === 'cls' ? 'cls' : 'mean');
      return finishVectors(pooled, rows, recipe);
    },
    async dispose() {
      await Promise.resolve();
    },
  };
}

const settings: EncodeSettings = {
  prompt: '',
  maxTokens: 20,
  pooling: 'cls',
  padding: 'right',
  layerNorm: false,
  normalised: false,
  graphDimensions: 2,
  dimensions: 2,
  batchTokens: 64,
};
const identity = { model: 'stub', modelDigest: 'm', dtype: 'fp32', device: 'wasm', encoding: { prompt: '' } };
const request: EncodeSetRequest = {
  textsSet: 'documents:d',
  textsDigest: 'td',
  side: 'document',
  prompt: { text: '', rule: 'default' },
  documentTemplate: 'text',
};
/** Texts of mixed lengths, some cut, some empty; the mean of their characters tells them apart. */
const texts = Array.from({ length: 1_300 }, (_, i) =>
  i % 97 === 0 ? ' ' : `${i}`.padEnd(3 + (i % 29), 'ab'),
);

async function storeWith(list: readonly string[]): Promise<BlockStore> {
  const { store } = openMemoryStore();
  const third = Math.ceil(list.length / 3);
  const blocks = [0, 1, 2].map((n) => {
    const part = list.slice(n * third, (n + 1) * third);
    return { ids: part.map((_, i) => `${n}-${i}`), texts: part };
  });
  await store.writeSet('documents:d', { source: 'test' }, blocks);
  return store;
}

async function vectorsOf(store: BlockStore, key: `vectors:${string}`): Promise<number[]> {
  const values: number[] = [];
  for await (const block of store.readBlocks(key)) values.push(...block.values);
  return values;
}

const mean: EncodeSettings = { ...settings, pooling: 'mean' };

describe('encoding texts', () => {
  it('gives the same vectors in the same order whatever the batching', async () => {
    const one = await encodeTexts(stubModel(), texts, { ...mean, batchTokens: 1 });
    for (const batchTokens of [50, 333, 100_000]) {
      const many = await encodeTexts(stubModel(), texts, { ...mean, batchTokens });
      many.values.forEach((value, i) => {
        // The second dimension of the stub depends on padding on purpose; the first must not.
        if (i % 2 === 0) expect(value).toBeCloseTo(one.values[i] ?? NaN, 4);
      });
      expect(many.batches).toBeLessThan(one.batches);
    }
  });

  it('counts cut and empty texts and padding', async () => {
    const rows = await encodeTexts(stubModel(), ['abc', '', ' \n', 'x'.repeat(40)], mean);
    expect(rows.truncatedRows).toEqual([3]);
    expect([...rows.tokenCounts]).toEqual([5, 2, 4, 20]);
    expect(rows.emptyTexts).toBe(2);
    expect(rows.tokens).toBe(31);
    // Batches within 64 tokens: three of 20, then one of 2.
    expect(rows.computedTokens).toBe(62);
  });

  it('cuts two texts with the same beginning to the same vector', async () => {
    const start = 'y'.repeat(30);
    const { values } = await encodeTexts(stubModel(), [`${start}one`, `${start}two`], mean);
    expect([...values.subarray(0, 2)]).toEqual([...values.subarray(2)]);
  });

  it('puts the prompt in front of every text', async () => {
    const spy: { batches: number[][] } = { batches: [] };
    const { tokenCounts } = await encodeTexts(stubModel(spy), ['ab', ''], { ...mean, prompt: 'query: ' });
    expect([...tokenCounts]).toEqual([11, 9]);
  });

  it('names the text whose vector is not finite', async () => {
    await expect(encodeTexts(stubModel({ nan: '!' }), ['fine', 'not !'], mean)).rejects.toMatchObject({
      code: 'not-finite',
      message: expect.stringContaining('text 1 ("not !")') as string,
    });
  });
});

describe('encoding a set', () => {
  it('writes one block a window, in the order of the texts', async () => {
    const store = await storeWith(texts);
    const result = await encodeSet(store, stubModel(), mean, request, identity, {});
    const manifest = await store.completeManifest(result.vectorsSet);
    expect(manifest.blocks.map(({ rows }) => rows)).toEqual([WINDOW_TEXTS, WINDOW_TEXTS, 276]);
    const direct: number[] = [];
    for (let start = 0; start < texts.length; start += WINDOW_TEXTS)
      direct.push(...(await encodeTexts(stubModel(), texts.slice(start, start + WINDOW_TEXTS), mean)).values);
    expect(await vectorsOf(store, result.vectorsSet)).toEqual(direct);
    expect(result).toMatchObject({ texts: 1_300, resumedTexts: 0, emptyTexts: 14, maxTokens: 20 });
    expect(result.truncatedTexts).toBe(texts.filter((text) => text.length > 18).length);
  });

  it('goes on after an abort or a failure where it was, with the same vectors and counts', async () => {
    const whole = await storeWith(texts);
    const expected = await encodeSet(whole, stubModel(), mean, request, identity, {});

    const store = await storeWith(texts);
    const abort = new AbortController();
    const stopped = encodeSet(store, stubModel(), mean, request, identity, {
      signal: abort.signal,
      onProgress: ({ done }) => done > 600 && abort.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    const key = expected.vectorsSet;
    expect((await store.manifest(key))?.complete).toBe(false);
    expect((await store.manifest(key))?.rows).toBe(WINDOW_TEXTS);

    const dying = encodeSet(store, stubModel({ failAfter: 160 }), mean, request, identity, {});
    await expect(dying).rejects.toThrow('the device is gone');

    const rest = await encodeSet(store, stubModel(), mean, request, identity, {});
    expect(rest.resumedTexts).toBeGreaterThanOrEqual(WINDOW_TEXTS);
    expect(rest.vectorsSet).toBe(key);
    expect(await vectorsOf(store, key)).toEqual(await vectorsOf(whole, key));
    expect({ ...rest, ms: 0, resumedTexts: 0 }).toEqual({ ...expected, ms: 0 });

    const again = await encodeSet(store, stubModel({ failAfter: 0 }), mean, request, identity, {});
    expect(again).toMatchObject({ resumedTexts: 1_300, truncatedTexts: expected.truncatedTexts });
  });

  it('has a key of its own for everything that moves a vector', async () => {
    const store = await storeWith(['a', 'b', 'c']);
    const key = async (
      change: Partial<EncodeSetRequest> = {},
      other: Partial<typeof identity> = {},
      dimensions = 2,
    ): Promise<string> =>
      (
        await encodeSet(
          store,
          stubModel(),
          { ...mean, dimensions },
          { ...request, ...change },
          { ...identity, ...other },
          {},
        )
      ).vectorsSet;
    const keys = await Promise.all([
      key(),
      key({ side: 'query' }),
      key({ textsDigest: 'other' }),
      key({ documentTemplate: 'title-space-text-stripped' }),
      key({}, { model: 'other' }),
      key({}, { modelDigest: 'other' }),
      key({}, { dtype: 'q8' }),
      key({}, { device: 'webgpu' }),
      key({}, { encoding: { prompt: 'query: ' } }),
      key({}, {}, 1),
    ]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await key()).toBe(keys[0]);
  });

  it('embeds what the protocol makes of title and text', async () => {
    const { store } = openMemoryStore();
    const block = { ids: ['a', 'b'], texts: ['  x\n', 'y'], titles: ['Two', ''] };
    await store.writeSet('documents:d', { source: 'test' }, [block]);
    const firsts = async (documentTemplate: EncodeSetRequest['documentTemplate']): Promise<number[]> => {
      const { vectorsSet } = await encodeSet(
        store,
        stubModel(),
        mean,
        { ...request, documentTemplate },
        identity,
        {},
      );
      return (await vectorsOf(store, vectorsSet)).filter((_, i) => i % 2 === 0);
    };
    const meanOf = (text: string): number => {
      const codes = [1, ...Array.from(text, (c) => c.codePointAt(0) ?? 0), 2];
      return Math.fround(codes.reduce((sum, code) => sum + code, 0) / codes.length);
    };
    expect(await firsts('text')).toEqual([meanOf('  x\n'), meanOf('y')]);
    expect(await firsts('title-space-text-stripped')).toEqual([meanOf('Two   x'), meanOf('y')]);
  });
});
