import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillBatch, fitsBuffer, planBatches } from '../../../workers/encode/batching.ts';
import {
  closingTokens,
  cutTokens,
  tokeniseAndCut,
  wellFormed,
  type TextTokenizer,
} from '../../../workers/encode/tokens.ts';

describe('cutting tokens', () => {
  it('finds closing tokens: BERT, an end token alone, a beginning alone, none', () => {
    expect(closingTokens([101, 102], [101, 7, 102])).toEqual([102]);
    expect(closingTokens([9], [7, 9])).toEqual([9]);
    expect(closingTokens([1], [1, 7])).toEqual([]);
    expect(closingTokens([], [7])).toEqual([]);
    expect(closingTokens([0, 2, 2], [0, 7, 2, 2])).toEqual([2, 2]);
  });

  it('keeps the closing tokens and drops the end of the text', () => {
    const ids = [101, 1, 2, 3, 4, 102];
    expect(cutTokens(ids, 6, [102])).toEqual({ ids, truncated: false });
    expect(cutTokens(ids, 4, [102])).toEqual({ ids: [101, 1, 2, 102], truncated: true });
    expect(cutTokens([1, 2, 3], 2, [])).toEqual({ ids: [1, 2], truncated: true });
  });

  const words: TextTokenizer = {
    tokenise: (text) => [
      101,
      ...text
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => word.length),
      102,
    ],
    closing: [102],
    padId: 0,
  };

  it('tokenises only the beginning of a text of megabytes, with the same result', () => {
    let longest = 0;
    const spying: TextTokenizer = {
      ...words,
      tokenise(text) {
        longest = Math.max(longest, text.length);
        return words.tokenise(text);
      },
    };
    const text = 'some words of a text '.repeat(500_000);
    expect(tokeniseAndCut(spying, text, 256)).toEqual(cutTokens(words.tokenise(text), 256, [102]));
    expect(longest).toBeLessThan(100_000);
    // Blanks give no tokens: the prefix grows until it is enough.
    const sparse = `${' '.repeat(200_000)}a b c`;
    expect(tokeniseAndCut(words, sparse, 256)).toEqual({ ids: [101, 1, 1, 1, 102], truncated: false });
  });

  it('replaces lone surrogates and leaves pairs alone', () => {
    expect(wellFormed('a\uD83D b \uDE00 \u{1F600}')).toBe('a\uFFFD b \uFFFD \u{1F600}');
  });
});

describe('batches', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 });
  const budget = fc.integer({ min: 1, max: 2_000 });

  it('hold every text with tokens once, within the budget, longest first', () => {
    fc.assert(
      fc.property(lengths, budget, (counts, batchTokens) => {
        const batches = planBatches(counts, batchTokens);
        const seen = batches.flatMap(({ indices }) => indices);
        expect([...seen].sort((a, b) => a - b)).toEqual(
          counts.flatMap((count, index) => (count > 0 ? [index] : [])),
        );
        let last = Infinity;
        for (const { indices, length } of batches) {
          expect(indices.length === 1 || indices.length * length <= batchTokens).toBe(true);
          expect(length).toBe(Math.max(...indices.map((index) => counts[index] ?? 0)));
          expect(length).toBeLessThanOrEqual(last);
          last = length;
        }
      }),
    );
  });

  it('shrink to what one buffer of the device holds', () => {
    const shape = { hiddenSize: 768, intermediateSize: 3_072, attentionHeads: 12 };
    const fits = fitsBuffer(shape, 128 * 1024 * 1024);
    const sizes = planBatches(new Array<number>(64).fill(2_000), 64 * 2_000, fits).map(
      ({ indices }) => indices.length,
    );
    // Scores of one text: 12 × 2,000² × 4 = 192 MB are over the limit; one text a batch is the least there is.
    expect(new Set(sizes)).toEqual(new Set([1]));
    const short = planBatches(new Array<number>(64).fill(500), 64 * 500, fits);
    // 12 × 500² × 4 = 12 MB a text: eleven fit 128 MiB.
    expect(short.map(({ indices }) => indices.length)).toEqual([11, 11, 11, 11, 11, 9]);
  });

  it('are filled up on the side that the model wants', () => {
    const ids = [[5, 6], [7]];
    const batch = { indices: [0, 1], length: 3 };
    const right = fillBatch(batch, (i) => ids[i] ?? [], 'right', 0);
    expect([...right.ids]).toEqual([5n, 6n, 0n, 7n, 0n, 0n]);
    expect([...right.mask]).toEqual([1n, 1n, 0n, 1n, 0n, 0n]);
    const left = fillBatch(batch, (i) => ids[i] ?? [], 'left', 9);
    expect([...left.ids]).toEqual([9n, 5n, 6n, 9n, 9n, 7n]);
    expect([...left.mask]).toEqual([0n, 1n, 1n, 0n, 0n, 1n]);
  });
});
