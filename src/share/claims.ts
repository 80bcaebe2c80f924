/** How far a claim is checked: 0 from the result alone, 1 from a run file, 2 vectors searched again, 3 texts encoded again, 4 code run again. */
export const VERIFICATION_LEVELS = [0, 1, 2, 3, 4] as const;
export type VerificationLevel = (typeof VERIFICATION_LEVELS)[number];

/** What checking a claim came to. `claimed` = nothing here can say; it is never shown as right. */
export type ClaimState = 'equal' | 'different' | 'claimed';

/** One claim of a result, checked. Values are texts, ready to be shown as text. */
export interface CheckedClaim {
  readonly level: VerificationLevel;
  /** What is claimed, e.g. `exec@1` or `digest of the rankings`. */
  readonly name: string;
  readonly state: ClaimState;
  readonly claimed: string;
  /** What was found instead, or also; absent for `claimed`. */
  readonly found?: string;
  /** How it was checked, or why it could not be. */
  readonly note?: string;
}

/** The phrase that stands for a state in a line. */
export const CLAIM_PHRASES: Readonly<Record<ClaimState, string>> = {
  equal: 'recomputed and equal',
  different: 'recomputed and different',
  claimed: 'only claimed',
};

/** Returns one line: `recomputed and different  exec@1: claimed 0.5, found 0.25 (…)`. */
export function claimLine({ name, state, claimed, found, note }: CheckedClaim): string {
  const values = state === 'different' ? `claimed ${claimed}, found ${found ?? 'nothing'}` : claimed;
  return `${CLAIM_PHRASES[state].padEnd(24)}  ${name}: ${values}${note === undefined ? '' : ` (${note})`}`;
}

/** How many claims are in each state. */
export function countStates(claims: readonly CheckedClaim[]): Readonly<Record<ClaimState, number>> {
  const count = (state: ClaimState): number => claims.filter((claim) => claim.state === state).length;
  return { equal: count('equal'), different: count('different'), claimed: count('claimed') };
}

/** Sums run in one fixed order everywhere, so only the last bits may differ between a claim and its recomputation. */
export const CLAIM_TOLERANCE = 1e-12;

/** Whether two numbers, or two absences, are the same claim. */
export function sameNumber(a: number | null | undefined, b: number | null | undefined): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return (a ?? null) === (b ?? null);
  return Math.abs(a - b) <= CLAIM_TOLERANCE;
}

/** A number as it stands in a line: every digit, so that a difference in the last one shows. */
export function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? 'nothing' : String(value);
}
