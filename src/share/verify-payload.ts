import { numberText, sameNumber, type CheckedClaim } from './claims.ts';
import { reportOfGraded, type GradedReceipt } from './graded-receipt.ts';
import type { Payload } from './payload.ts';
import type { Summary } from './summary.ts';
import { checkDate, checkNamedProtocol, claimedDigest } from './verify-origin.ts';
import { verifyReceipt } from './verify-receipt.ts';

/**
 * Checks what a link carries by itself (level 0).
 *
 * @param nowMs the present, in milliseconds since 1970
 */
export function verifyPayload(payload: Payload, nowMs = Date.now()): Promise<CheckedClaim[]> {
  switch (payload.kind) {
    case 'execution':
      return verifyReceipt(payload, nowMs);
    case 'graded':
      return verifyGraded(payload, nowMs);
    case 'summary':
      return Promise.resolve(verifySummary(payload, nowMs));
  }
}

async function verifyGraded(receipt: GradedReceipt, nowMs: number): Promise<CheckedClaim[]> {
  const { manifest, digests, claims } = receipt;
  const report = reportOfGraded(receipt);
  const several = report.parts.length > 1;
  const metrics = report.parts.flatMap(({ name, cells }, p) =>
    manifest.measures.map((measure, m): CheckedClaim => {
      const claimed = claims[p * manifest.measures.length + m] ?? null;
      const found = cells[m]?.value ?? null;
      return {
        level: 0,
        name: several ? `${measure} of ${name}` : measure,
        state: sameNumber(claimed, found ?? 0) ? 'equal' : 'different',
        claimed: numberText(claimed),
        found: numberText(found),
      };
    }),
  );
  const nothingHere = 'the link holds outcomes, not the thing itself';
  return [
    ...metrics,
    {
      level: 0,
      name: 'outcomes',
      state: 'claimed',
      claimed: `${receipt.outcomes.length} queries`,
      note: `that ${manifest.model.id} has these outcomes on ${manifest.benchmark.id} is not shown by a link`,
    },
    checkDate(manifest.createdAt, nowMs),
    await checkNamedProtocol(manifest.protocol, digests.protocol),
    claimedDigest('benchmark', digests.benchmark, nothingHere),
    claimedDigest('model', digests.model, nothingHere),
    claimedDigest('rankings', digests.rankings, nothingHere),
    claimedDigest('record', digests.record, nothingHere),
    { level: 0, name: 'device', state: 'claimed', claimed: manifest.device },
  ];
}

/** Nothing in a summary can be computed again; only what cannot be is named as different. */
function verifySummary({ results }: Summary, nowMs: number): CheckedClaim[] {
  return results.flatMap(({ benchmark, model, metrics, queries, createdAt }) => [
    ...metrics.map(({ name, value, interval }): CheckedClaim => {
      const claim = {
        level: 0,
        name: `${name} of ${model.id}`,
        claimed: `${numberText(value)}${interval === null ? '' : ` [${interval.join(', ')}]`}`,
      } as const;
      if (interval !== null && interval[0] > interval[1])
        return { ...claim, state: 'different', found: 'an interval whose ends are the wrong way round' };
      return {
        ...claim,
        state: 'claimed',
        note: `a summary of ${queries} queries on ${benchmark.id} holds no outcomes`,
      };
    }),
    checkDate(createdAt, nowMs),
  ]);
}
