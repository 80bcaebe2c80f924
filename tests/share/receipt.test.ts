import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { printLink, readLink } from '../../src/share/link.ts';
import type { ExecutionOutcome } from '../../src/share/outcomes.ts';
import { packPayload, unpackPayload } from '../../src/share/payload.ts';
import type { Receipt } from '../../src/share/receipt.ts';

/** Any outcome that can be: ranks from a set, passes within what was retrieved, near-clone only at a failing rank 1. */
const outcomeArbitrary: fc.Arbitrary<ExecutionOutcome> = fc
  .record({
    retrieved: fc.oneof({ weight: 9, arbitrary: fc.constant(10) }, fc.integer({ min: 0, max: 10 })),
    passes: fc.integer({ min: 0, max: 1_023 }),
    ranks: fc.uniqueArray(fc.integer({ min: 1, max: 1_200 }), { maxLength: 3 }),
    missing: fc.integer({ min: 0, max: 2 }),
    nearClone: fc.boolean(),
  })
  .map(({ retrieved, passes, ranks, missing, nearClone }) => {
    const canonicalRanks = ranks
      .filter((rank) => rank <= retrieved || (retrieved === 10 && rank > 10))
      .sort((a, b) => a - b);
    const kept = passes & ((1 << retrieved) - 1);
    return {
      passes: kept,
      retrieved,
      canonicals: canonicalRanks.length + missing,
      canonicalRanks,
      nearCloneAtRankOne: nearClone && retrieved > 0 && (kept & 1) === 0 && canonicalRanks[0] !== 1,
    };
  });

const receiptOf = (outcomes: readonly ExecutionOutcome[]): Receipt => ({
  kind: 'execution',
  manifest: {
    createdAt: '2026-11-30T12:00:00.000Z',
    assayVersion: '0.1.0',
    benchmark: { id: 'exec-mini', documents: 750 },
    model: { id: 'all-MiniLM-L6-v2', dtype: 'q8', revision: 'bundled' },
    protocol: 'execretrieval',
    device: 'wasm, 2 threads',
    probeError: 4.1e-7,
    seed: 20_260_510,
    resamples: 5_000,
    cutoffs: [1, 3, 5, 10],
  },
  digests: {
    benchmark: 'ab'.repeat(32),
    model: '01'.repeat(32),
    protocol: '23'.repeat(32),
    rankings: '45'.repeat(32),
    record: '67'.repeat(32),
  },
  outcomes,
  claims: Array.from({ length: 16 }, (_, i) => i / 17),
});

describe('receipts', () => {
  it('come back whole from bytes and from links', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(outcomeArbitrary, { maxLength: 60 }), async (outcomes) => {
        const receipt = receiptOf(outcomes);
        expect(unpackPayload(packPayload(receipt))).toEqual(receipt);
        expect(await readLink(await printLink(receipt, 'https://assay.example/tool/#/old'))).toEqual(receipt);
      }),
      { numRuns: 60 },
    );
  });

  it('keep 939 queries within 3,100 characters, for a strong and for a weak system', async () => {
    // Seeded outcomes with the shape of the paper's figures: rank-1 rates .33 and .06, exec@10 1.00 and .42.
    let state = 12_345;
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const system = (first: number, within: number): ExecutionOutcome[] =>
      Array.from({ length: 939 }, () => {
        const draw = random();
        const rank =
          draw < first
            ? 1
            : draw < within
              ? 2 + Math.floor(random() ** 2 * 9)
              : 11 + Math.floor(random() ** 3 * 989);
        return {
          passes: rank <= 10 ? 1 << (rank - 1) : 0,
          retrieved: 10,
          canonicals: 1,
          canonicalRanks: [rank],
          nearCloneAtRankOne: rank !== 1 && random() < 0.97,
        };
      });
    const strong = await printLink(receiptOf(system(0.33, 1)), 'https://assay.example/');
    const weak = await printLink(receiptOf(system(0.06, 0.42)), 'https://assay.example/');
    console.log(
      `receipt of 939 queries: ${strong.length} characters (strong system), ${weak.length} (weak system)`,
    );
    expect(strong.length).toBeLessThanOrEqual(3_100);
    expect(weak.length).toBeLessThanOrEqual(3_100);
  });

  it('refuse outcomes that contradict themselves, and never fail in another way on changed bytes', () => {
    const good = packPayload(
      receiptOf([
        { passes: 1, retrieved: 10, canonicals: 1, canonicalRanks: [1], nearCloneAtRankOne: false },
      ]),
    );
    const last = good.length - 1;
    const withClone = good.slice();
    withClone[last] = 1;
    expect(() => unpackPayload(withClone)).toThrow(/near-clone/);
    const runs = process.env['ASSAY_LONG'] === '1' ? 100_000 : 2_000;
    const bytes = packPayload(receiptOf(fc.sample(outcomeArbitrary, { numRuns: 20, seed: 7 })));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          try {
            const receipt = unpackPayload(changed) as Receipt;
            for (const claim of receipt.claims) expect(Number.isFinite(claim)).toBe(true);
          } catch (thrown) {
            if (!(thrown instanceof AppError)) throw thrown;
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it('are found in the ways in which people pass links on', async () => {
    const receipt = receiptOf([]);
    const link = await printLink(receipt, 'https://assay.example/');
    const fragment = link.slice(link.indexOf('#'));
    expect(await readLink(fragment)).toEqual(receipt);
    expect(await readLink(link.replace('#', '%23'))).toEqual(receipt);
    expect(await readLink(`${link.slice(0, 90)}\r\n${link.slice(90)}`)).toEqual(receipt);
    expect(link).toMatch(/#\/result\?benchmark=exec-mini&model=all-MiniLM-L6-v2&exec@1=0\.000&r=/);
    await expect(readLink('https://assay.example/#/board')).rejects.toThrow(/holds no result/);
  });
});
