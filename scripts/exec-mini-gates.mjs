/**
 * The gates that exec-mini passes before it is written, in the order of the ExecRetrieval paper: schema, syntax tree,
 * execution of canonicals, execution of distractors, integrity of the corpus. Each returns plain sentences, one a
 * breach, that name the entry and the value; an empty list means that the gate is open.
 */
import { createRequire } from 'node:module';
import * as v from 'valibot';
import { Language, Parser } from 'web-tree-sitter';

/** The ten domains, in the order of the tables. */
export const DOMAINS = [
  'bit_manipulation',
  'collections',
  'data_transformation',
  'date_time',
  'geometry',
  'math_numerical',
  'sorting_searching',
  'state_machines',
  'string_processing',
  'validation',
];

/** The six mechanical bug types, in the order of the tables. */
export const BUG_TYPES = [
  'off_by_one',
  'off_by_one_boundary',
  'swap_arguments',
  'remove_edge_case_check',
  'wrong_comparison',
  'wrong_operator',
];

/** At most this share of the distractors may raise an exception in any of their tests. */
export const MOST_RAISING = 0.05;

/** One line of registry.jsonl: what is asked for, known before any code. */
export const registryRow = v.strictObject({
  entry_id: v.pipe(v.string(), v.regex(/^exec_[a-z_]+_[1-9]\d*$/)),
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  query: v.pipe(v.string(), v.trim(), v.minLength(20), v.maxLength(300)),
  domain: v.picklist(DOMAINS),
});

