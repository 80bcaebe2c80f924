import type { Node } from 'web-tree-sitter';
import { childrenOf, namedChildrenOf } from '../syntax/syntax-parsers.ts';
import type { Edit } from './edit.ts';
import { isDocstring } from './mutation-sites.ts';

/** Names bound at module level by def, class or assignment (also of tuples), in source order, without doubles. */
export function definedNames(root: Node): string[] {
  const names = namedChildrenOf(root).flatMap((node) => {
    const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node;
    if (inner?.type === 'function_definition' || inner?.type === 'class_definition')
      return [inner.childForFieldName('name')?.text ?? ''];
    const assignment = inner?.type === 'expression_statement' ? inner.namedChild(0) : null;
    if (assignment?.type !== 'assignment') return [];
    const left = assignment.childForFieldName('left');
    if (left === null) return [];
    return left.type === 'identifier'
      ? [left.text]
      : namedChildrenOf(left).flatMap((part) => (part.type === 'identifier' ? [part.text] : []));
  });
  return [...new Set(names)];
}

/** The module-level function of this name, if there is one. */
export function functionNamed(root: Node, name: string): Node | undefined {
  for (const node of namedChildrenOf(root)) {
    const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node;
    if (inner?.type === 'function_definition' && inner.childForFieldName('name')?.text === name) return inner;
  }
  return undefined;
}

/**
 * The leaves of a syntax tree without comments and docstrings, joined: equal for code that differs in layout only. A
 * block leaves a mark of its own, since its depth is layout in the text but meaning in Python.
 */
export function normalisedCode(root: Node): string {
  const leaves: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'comment' || isDocstring(node)) return;
    if (node.type === 'block') leaves.push('{');
    if (node.childCount === 0 || node.type === 'string') leaves.push(node.text);
    else childrenOf(node).forEach(visit);
    if (node.type === 'block') leaves.push('}');
  };
  visit(root);
  return leaves.join(' ');
}

/** Edits that give a variable or function another name: every identifier but attributes and the names of keyword arguments. */
export function renamingEdits(root: Node, from: string, to: string): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'identifier' && node.text === from && !isForeignName(node))
      edits.push({ start: node.startIndex, end: node.endIndex, after: to });
    childrenOf(node).forEach(visit);
  };
  visit(root);
  return edits;
}

/** The docstring of a function as a statement node, if it has one and other statements beside it. */
export function docstringOf(definition: Node): Node | undefined {
  const body = definition.childForFieldName('body');
  const first = body === null ? undefined : namedChildrenOf(body).find(({ type }) => type !== 'comment');
  if (first === undefined || !isDocstring(first)) return undefined;
  return first;
}

/** The text of a string literal without quotes and common indentation; escapes stay as they are written. */
export function docstringText(statement: Node): string {
  const literal = statement.namedChild(0);
  const content =
    literal === null ? '' : namedChildrenOf(literal).filter(({ type }) => type === 'string_content');
  const text = content === '' ? '' : content.map((part) => part.text).join('');
  const lines = text.split('\n');
  const indents = lines
    .slice(1)
    .flatMap((line) => (line.trim() === '' ? [] : [/^\s*/.exec(line)?.[0].length ?? 0]));
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return [lines[0] ?? '', ...lines.slice(1).map((line) => line.slice(common))]
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function isForeignName(node: Node): boolean {
  const { parent } = node;
  if (parent === null) return false;
  const isField = (field: string): boolean => parent.childForFieldName(field)?.id === node.id;
  return (
    (parent.type === 'attribute' && isField('attribute')) ||
    (parent.type === 'keyword_argument' && isField('name'))
  );
}
