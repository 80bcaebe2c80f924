import type { Document } from '../domain/texts.ts';
import type { ProtocolSettings } from './settings.ts';

/** What Python's str.strip() cuts: unlike JavaScript's trim, not U+FEFF, but U+001C to U+001F and U+0085. */
const PYTHON_BLANKS =
  '[\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const AT_THE_ENDS = new RegExp(`^${PYTHON_BLANKS}|${PYTHON_BLANKS}$`, 'gu');

/**
 * Returns the text of a document that is embedded, before the model's prompt. `text` leaves it untouched, leading blanks
 * included; `title-space-text-stripped` is MTEB's: title, one blank and text, white space cut at both ends, an empty title
 * adding nothing but what the cut removes.
 */
export function documentText(
  document: Pick<Document, 'text' | 'title'>,
  template: ProtocolSettings['documentTemplate'],
): string {
  if (template === 'text') return document.text;
  return `${document.title ?? ''} ${document.text}`.replace(AT_THE_ENDS, '');
}
