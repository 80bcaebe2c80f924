import type { Node } from 'web-tree-sitter';
import { childrenOf, namedChildrenOf } from '../syntax/syntax-parsers.ts';
import type { BugType } from '../../domain/bug-types.ts';
import type { MutationSite } from './edit.ts';

/** What each operator becomes: the plain reading first, then less typical ones. */
const BOUNDARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
};
const COMPARISON: Readonly<Record<string, readonly string[]>> = {
  '<': ['>', '=='],
  '>': ['<', '=='],
  '<=': ['>=', '=='],
  '>=': ['<=', '=='],
  '==': ['!=', '<=', '>='],
  '!=': ['==', '<', '>'],
  in: ['not in'],
  'not in': ['in'],
  is: ['is not'],
  'is not': ['is'],
};
const OPERATOR: Readonly<Record<string, readonly string[]>> = {
  '+': ['-', '*'],
  '-': ['+'],
  '*': ['+', '-'],
  '/': ['*', '//'],
  '//': ['/', '%'],
  '%': ['//'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|', '&'],
  '<<': ['>>'],
  '>>': ['<<'],
  and: ['or'],
  or: ['and'],
};
/** Statements whose lone presence under an `if` makes it a guard. */
const LEAVES = new Set(['return_statement', 'raise_statement', 'continue_statement', 'break_statement']);
/** Parts of a source whose change is no bug in what the function does. */
const PASSED_OVER = new Set([
  'type',
  'decorator',
  'comment',
  'import_statement',
  'import_from_statement',
  'future_import_statement',
  'format_specifier',
  'string_content',
]);
/** Expressions to which ` + 1` can be appended without changing what binds to what. */
const BINDS_TIGHTER_THAN_PLUS = new Set([
  'identifier',
  'call',
  'attribute',
  'subscript',
  'integer',
  'float',
  'parenthesized_expression',
  'string',
]);
const ARITHMETIC = new Set(['+', '-', '*', '/', '//', '%', '**']);

/**
 * Every place of a Python source where one edit plants one of the six bugs, in source order. `root` is its syntax tree;
 * only code inside functions counts, not docstrings, annotations, imports or decorators.
 */
export function mutationSites(text: string, root: Node): MutationSite[] {
  const sites: MutationSite[] = [];
  const collector = new SiteCollector(text, sites);
  const visit = (node: Node, inFunction: boolean, inWhile: boolean): void => {
    if (PASSED_OVER.has(node.type) || isDocstring(node)) return;
    if (inFunction) collector.collect(node, inWhile);
    const inside = inFunction || node.type === 'function_definition' || node.type === 'lambda';
    const looping = inWhile || node.type === 'while_statement';
    for (const child of childrenOf(node)) visit(child, inside, looping);
  };
  visit(root, false, false);
  sites.sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.bugType, b.bugType));
  return sites;
}

/** Whether the node is a statement that consists of a string: a docstring or a comment written as one. */
export function isDocstring(node: Node): boolean {
  return (
    node.type === 'expression_statement' &&
    node.namedChildCount === 1 &&
    (node.namedChild(0)?.type === 'string' || node.namedChild(0)?.type === 'concatenated_string')
  );
}

class SiteCollector {
  readonly #text: string;
  readonly #sites: MutationSite[];
  #inWhile = false;

  constructor(text: string, sites: MutationSite[]) {
    this.#text = text;
    this.#sites = sites;
  }

