import type { Node } from 'web-tree-sitter';
import { namedChildrenOf, type SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { applyEdits } from './edit.ts';
import { docstringOf, functionNamed, renamingEdits } from './python-source.ts';

/** A HumanEval test as assert statements, or as one text when it does more than assert. */
export interface CheckTests {
  readonly tests: readonly string[];
  readonly split: boolean;
}

/**
 * Splits HumanEval's `def check(candidate): …` into its asserts, with `candidate` replaced by the function's name, so
 * that each has an outcome of its own. Asserts that never name the candidate (`assert True`) are left out. A test that
 * does more than assert (loops, helpers, imports) stays one text that calls `check`.
 */
export function checkAsAsserts(test: string, entryPoint: string, parsers: SyntaxParsers): CheckTests {
  const asserts = parsers.withTree('python', test, (root) => splitAsserts(test, root, entryPoint));
  if (asserts !== undefined && asserts.length > 0) return { tests: asserts, split: true };
  const called = new RegExp(`^check\\(\\s*${entryPoint}\\s*\\)`, 'm').test(test);
  return { tests: [called ? test : `${test.trimEnd()}\ncheck(${entryPoint})\n`], split: false };
}

function splitAsserts(test: string, root: Node, entryPoint: string): string[] | undefined {
  const check = functionNamed(root, 'check');
  const body = check?.childForFieldName('body');
  const parameters = check?.childForFieldName('parameters');
  if (root.hasError || check === undefined || !body || !parameters) return undefined;
  const [parameter, second] = namedChildrenOf(parameters);
  if (parameter?.type !== 'identifier' || second !== undefined) return undefined;
  for (const statement of namedChildrenOf(root)) {
    // Data about the task and the call itself may stand beside the function; anything else may matter to it.
    const harmless =
      statement.id === check.id ||
      statement.type === 'comment' ||
      /^METADATA\s*=/.test(statement.text) ||
      /^check\(\s*\w+\s*\)$/.test(statement.text);
    if (!harmless) return undefined;
  }
  const docstring = docstringOf(check);
  const asserts: string[] = [];
  for (const statement of namedChildrenOf(body)) {
    if (statement.type === 'comment' || statement.type === 'pass_statement' || statement.id === docstring?.id)
      continue;
    if (statement.type !== 'assert_statement') return undefined;
    const renamed = renamingEdits(statement, parameter.text, entryPoint);
    if (renamed.length === 0) continue;
    const moved = renamed.map(({ start, end, after }) => ({
      start: start - statement.startIndex,
      end: end - statement.startIndex,
      after,
    }));
    asserts.push(applyEdits(test.slice(statement.startIndex, statement.endIndex), moved));
  }
  return asserts;
}
