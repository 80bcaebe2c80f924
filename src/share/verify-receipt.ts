import { canonicalJson } from '../domain/digest.ts';
import { numberText, type CheckedClaim } from './claims.ts';
import type { Receipt } from './receipt.ts';
import { receiptOf } from './receipt.ts';
import { checkClaims, reportOfReceipt } from './recompute.ts';
import type { ResultRecord } from './record.ts';
import { checkDate, checkNamedProtocol, claimedDigest } from './verify-origin.ts';

/**
 * Checks a receipt by itself (level 0): every metric is computed again from the outcomes in it; what the outcomes cannot
 * prove stays claimed.
 *
 * @param nowMs the present, in milliseconds since 1970
 */
export async function verifyReceipt(receipt: Receipt, nowMs = Date.now()): Promise<CheckedClaim[]> {
  const { manifest, digests, outcomes } = receipt;
  const report = reportOfReceipt(receipt);
  const metrics = checkClaims(receipt, report).map(({ name, claimed, recomputed, equal }): CheckedClaim => ({
    level: 0,
    name,
    state: equal ? 'equal' : 'different',
    claimed: numberText(claimed),
    found: numberText(recomputed),
  }));
  const nothingHere = 'the link holds outcomes, not the thing itself';
  return [
    ...metrics,
    {
      level: 0,
      name: 'outcomes',
      state: 'claimed',
      claimed: `${outcomes.length} queries`,
      note: `that ${manifest.model.id} has these outcomes on ${manifest.benchmark.id} is shown by levels 1 to 4 only`,
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

/**
 * Checks a receipt against the record that it is said to come from: every digest, metric and outcome that differs from
 * the record's own receipt is named.
 */
export async function verifyReceiptAgainstRecord(
  receipt: Receipt,
  record: ResultRecord,
): Promise<CheckedClaim[]> {
  const expected = await receiptOf(record);
  const claims: CheckedClaim[] = [];
  const compare = (name: string, claimed: unknown, found: unknown): void => {
    const [a, b] = [canonicalJson(claimed), canonicalJson(found)];
    claims.push({
      level: 0,
      name: `link: ${name}`,
      state: a === b ? 'equal' : 'different',
      claimed: a,
      found: b,
      note: 'beside the record',
    });
  };
  for (const name of Object.keys(expected.digests) as (keyof typeof expected.digests)[])
    compare(`digest of the ${name}`, receipt.digests[name], expected.digests[name]);
  for (const name of Object.keys(expected.manifest) as (keyof typeof expected.manifest)[])
    compare(name, receipt.manifest[name], expected.manifest[name]);
  compare('metrics', receipt.claims, expected.claims);
  const other = expected.outcomes.findIndex(
    (outcome, i) => canonicalJson(outcome) !== canonicalJson(receipt.outcomes[i] ?? null),
  );
  const sameLength = expected.outcomes.length === receipt.outcomes.length;
  const place = other < 0 ? expected.outcomes.length : other;
  claims.push({
    level: 0,
    name: 'link: outcomes',
    state: other < 0 && sameLength ? 'equal' : 'different',
    claimed: `${receipt.outcomes.length} queries`,
    found:
      other < 0 && sameLength
        ? `${expected.outcomes.length} queries`
        : `query ${place + 1} (${record.report.perQuery[place]?.queryId ?? 'beyond the record'}) as ${JSON.stringify(expected.outcomes[place] ?? null)}`,
    note: 'beside the record',
  });
  return claims;
}