  /** `inWhile`: a change here may keep the loop from ending, so all its sites are tried last. */
  collect(node: Node, inWhile: boolean): void {
    this.#inWhile = inWhile;
    switch (node.type) {
      case 'comparison_operator':
        for (const operator of childrenOf(node).filter((child) => !isOperand(child))) {
          this.#replaceOperator('off_by_one_boundary', operator, BOUNDARY);
          this.#replaceOperator('wrong_comparison', operator, COMPARISON);
        }
        return;
      case 'binary_operator':
      case 'boolean_operator': {
        const operator = node.childForFieldName('operator');
        if (operator !== null) this.#replaceOperator('wrong_operator', operator, OPERATOR);
        if (node.type === 'boolean_operator') this.#dropOperand(node);
        return;
      }
      case 'augmented_assignment': {
        const operator = node.childForFieldName('operator');
        const plain = operator?.text.replace(/=$/, '') ?? '';
        if (operator !== null)
          OPERATOR[plain]?.forEach((other, index) =>
            this.#add('wrong_operator', operator.startIndex, operator.endIndex, `${other}=`, tierOf(index)),
          );
        return;
      }
      case 'unary_operator': {
        const operator = node.child(0);
        if (operator?.type === '-')
          this.#add('wrong_operator', operator.startIndex, operator.endIndex, '+', 1);
        return;
      }
      case 'integer':
        this.#changeInteger(node);
        return;
      case 'call':
        this.#changeCall(node);
        return;
      case 'slice':
        for (const bound of namedChildrenOf(node)) {
          const stepped = previousColons(node, bound) === 2;
          if (bound.type !== 'integer' && !stepped) this.#shift(bound, [' + 1', ' - 1'], 0);
        }
        return;
      case 'subscript':
        for (const index of node.childrenForFieldName('subscript'))
          if (index !== null && ['identifier', 'binary_operator'].includes(index.type))
            this.#shift(index, [' + 1', ' - 1'], 2);
        return;
      case 'if_statement':
        this.#removeGuard(node);
        return;
      case 'conditional_expression': {
        const [whenTrue, , whenFalse] = namedChildrenOf(node).filter(({ type }) => type !== 'comment');
        if (whenTrue === undefined || whenFalse === undefined) return;
        for (const kept of [whenTrue, whenFalse])
          this.#add('remove_edge_case_check', node.startIndex, node.endIndex, kept.text, 0);
        return;
      }
      default:
    }
  }

