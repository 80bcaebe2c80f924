import type { Verdict } from '../domain/verdict.ts';

/** How a verdict looks: a sign as well as a colour, and the word for it. */
export interface VerdictLook {
  /** One character, distinct among all verdicts. */
  readonly sign: string;
  /** Names the pair of colours `--name` and `--name-wash`. */
  readonly colour: 'pass' | 'wrong' | 'error' | 'halt';
  readonly words: string;
}

export const VERDICT_LOOKS: Readonly<Record<Verdict, VerdictLook>> = {
  pass: { sign: '✓', colour: 'pass', words: 'passes every test' },
  wrong: { sign: '×', colour: 'wrong', words: 'an assert failed' },
  error: { sign: '!', colour: 'error', words: 'raised an exception' },
  timeout: { sign: 't', colour: 'halt', words: 'ran over the time limit' },
  memory: { sign: 'm', colour: 'halt', words: 'ran out of memory' },
  exited: { sign: 'e', colour: 'halt', words: 'ended the interpreter' },
  crashed: { sign: 'c', colour: 'halt', words: 'the interpreter died' },
  unsupported: { sign: 'u', colour: 'halt', words: 'needs what a browser has not' },
  'platform-sensitive': { sign: 'p', colour: 'halt', words: 'differs between two environments' },
};

/** What a retrieved snippet is to its query; drawn as the outline of its sign. */
export type Role = 'canonical' | 'distractor' | 'other';

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  canonical: 'the canonical',
  distractor: 'a near-clone of the canonical',
  other: 'a snippet of another task',
};

/** The id of a sign's drawing in the page. */
export function signId(verdict: Verdict | null, role: Role): string {
  return `sign-${verdict ?? 'unjudged'}-${role}`;
}