/** One member of distractors.json: a single edit of canonical.py. `occurrence` counts from 1 and may be left out when `find` is unique. */
export const distractorEdit = v.strictObject({
  bug_type: v.picklist(BUG_TYPES),
  find: v.pipe(v.string(), v.minLength(1)),
  replace: v.string(),
  occurrence: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** A Python parser for the gates below; loads its grammar from node_modules. */
export async function pythonParser() {
  const require = createRequire(import.meta.url);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-python.wasm')),
  );
  return parser;
}

/** Gate 1, schema: ids, names and domains agree, 7 to 10 tests, one to four distractors. */
export function schemaGate(entries) {
  const breaches = [];
  const count = new Map();
  for (const entry of entries) {
    const number = (count.get(entry.domain) ?? 0) + 1;
    count.set(entry.domain, number);
    const wanted = `exec_${entry.domain}_${number}`;
    if (entry.entryId !== wanted) breaches.push(`${entry.entryId}: the next id of its domain is ${wanted}`);
    if (entry.tests.length < 7 || entry.tests.length > 10)
      breaches.push(`${entry.entryId}: ${entry.tests.length} tests, allowed are 7 to 10`);
    if (entry.distractors.length < 1 || entry.distractors.length > 4)
      breaches.push(`${entry.entryId}: ${entry.distractors.length} distractors, allowed are 1 to 4`);
    if (new RegExp(`\\b${entry.name}\\b`).test(entry.query))
      breaches.push(`${entry.entryId}: the query spells out the function's name ${entry.name}`);
  }
  const sizes = new Set(DOMAINS.map((domain) => count.get(domain) ?? 0));
  if (sizes.size !== 1) breaches.push(`the domains are not even: ${JSON.stringify([...count])}`);
  return breaches;
}

/** Gate 2, syntax tree: every snippet parses and defines the target; every test is one assert that names it. */
export function syntaxGate(entries, parser) {
  const breaches = [];
  for (const entry of entries) {
    for (const { label, code } of snippetsOf(entry)) {
      const root = parser.parse(code).rootNode;
      if (root.hasError) breaches.push(`${label}: does not parse`);
      else if (!definedNames(root).includes(entry.name))
        breaches.push(`${label}: does not define ${entry.name}`);
    }
    entry.tests.forEach((test, index) => {
      const root = parser.parse(test).rootNode;
      const single = root.namedChildCount === 1 && root.namedChild(0).type === 'assert_statement';
      if (root.hasError || !single || !new RegExp(`\\b${entry.name}\\(`).test(test))
        breaches.push(
          `${entry.entryId}: test ${index + 1} is not one assert that calls ${entry.name}: ${test}`,
        );
    });
  }
  return breaches;
}

/** Gates 3 and 4, execution: canonicals pass every test; each distractor fails one by its output; few ever raise. */
export function executionGate(entries, outcomesOf) {
  const breaches = [];
  let raising = 0;
  let total = 0;
  for (const entry of entries) {
    const [canonical, ...distractors] = snippetsOf(entry);
    outcomesOf(canonical.code, entry.tests).forEach((outcome, index) => {
      if (outcome !== 'pass') breaches.push(`${canonical.label}: test ${index + 1} gives ${outcome}`);
    });
    for (const { label, code } of distractors) {
      const outcomes = outcomesOf(code, entry.tests);
      total++;
      if (outcomes.every((outcome) => outcome === 'pass')) breaches.push(`${label}: passes all its tests`);
      else if (!outcomes.some((outcome) => outcome.startsWith('FAIL')))
        breaches.push(`${label}: fails only by raising: ${outcomes.find((outcome) => outcome !== 'pass')}`);
      if (outcomes.some((outcome) => outcome.startsWith('TIMEOUT'))) breaches.push(`${label}: does not end`);
      if (outcomes.some((outcome) => outcome.startsWith('ERROR'))) raising++;
    }
  }
  if (raising > MOST_RAISING * total)
    breaches.push(`${raising} of ${total} distractors raise, allowed are ${MOST_RAISING * 100} %`);
  return breaches;
}

/** Gate 5, integrity: no module-level name in two entries, no snippet twice, neither as text nor as syntax. */
export function integrityGate(entries, parser) {
  const breaches = [];
  const owners = new Map();
  const texts = new Map();
  for (const entry of entries) {
    for (const name of definedNames(parser.parse(entry.code).rootNode)) {
      const owner = owners.get(name);
      if (owner !== undefined) breaches.push(`${entry.entryId}: ${name} is also defined by ${owner}`);
      owners.set(name, entry.entryId);
    }
    for (const { label, code } of snippetsOf(entry)) {
      const normal = normalised(parser.parse(code).rootNode);
      const twin = texts.get(normal);
      if (twin !== undefined) breaches.push(`${label}: the same code as ${twin}`);
      texts.set(normal, label);
    }
  }
  return breaches;
}

/** The canonical and then the distractors of an entry, each with a label for messages. */
export function snippetsOf(entry) {
  return [
    { label: `${entry.entryId} canonical`, code: entry.code },
    ...entry.distractors.map((distractor, index) => ({
      label: `${entry.entryId} distractor ${index + 1} (${distractor.bugType})`,
      code: distractor.code,
    })),
  ];
}

/** Names bound at module level by def, class or assignment. */
function definedNames(root) {
  return root.namedChildren.flatMap((node) => {
    const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node;
    if (inner.type === 'function_definition' || inner.type === 'class_definition')
      return [inner.childForFieldName('name').text];
    if (inner.type === 'expression_statement' && inner.namedChild(0).type === 'assignment')
      return [inner.namedChild(0).childForFieldName('left').text];
    return [];
  });
}

/** The leaves of a syntax tree without comments and docstrings: equal for code that differs in layout only. */
function normalised(root) {
  const leaves = [];
  const visit = (node) => {
    const docstring =
      node.type === 'expression_statement' &&
      node.namedChildCount === 1 &&
      node.namedChild(0).type === 'string';
    if (node.type === 'comment' || docstring) return;
    // A block's depth is layout in the text but meaning in Python, so it has to leave a mark of its own.
    if (node.type === 'block') leaves.push('{');
    if (node.childCount === 0 || node.type === 'string') leaves.push(node.text);
    else for (const child of node.children) visit(child);
    if (node.type === 'block') leaves.push('}');
  };
  visit(root);
  return leaves.join(' ');
}