  #add(bugType: BugType, start: number, end: number, after: string, tier: 0 | 1 | 2): void {
    const before = this.#text.slice(start, end);
    if (before === after) return;
    this.#sites.push({ bugType, start, end, before, after, tier: this.#inWhile && tier === 0 ? 1 : tier });
  }

  #replaceOperator(
    bugType: BugType,
    operator: Node,
    table: Readonly<Record<string, readonly string[]>>,
  ): void {
    // `not   in` may be written with any blanks between its words.
    const others = table[operator.type] ?? [];
    others.forEach((other, index) =>
      this.#add(bugType, operator.startIndex, operator.endIndex, other, tierOf(index)),
    );
  }

  #changeInteger(node: Node): void {
    const match = /^(0[xX]|0[oO]|0[bB])?([0-9a-fA-F_]+)$/.exec(node.text);
    if (match === null) return;
    const [, prefix = '', digits = ''] = match;
    const base = { x: 16, o: 8, b: 2 }[prefix.slice(1).toLowerCase()] ?? 10;
    let value: bigint;
    try {
      value = BigInt(prefix + digits.replaceAll('_', ''));
    } catch (error) {
      // Python 2's 0777 and the like: no integer to either of us.
      if (error instanceof SyntaxError) return;
      throw error;
    }
    const isShort = value < 10n;
    for (const [index, step] of [1n, -1n].entries()) {
      const changed = value + step;
      if (changed < 0n) {
        this.#add('off_by_one', node.startIndex, node.endIndex, '-1', 2);
        continue;
      }
      const written = changed.toString(base).padStart(base === 10 ? 0 : digits.length, '0');
      const cased = /[A-F]/.test(digits) ? written.toUpperCase() : written;
      this.#add('off_by_one', node.startIndex, node.endIndex, prefix + cased, isShort || index === 0 ? 0 : 1);
    }
  }

  #changeCall(node: Node): void {
    const name = node.childForFieldName('function')?.text;
    const list = node.childForFieldName('arguments');
    if (list?.type !== 'argument_list') return;
    const all = namedChildrenOf(list).filter(({ type }) => type !== 'comment');
    const firstOther = all.findIndex(({ type }) =>
      ['keyword_argument', 'list_splat', 'dictionary_splat'].includes(type),
    );
    const positional = firstOther < 0 ? all : all.slice(0, firstOther);
    for (let at = 0; at + 1 < positional.length; at++) {
      const first = positional[at] as Node;
      const second = positional[at + 1] as Node;
      const between = this.#text.slice(first.endIndex, second.startIndex);
      const swapped = second.text + between + first.text;
      this.#add('swap_arguments', first.startIndex, second.endIndex, swapped, tierOf(at));
    }
    if (name === 'len' && positional.length === 1) {
      this.#add('off_by_one', node.endIndex, node.endIndex, ' - 1', safeAfterLength(node) ? 0 : 2);
    }
    if (name === 'range' && firstOther < 0) {
      const stop = positional[positional.length === 1 ? 0 : 1];
      if (stop !== undefined && stop.type !== 'integer') this.#shift(stop, [' + 1', ' - 1'], 0);
    }
  }

  /** Appends each of the terms to an expression, in brackets where it binds less tightly than a sum. */
  #shift(node: Node, terms: readonly string[], tier: 0 | 2): void {
    const plain =
      BINDS_TIGHTER_THAN_PLUS.has(node.type) ||
      (node.type === 'unary_operator' && node.child(0)?.type === '-') ||
      (node.type === 'binary_operator' && ARITHMETIC.has(node.childForFieldName('operator')?.type ?? ''));
    terms.forEach((term) => {
      if (plain) this.#add('off_by_one', node.endIndex, node.endIndex, term, tier);
      else this.#add('off_by_one', node.startIndex, node.endIndex, `(${node.text})${term}`, tier);
    });
  }

  /** `a and b` -> `a`, `b`: one of two checks is forgotten. */
  #dropOperand(node: Node): void {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (left === null || right === null) return;
    this.#add('remove_edge_case_check', left.endIndex, right.endIndex, '', 1);
    this.#add('remove_edge_case_check', left.startIndex, right.startIndex, '', 1);
  }

  #removeGuard(node: Node): void {
    if (node.childForFieldName('alternative') !== null) return;
    const body = node.childForFieldName('consequence');
    const statements = body === null ? [] : namedChildrenOf(body).filter(({ type }) => type !== 'comment');
    const last = statements.at(-1);
    if (last === undefined || !LEAVES.has(last.type)) return;
    // The statement's own end: a block may reach over comments and blank lines after it.
    this.#add(
      'remove_edge_case_check',
      node.startIndex,
      last.endIndex,
      'pass',
      statements.length === 1 ? 0 : 1,
    );
  }
}

/** Whether ` - 1` behind `len(x)` takes one from the length and not from what the length is multiplied with. */
function safeAfterLength(node: Node): boolean {
  const parent = node.parent;
  if (parent === null) return true;
  if (parent.type === 'binary_operator')
    return ['+', '-'].includes(parent.childForFieldName('operator')?.type ?? '');
  return parent.type !== 'unary_operator' && parent.type !== 'attribute';
}

/** How many colons of a slice stand before one of its parts: 0 start, 1 stop, 2 step. */
function previousColons(slice: Node, part: Node): number {
  return childrenOf(slice).filter(({ type, startIndex }) => type === ':' && startIndex < part.startIndex)
    .length;
}

/** In a comparison the operators are the anonymous children, and the aliased pairs `not in` and `is not`. */
function isOperand(node: Node): boolean {
  return !Object.hasOwn(COMPARISON, node.type);
}

function tierOf(index: number): 0 | 1 | 2 {
  return index === 0 ? 0 : index === 1 ? 1 : 2;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
