import { describe, expect, it } from 'vitest';
import { comparedResults, compareResults } from '../../src/share/compared-result.ts';
import { printLink, readLink } from '../../src/share/link.ts';
import { receiptOf, type Receipt } from '../../src/share/receipt.ts';
import { verifyPayload } from '../../src/share/verify-payload.ts';
import { resultFixture } from './result-fixture.ts';

/** A receipt of many queries: the fixture's outcomes over and over, some turned into others by a seed. */
function enlarged(receipt: Receipt, queries: number, seed: number): Receipt {
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const outcomes = Array.from({ length: queries }, () => {
    const rank = 1 + Math.floor(random() ** 2 * 12);
    return {
      passes: rank <= 10 ? 1 << (rank - 1) : 0,
      retrieved: 10,
      canonicals: 1,
      canonicalRanks: [rank],
      nearCloneAtRankOne: rank !== 1,
    };
  });
  return {
    ...receipt,
    outcomes,
    manifest: {
      ...receipt.manifest,
      resamples: 5_000,
      model: { ...receipt.manifest.model, id: `system ${seed}` },
    },
  };
}

describe('speed, printed and loosely bounded', () => {
  it('a link of 939 queries is read and checked', async () => {
    const receipt = enlarged(await receiptOf((await resultFixture(1, 3)).record), 939, 5);
    const link = await printLink(receipt, 'https://assay.example/');
    const started = performance.now();
    await verifyPayload(await readLink(link));
    const ms = performance.now() - started;
    console.log(`read and level 0 of 939 queries, 5,000 resamples: ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(10_000);
  });

  const long = process.env['ASSAY_LONG'] === '1';
  it(`${long ? 10 : 3} systems of ${long ? '5,000' : '500'} queries are compared`, async () => {
    const base = await receiptOf((await resultFixture(1, 3)).record);
    const receipts = Array.from({ length: long ? 10 : 3 }, (_, i) =>
      enlarged(base, long ? 5_000 : 500, i + 1),
    );
    const results = comparedResults(receipts.map((receipt) => ({ receipt })));
    const started = performance.now();
    const { pairs } = compareResults(results, 'exec@1');
    const ms = performance.now() - started;
    console.log(
      `${results.length} systems × ${results[0]?.report.counts.queries ?? 0} queries, all statistics: ${ms.toFixed(0)} ms`,
    );
    expect(pairs).toHaveLength((results.length * (results.length - 1)) / 2);
    expect(ms).toBeLessThan(20_000);
  }, 300_000);
});
