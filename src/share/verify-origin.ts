import { digestOfJson } from '../domain/digest.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import type { CheckedClaim } from './claims.ts';

/** Clocks differ; a result from further ahead than this was not made when it says. */
const CLOCK_TOLERANCE_MS = 24 * 3_600_000;

/** Checks that a result does not come from the future. */
export function checkDate(createdAt: string, nowMs: number): CheckedClaim {
  const claim = { level: 0, name: 'date', claimed: createdAt } as const;
  if (Date.parse(createdAt) <= nowMs + CLOCK_TOLERANCE_MS)
    return { ...claim, state: 'claimed', note: 'nothing in a result proves when it was made' };
  return {
    ...claim,
    state: 'different',
    found: `now, ${new Date(nowMs).toISOString()}`,
    note: 'the date lies in the future',
  };
}

/**
 * Checks the protocol's digest against the protocol of that name in this program.
 *
 * @param digest as the result claims it: SHA-256 of the canonical JSON of the settings
 */
export async function checkNamedProtocol(id: string, digest: string): Promise<CheckedClaim> {
  const claim = { level: 0, name: 'digest of the protocol', claimed: `${id} ${digest}` } as const;
  const known = PROTOCOLS.find((protocol) => protocol.id === id);
  if (known === undefined)
    return { ...claim, state: 'claimed', note: `this program has no protocol "${id}" to compare with` };
  const found = await digestOfJson(known.settings);
  if (found === digest)
    return { ...claim, state: 'equal', note: `that of the protocol ${id} in this program` };
  return {
    ...claim,
    state: 'different',
    found: `${id} ${found}`,
    note: 'altered, or settings were changed, or made by a program whose protocol of that name differs',
  };
}

/** A digest of something that is not here. */
export function claimedDigest(what: string, digest: string, note: string): CheckedClaim {
  return { level: 0, name: `digest of the ${what}`, state: 'claimed', claimed: digest, note };
}
