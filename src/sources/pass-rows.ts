import { passRowSchema, type PassRow } from '../analyses/coreb/pass-at-1.ts';
import type { ByteSource } from '../codecs/byte-source.ts';
import { readJsonLines } from '../codecs/jsonl.ts';
import { parseRow } from './layouts/layout.ts';

/**
 * Reads solution attempts for Pass@1, JSON Lines `{"model", "release", "language", "problem", "variant", "passed"}`.
 * Errors with file, line and value: `bad-row` and those of JSON Lines.
 */
export async function readPassRows(source: Pick<ByteSource, 'name' | 'stream'>): Promise<PassRow[]> {
  const attempts: PassRow[] = [];
  for await (const rows of readJsonLines(source))
    for (const row of rows) attempts.push(parseRow(passRowSchema, source.name, row, ['problem']));
  return attempts;
}
