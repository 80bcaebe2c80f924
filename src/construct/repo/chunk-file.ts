import type { Node } from 'web-tree-sitter';
import { namedChildrenOf, type SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { DEFINITIONS, type FileKind } from './languages.ts';
import { cutsWithin, spansBetween, type LineSpan } from './line-cuts.ts';

/** A definition up to this length stays whole. */
export const MOST_LINES = 80;
/** Longer pieces are cut to this. */
export const PIECE_LINES = 50;
/** Beyond this a file is not parsed but split as text: a parser's memory grows with the file. */
const MOST_PARSED_CHARACTERS = 1_500_000;

/**
 * Cuts a text into pieces of whole lines. Depends on nothing but the text and the kind: equal text gives equal pieces,
 * in whatever order files are cut. Code is cut by its syntax tree (each function, method and small class by itself),
 * documents at their headings, everything else and code that does not parse at blank lines.
 */
export function chunkFile(text: string, kind: FileKind, parsers: SyntaxParsers): LineSpan[] {
  const lines = linesOf(text);
  const cuts = new Set<number>();
  const preferred = new Set<number>();
  if (kind.kind === 'headings') headingCuts(lines, kind.language, cuts);
  else if (kind.kind === 'code' && text.length <= MOST_PARSED_CHARACTERS)
    parsers.withTree(kind.grammar, text, (root) => syntaxCuts(root, cuts, preferred));
  let spans = spansBetween(lines, cuts);
  for (const span of spans) {
    if (span.last - span.first + 1 <= MOST_LINES) continue;
    for (const cut of cutsWithin(span, lines, preferred, PIECE_LINES)) cuts.add(cut);
  }
  spans = spansBetween(lines, cuts);
  return spans;
}

/** The lines of a text, as diffs and editors count them: a line break at the end starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Starts and ends of definitions; of definitions that are too long also those inside them. */
function syntaxCuts(root: Node, cuts: Set<number>, preferred: Set<number>): void {
  const visit = (node: Node, depth: number): void => {
    let leading: number | undefined;
    let previousEnd = -1;
    for (const child of namedChildrenOf(node)) {
      const first = child.startPosition.row + 1;
      // A node that ends at a line's beginning does not touch that line.
      const last = Math.max(
        first,
        child.endPosition.column === 0 ? child.endPosition.row : child.endPosition.row + 1,
      );
      if (isAttached(child)) {
        // Comments and attributes directly above a definition belong to it.
        if (leading === undefined || first > previousEnd + 1) leading = first;
        previousEnd = last;
        continue;
      }
      const start = leading !== undefined && first === previousEnd + 1 ? leading : first;
      leading = undefined;
      preferred.add(start);
      const lineCount = last - first + 1;
      if (DEFINITIONS.has(child.type) && lineCount > 1) {
        cuts.add(start);
        cuts.add(last + 1);
      }
      if (lineCount > MOST_LINES || (DEFINITIONS.has(child.type) && lineCount > PIECE_LINES) || isBody(child))
        if (depth < 60) visitInside(child, depth + 1, lineCount);
    }
  };
  const visitInside = (node: Node, depth: number, lineCount: number): void => {
    // A short function may hold helpers of its own, which do not make pieces.
    if (lineCount > MOST_LINES || isContainer(node) || isBody(node)) visit(node, depth);
  };
  visit(root, 0);
}

function isAttached(node: Node): boolean {
  return /comment|^attribute_item$|^decorator$|^annotation$/.test(node.type);
}

/** Blocks that only wrap the members of a container. */
function isBody(node: Node): boolean {
  return (
    /body|block|declaration_list|field_declaration_list|statement_block/.test(node.type) &&
    isContainer(node.parent)
  );
}

function isContainer(node: Node | null): boolean {
  return (
    node !== null &&
    /class|impl|trait|module|mod_item|namespace|interface|struct|extension|protocol|decorated_definition|export_statement|internal_module/.test(
      node.type,
    )
  );
}

function headingCuts(
  lines: readonly string[],
  language: 'markdown' | 'restructuredtext',
  cuts: Set<number>,
): void {
  let fence: string | undefined;
  lines.forEach((line, index) => {
    if (language === 'markdown') {
      const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
        fence = fence === undefined ? mark : undefined;
      else if (fence === undefined && /^#{1,6}\s/.test(line)) cuts.add(index + 1);
      return;
    }
    const title = lines[index - 1] ?? '';
    const isUnderline = /^([-=~^"'`#*+.:_])\1{2,}\s*$/.test(line) && title.trim() !== '';
    if (!isUnderline || title.trimEnd().length > line.trimEnd().length || /^\s/.test(title)) return;
    // An overline of the same kind belongs to the heading.
    const over = lines[index - 2]?.trimEnd() === line.trimEnd();
    cuts.add(over ? index - 1 : index);
  });
}
