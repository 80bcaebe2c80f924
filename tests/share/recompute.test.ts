import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecReport } from '../../src/analyses/execretrieval/report-types.ts';
import { rank, type Ranking } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import { packPayload, unpackPayload } from '../../src/share/payload.ts';
import { claimsOf, outcomesOf, type Receipt } from '../../src/share/receipt.ts';
import { checkClaims, reportOfReceipt } from '../../src/share/recompute.ts';

/** A report on a small benchmark of five snippets a query, from any scores and any verdicts. */
const reportArbitrary: fc.Arbitrary<ExecReport> = fc
  .record({
    queries: fc.integer({ min: 1, max: 12 }),
    scores: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 720, maxLength: 720 }),
    verdicts: fc.array(fc.constantFrom<Verdict>('pass', 'wrong', 'timeout', 'unsupported'), {
      minLength: 720,
      maxLength: 720,
    }),
    depth: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ queries, scores, verdicts, depth }) => {
    const ids = Array.from({ length: queries }, (_, i) => `q${i}`);
    const documents = ids.flatMap((id) => ['canonical', 'a', 'b', 'c', 'd'].map((part) => `${id} ${part}`));
    const run = new Map<string, Ranking>();
    const judged = new Map<string, Map<string, Verdict>>();
    ids.forEach((id, q) => {
      const offset = q * documents.length;
      run.set(id, rank(id, documents, scores.slice(offset, offset + documents.length), depth));
      judged.set(id, new Map(documents.map((document, d) => [document, verdicts[offset + d] as Verdict])));
    });
    return execRetrievalReport({
      queries: ids.map((id) => ({
        id,
        domain: null,
        canonicalIds: [`${id} canonical`],
        distractorIds: ['a', 'b', 'c', 'd'].map((part) => `${id} ${part}`),
      })),
      snippets: new Map(),
      run,
      verdicts: judged,
      resamples: 200,
      seed: 7,
    });
  });

function receiptFor(report: ExecReport): Receipt {
  const digest = '0'.repeat(64);
  return {
    kind: 'execution',
    manifest: {
      createdAt: '2026-11-30T12:00:00.000Z',
      assayVersion: '0.1.0',
      benchmark: { id: 'b', documents: 60 },
      model: { id: 'm', dtype: 'q8', revision: 'r' },
      protocol: 'execretrieval',
      device: 'wasm',
      probeError: null,
      seed: report.seed,
      resamples: report.resamples,
      cutoffs: [...report.cutoffs],
    },
    digests: { benchmark: digest, model: digest, protocol: digest, rankings: digest, record: digest },
    outcomes: outcomesOf(report),
    claims: claimsOf(report),
  };
}

describe('verification level 0', () => {
  it('finds every metric, interval and near-clone share again from the outcomes alone', () => {
    fc.assert(
      fc.property(reportArbitrary, (report) => {
        const receipt = unpackPayload(packPayload(receiptFor(report))) as Receipt;
        const again = reportOfReceipt(receipt);
        expect(checkClaims(receipt, again).filter(({ equal }) => !equal)).toEqual([]);
        const intervals = (of: ExecReport) =>
          of.cells.map(({ measure, k, value, low, high, n }) => ({ measure, k, value, low, high, n }));
        expect(intervals(again)).toEqual(intervals(report));
        expect(again.nearCloneMisses).toEqual(report.nearCloneMisses);
      }),
      { numRuns: 40 },
    );
  });

  it('names the metrics that an altered outcome or claim contradicts', () => {
    const [report] = fc.sample(reportArbitrary, { numRuns: 1, seed: 3 }) as [ExecReport];
    const receipt = receiptFor(report);
    const first = receipt.outcomes[0] as (typeof receipt.outcomes)[number];
    const flipped = { ...first, passes: first.passes ^ 1, nearCloneAtRankOne: false };
    const forged = { ...receipt, outcomes: [flipped, ...receipt.outcomes.slice(1)] };
    const wrong = checkClaims(forged, reportOfReceipt(forged)).filter(({ equal }) => !equal);
    expect(wrong.map(({ name }) => name)).toContain('exec@1');
    const claimed = {
      ...receipt,
      claims: receipt.claims.map((claim, i) => (i === 0 ? claim + 0.01 : claim)),
    };
    expect(
      checkClaims(claimed, reportOfReceipt(claimed))
        .filter(({ equal }) => !equal)
        .map(({ name }) => name),
    ).toEqual(['exec@1']);
  });
});
