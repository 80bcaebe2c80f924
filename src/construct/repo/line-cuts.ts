/** A piece of a file: whole lines, counted from 1, both ends included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Spans between cuts: every line that is not blank lies in exactly one. A cut at line n starts a new piece there. Blank
 * lines at the ends of a piece belong to none; a piece without a letter or digit (a lone brace) joins the one before.
 */
export function spansBetween(lines: readonly string[], cuts: ReadonlySet<number>): LineSpan[] {
  const spans: LineSpan[] = [];
  let first = 1;
  const close = (last: number): void => {
    let from = first;
    let to = last;
    while (from <= to && isBlank(lines[from - 1])) from++;
    while (to >= from && isBlank(lines[to - 1])) to--;
    if (from > to) return;
    const before = spans.at(-1);
    const text = lines.slice(from - 1, to).join('\n');
    if (before !== undefined && !/[\p{L}\p{N}]/u.test(text))
      spans[spans.length - 1] = { ...before, last: to };
    else spans.push({ first: from, last: to });
  };
  for (let line = 2; line <= lines.length; line++) {
    if (!cuts.has(line)) continue;
    close(line - 1);
    first = line;
  }
  close(lines.length);
  return spans;
}

/**
 * Cuts that keep the pieces of `span` at `mostLines`: each piece takes as many lines as fit up to one of the
 * preferred starts, else up to a line after a blank one, else exactly `mostLines`.
 */
export function cutsWithin(
  span: LineSpan,
  lines: readonly string[],
  preferred: ReadonlySet<number>,
  mostLines: number,
): number[] {
  const cuts: number[] = [];
  let first = span.first;
  while (span.last - first + 1 > mostLines) {
    const latest = first + mostLines;
    // Pieces under a third of the size are not worth a clean edge.
    const earliest = first + Math.ceil(mostLines / 3);
    const cut =
      lastWhere(latest, earliest, (line) => preferred.has(line)) ??
      lastWhere(latest, earliest, (line) => isBlank(lines[line - 2]) && !isBlank(lines[line - 1])) ??
      latest;
    cuts.push(cut);
    first = cut;
  }
  return cuts;
}

function lastWhere(from: number, downTo: number, holds: (line: number) => boolean): number | undefined {
  for (let line = from; line >= downTo; line--) if (holds(line)) return line;
  return undefined;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
