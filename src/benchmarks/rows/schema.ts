import * as v from 'valibot';

/** An id: text that is not empty and has no lone surrogates (those have no UTF-8 form and would all become one id). */
export const idSchema = v.pipe(
  v.string('must be text'),
  v.nonEmpty('must not be empty'),
  v.check((text) => !/\p{Surrogate}/u.test(text), 'holds half a character (a lone surrogate)'),
);

/** A text to be embedded; lone surrogates become U+FFFD, as in every UTF-8 file. */
export const textSchema = v.pipe(
  v.string('must be text'),
  v.transform((text) => text.replace(/\p{Surrogate}/gu, '\uFFFD')),
);

/** What is wrong with a row, in words: member, problem, value. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  const first = issues[0];
  if (first === undefined) return 'not a valid row';
  const member = v.getDotPath(first) ?? '';
  const value = first.input === undefined ? 'it is missing' : `found ${shown(first.input)}`;
  const problem = first.message.startsWith('Invalid')
    ? `must be ${first.expected ?? 'another value'}`
    : first.message;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `"${member}" ${problem}; ${value}${more}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
