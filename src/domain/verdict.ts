/** What running a candidate against tests can come to; one list everywhere. */
export const VERDICTS = [
  'pass',
  'wrong',
  'error',
  'timeout',
  'memory',
  'exited',
  'crashed',
  'unsupported',
  'platform-sensitive',
] as const;

/**
 * - `pass`: every test held. `wrong`: an assert failed. `error`: an exception, also while parsing.
 * - `timeout`: over the limit, in CPython's time. `memory`: a MemoryError or the cap. `exited`: SystemExit and its kin.
 * - `crashed`: the interpreter died. `unsupported`: needs what a browser has not. `platform-sensitive`: differs between
 *   two pinned environments. Only `pass` counts as passing; none leaves a denominator.
 */
export type Verdict = (typeof VERDICTS)[number];

/** Whether the text names a verdict. */
export function isVerdict(text: string): text is Verdict {
  return (VERDICTS as readonly string[]).includes(text);
}
