import { diffArrays } from 'diff';
import { linesOf } from './chunk-file.ts';
import type { LineSpan } from './line-cuts.ts';

/** One hunk against the text before: lines replaced or removed, or an insertion behind line `after` (0 = before the first). */
export type Hunk =
  | { readonly kind: 'edit'; readonly base: LineSpan; readonly added: number }
  | { readonly kind: 'insertion'; readonly after: number; readonly added: number };

/** Hunks between two texts, by Myers' algorithm, without context; undefined when the texts differ too much to compare. */
export function hunksBetween(before: string, after: string): Hunk[] | undefined {
  const changes = diffArrays(linesOf(before), linesOf(after), { maxEditLength: 20_000 }) as
    { readonly count: number; readonly added: boolean; readonly removed: boolean }[] | undefined;
  if (changes === undefined) return undefined;
  const hunks: Hunk[] = [];
  let line = 1;
  for (let at = 0; at < changes.length;) {
    let removed = 0;
    let added = 0;
    // Removed and added lines next to each other are one hunk.
    while (at < changes.length && (changes[at]?.added === true || changes[at]?.removed === true)) {
      const change = changes[at++];
      if (change?.added === true) added += change.count;
      else removed += change?.count ?? 0;
    }
    if (removed > 0) hunks.push({ kind: 'edit', base: { first: line, last: line + removed - 1 }, added });
    else if (added > 0) hunks.push({ kind: 'insertion', after: line - 1, added });
    line += removed;
    while (at < changes.length && changes[at]?.added !== true && changes[at]?.removed !== true)
      line += changes[at++]?.count ?? 0;
  }
  return hunks;
}

/**
 * The pieces (by place) that a change touches: those that share a line with an edit, and for an insertion between the
 * lines a and a + 1 the piece that holds both. Code put between two pieces has no gold: it is new.
 */
export function touchedPieces(pieces: readonly LineSpan[], hunks: readonly Hunk[]): number[] {
  return pieces.flatMap(({ first, last }, place) =>
    hunks.some((hunk) =>
      hunk.kind === 'edit'
        ? hunk.base.first <= last && hunk.base.last >= first
        : first <= hunk.after && last >= hunk.after + 1,
    )
      ? [place]
      : [],
  );
}

/** Share of lines that two texts have in common, by number, of the longer: git's measure of a rename in lines. */
export function similarity(a: string, b: string): number {
  const left = linesOf(a);
  const right = linesOf(b);
  if (left.length === 0 || right.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of right) {
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    common += 1;
    counts.set(line, count - 1);
  }
  return common / Math.max(left.length, right.length);
}
