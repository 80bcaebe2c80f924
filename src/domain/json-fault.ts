import { messageOf } from './app-error.ts';

/**
 * Returns what is wrong with a text that JSON.parse refused, in words and with the line where that can be told: a bare NaN
 * or Infinity (which Python writes and JSON does not have) is named with its line, an early end with the last one.
 */
export function jsonFault(text: string, thrown: unknown): string {
  // Strings out of the way, one blank for each character, so that places stay.
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gsu, (literal) => ' '.repeat(literal.length));
  const token = /[-+]?\b(?:NaN|Infinity|nan|inf|None|undefined)\b/u.exec(bare);
  if (token !== null)
    return `line ${lineAt(text, token.index)} holds ${token[0]}, which JSON does not have; null stands for a value that is not there`;
  const reason = messageOf(thrown);
  const position = /\bposition (\d+)/u.exec(reason);
  if (position !== null) return `line ${lineAt(text, Number(position[1]))}: ${reason}`;
  if (/end of|unterminated/iu.test(reason)) return `it ends in line ${lineAt(text, text.length)}: ${reason}`;
  return reason;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
