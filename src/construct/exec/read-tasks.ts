import * as v from 'valibot';
import { AppError, messageOf } from '../../domain/app-error.ts';
import type { SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { checkAsAsserts } from './check-function.ts';
import { applyEdits } from './edit.ts';
import { definedNames, docstringOf, docstringText, functionNamed } from './python-source.ts';
import type { ConstructionTask } from './task.ts';

const text = v.string('must be text');
const filled = v.pipe(text, v.nonEmpty('must not be empty'));
const asserts = v.pipe(v.array(filled, 'must be a list of assert statements'), v.minLength(1));
const id = v.union(
  [filled, v.pipe(v.number(), v.integer(), v.transform(String))],
  'must be text or a number',
);

/** OpenAI's HumanEval, HumanEval-X (Python) and EvalPlus. */
const humanEvalRow = v.looseObject({
  task_id: id,
  prompt: filled,
  canonical_solution: filled,
  test: filled,
  entry_point: v.exactOptional(filled),
});
/** Google's MBPP, full and sanitised. */
const mbppRow = v.looseObject({
  task_id: id,
  text: v.exactOptional(filled),
  prompt: v.exactOptional(filled),
  code: filled,
  test_list: asserts,
  test_setup_code: v.exactOptional(text, ''),
  test_imports: v.exactOptional(v.array(text), []),
  challenge_test_list: v.exactOptional(v.array(filled), []),
});
/** Assay's own form: what a task is, without more. */
const plainRow = v.looseObject({
  entry_id: id,
  name: filled,
  query: filled,
  code: filled,
  tests: asserts,
  domain: v.exactOptional(filled, 'other'),
});

/** How tasks are read. */
export interface ReadTasksSettings {
  /** Leave the docstring in a snippet whose query is that docstring. */
  readonly keepDocstrings: boolean;
}

/** What was read, with what was changed on the way. */
export interface ReadTasks {
  readonly form: 'humaneval' | 'mbpp' | 'plain';
  readonly tasks: readonly ConstructionTask[];
  /** Snippets whose docstring became the query and was taken out. */
  readonly docstringsRemoved: number;
  /** Tasks whose `check` function could not be split into asserts and runs as one test. */
  readonly unsplitTests: number;
}

/**
 * Reads a file of functions with tests: JSON Lines or one JSON array, in the forms of HumanEval (`prompt`,
 * `canonical_solution`, `test`, `entry_point`), MBPP (`code`, `test_list`) or Assay (`entry_id`, `name`, `query`,
 * `code`, `tests`, `domain?`). Errors: `task-file-invalid` with the row (from 1), `duplicate-id`.
 */
export function readTasks(
  name: string,
  content: string,
  parsers: SyntaxParsers,
  settings: ReadTasksSettings,
): ReadTasks {
  const rows = readRows(name, content);
  const form = formOf(name, rows[0]);
  let docstringsRemoved = 0;
  let unsplitTests = 0;
  const tasks = rows.map((row, index): ConstructionTask => {
    const where = `${name}, row ${index + 1}`;
    if (form === 'plain') {
      const { entry_id, name: target, query, code, tests, domain } = parse(plainRow, row, where);
      return { entryId: entry_id, name: target, query, domain, code, tests };
    }
    if (form === 'mbpp') return mbppTask(parse(mbppRow, row, where), parsers, where);
    const parsed = parse(humanEvalRow, row, where);
    const entryPoint = parsed.entry_point ?? /\bcheck\((\w+)\)\s*$/.exec(parsed.test.trimEnd())?.[1];
    if (entryPoint === undefined)
      throw invalid(where, 'has neither "entry_point" nor a last line check(NAME) in "test"');
    const split = checkAsAsserts(parsed.test, entryPoint, parsers);
    if (!split.split) unsplitTests += 1;
    const code = parsed.prompt + parsed.canonical_solution;
    const cut = takeDocstring(code, entryPoint, parsers);
    if (cut !== undefined && !settings.keepDocstrings) docstringsRemoved += 1;
    return {
      entryId: parsed.task_id,
      name: entryPoint,
      query: proseOf(cut?.docstring ?? '') || entryPoint.replaceAll('_', ' '),
      domain: 'other',
      code: settings.keepDocstrings || cut === undefined ? code : cut.code,
      tests: split.tests,
    };
  });
  const seen = new Set<string>();
  for (const { entryId } of tasks) {
    if (seen.has(entryId))
      throw new AppError('construct', 'duplicate-id', `${name}: the task id "${entryId}" occurs twice.`);
    seen.add(entryId);
  }
  return { form, tasks, docstringsRemoved, unsplitTests };
}

function mbppTask(
  row: v.InferOutput<typeof mbppRow>,
  parsers: SyntaxParsers,
  where: string,
): ConstructionTask {
  const query = row.text ?? row.prompt;
  if (query === undefined) throw invalid(where, 'has neither "text" nor "prompt"');
  const all = [...row.test_list, ...row.challenge_test_list];
  const names = parsers.withTree('python', row.code, definedNames);
  const target = names.findLast((candidate) =>
    all.some((test) => new RegExp(`\\b${candidate}\\b`).test(test)),
  );
  if (target === undefined) throw invalid(where, `no test calls a function of "code" (${names.join(', ')})`);
  const before = [...row.test_imports, row.test_setup_code].filter((part) => part.trim() !== '');
  return {
    entryId: /^\d+$/.test(row.task_id) ? `mbpp_${row.task_id}` : row.task_id,
    name: target,
    query,
    domain: 'other',
    code: row.code,
    tests: all.map((test) => [...before, test].join('\n')),
  };
}

/** The function's docstring and the source without it. */
function takeDocstring(
  code: string,
  name: string,
  parsers: SyntaxParsers,
): { readonly docstring: string; readonly code: string } | undefined {
  return parsers.withTree('python', code, (root) => {
    const definition = functionNamed(root, name);
    const statement = definition === undefined ? undefined : docstringOf(definition);
    if (statement === undefined) return undefined;
    // The whole lines, so that no blank line with trailing spaces is left where the docstring was.
    const start = code.lastIndexOf('\n', statement.startIndex - 1) + 1;
    const lineEnd = code.indexOf('\n', statement.endIndex);
    const end = lineEnd < 0 ? code.length : lineEnd + 1;
    const alone =
      code.slice(start, statement.startIndex).trim() === '' &&
      code.slice(statement.endIndex, end).trim() === '';
    const edit = alone
      ? { start, end, after: '' }
      : { start: statement.startIndex, end: statement.endIndex, after: 'pass' };
    return { docstring: docstringText(statement), code: applyEdits(code, [edit]) };
  });
}

/** What a docstring asks for: the text before its examples, in one paragraph. */
function proseOf(docstring: string): string {
  const examples = docstring.search(/^\s*(>>>|(for )?examples?\b.*:?\s*$)/im);
  const prose = (examples > 0 ? docstring.slice(0, examples) : docstring).replace(/\s+/g, ' ').trim();
  return prose === '' ? docstring.replace(/\s+/g, ' ').trim() : prose;
}

function readRows(name: string, content: string): unknown[] {
  const trimmed = content.replace(/^\ufeff/, '').trim();
  if (trimmed === '') throw new AppError('construct', 'task-file-invalid', `${name} is empty.`);
  if (trimmed.startsWith('[')) {
    const rows = parseJson(trimmed, name);
    if (Array.isArray(rows) && rows.length > 0) return rows;
    throw new AppError('construct', 'task-file-invalid', `${name} holds an empty list.`);
  }
  return trimmed
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseJson(line, `${name}, line ${index + 1}`)]));
}

function formOf(name: string, row: unknown): ReadTasks['form'] {
  const has = (member: string): boolean =>
    typeof row === 'object' && row !== null && Object.hasOwn(row, member);
  if (has('canonical_solution')) return 'humaneval';
  if (has('test_list')) return 'mbpp';
  if (has('tests') && has('code')) return 'plain';
  const members = typeof row === 'object' && row !== null ? Object.keys(row).join(', ') : typeof row;
  throw new AppError(
    'construct',
    'task-file-invalid',
    `${name} is in no known form. Its first row has: ${members}. Wanted: HumanEval (prompt, canonical_solution, test, entry_point), MBPP (code, test_list) or entry_id, name, query, code, tests.`,
  );
}

function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AppError('construct', 'task-file-invalid', `${where} is not JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function parse<S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw invalid(where, `${v.getDotPath(issue) ?? 'the row'}: ${issue.message}`);
}

function invalid(where: string, what: string): AppError {
  return new AppError('construct', 'task-file-invalid', `${where}: ${what}.`);
}
