import type { SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { applyEdits } from './edit.ts';
import { definedNames, normalisedCode, renamingEdits } from './python-source.ts';
import { bugTypeOf, type BuiltTask, type ConstructionTask } from './task.ts';

/** The paper's five gates, in its order. */
export const GATES = [
  'schema',
  'syntax-tree',
  'canonical-execution',
  'distractor-execution',
  'integrity',
] as const;

/** One of the five. */
export type Gate = (typeof GATES)[number];

/** Why something was turned away, or why a finished build is closed. */
export interface GateBreach {
  readonly gate: Gate;
  readonly entryId: string;
  /** One plain sentence with the value. */
  readonly reason: string;
}

/** What a task must look like. The paper's own tasks: 7 to 10 asserts; sets that others wrote come as they are. */
export interface GateLimits {
  readonly fewestTests: number;
  readonly mostTests: number;
  /** Every test is one assert statement that calls the function. */
  readonly assertsOnly: boolean;
  /** The query must not spell out the function's name. */
  readonly hiddenName: boolean;
}

/** The paper's rules for tasks made by its pipeline. */
export const PAPER_LIMITS: GateLimits = {
  fewestTests: 7,
  mostTests: 10,
  assertsOnly: true,
  hiddenName: true,
};

/** For functions with tests that exist already. */
export const IMPORTED_LIMITS: GateLimits = {
  fewestTests: 1,
  mostTests: Infinity,
  assertsOnly: false,
  hiddenName: false,
};

/** Gates 1 and 2 for a task without distractors: schema, then syntax tree. An empty list lets it through. */
export function taskBreaches(
  task: ConstructionTask,
  limits: GateLimits,
  parsers: SyntaxParsers,
): GateBreach[] {
  const breaches: GateBreach[] = [];
  const add = (gate: Gate, reason: string): number => breaches.push({ gate, entryId: task.entryId, reason });
  const { fewestTests, mostTests } = limits;
  if (task.tests.length < fewestTests || task.tests.length > mostTests)
    add('schema', `${task.tests.length} tests, allowed are ${fewestTests} to ${mostTests}`);
  if (!/^[A-Za-z_]\w*$/.test(task.name)) add('schema', `"${task.name}" is no function name`);
  if (task.query.trim() === '') add('schema', 'the query is empty');
  if (limits.hiddenName && new RegExp(`\\b${task.name}\\b`).test(task.query))
    add('schema', `the query spells out the function's name ${task.name}`);
  const breach = codeBreach(task.code, task.name, parsers);
  if (breach !== undefined) add('syntax-tree', `the canonical ${breach}`);
  task.tests.forEach((test, index) => {
    const problem = testProblem(test, task.name, limits, parsers);
    if (problem !== undefined) add('syntax-tree', `test ${index + 1} ${problem}`);
  });
  return breaches;
}

/** Gate 2 for a snippet: it parses and defines the function. Undefined lets it through. */
export function codeBreach(code: string, name: string, parsers: SyntaxParsers): string | undefined {
  return parsers.withTree('python', code, (root) =>
    root.hasError
      ? 'does not parse'
      : definedNames(root).includes(name)
        ? undefined
        : `does not define ${name}`,
  );
}

/** The text that two snippets share when they differ in layout, comments and docstrings only. */
export function normalisedText(code: string, parsers: SyntaxParsers): string {
  return parsers.withTree('python', code, normalisedCode);
}

/** Tasks without module-level names in common, and what was renamed for that. */
export interface DistinctNames {
  readonly tasks: readonly ConstructionTask[];
  readonly renamed: readonly { readonly entryId: string; readonly from: string; readonly to: string }[];
}

/**
 * Gate 5's names: no module-level name in two entries. Of two functions under test the later gets a number behind its
 * name, in its code and in its tests; a helper that collides gets the name of its task's function behind it.
 */
export function separateNames(tasks: readonly ConstructionTask[], parsers: SyntaxParsers): DistinctNames {
  const taken = new Set(tasks.map(({ name }) => name));
  const renamed: { entryId: string; from: string; to: string }[] = [];
  const rename = (text: string, from: string, to: string): string =>
    parsers.withTree('python', text, (root) => applyEdits(text, renamingEdits(root, from, to)));
  const targets = new Set<string>();
  const distinct = tasks.map((task) => {
    if (!targets.has(task.name)) {
      targets.add(task.name);
      return task;
    }
    let number = 2;
    while (taken.has(`${task.name}_${number}`)) number += 1;
    const to = `${task.name}_${number}`;
    taken.add(to);
    targets.add(to);
    renamed.push({ entryId: task.entryId, from: task.name, to });
    return {
      ...task,
      name: to,
      code: rename(task.code, task.name, to),
      tests: task.tests.map((test) => rename(test, task.name, to)),
    };
  });
  const owners = new Map<string, string>(distinct.map(({ name, entryId }) => [name, entryId]));
  const separated = distinct.map((task) => {
    let { code } = task;
    for (const name of parsers.withTree('python', code, definedNames)) {
      const owner = owners.get(name) ?? task.entryId;
      if (owner === task.entryId) {
        owners.set(name, task.entryId);
        continue;
      }
      let to = `${name}_of_${task.name}`;
      while (owners.has(to)) to += '_';
      code = rename(code, name, to);
      owners.set(to, task.entryId);
      renamed.push({ entryId: task.entryId, from: name, to });
    }
    return code === task.code ? task : { ...task, code };
  });
  return { tasks: separated, renamed };
}

/** What the final sweeps found; a build is written only when every count is 0. */
export interface FinalSweeps {
  readonly distractorsThatPass: number;
  readonly canonicalsThatFail: number;
  readonly nameCollisions: number;
  readonly exactDuplicates: number;
  readonly normalisedDuplicates: number;
  readonly breaches: readonly GateBreach[];
}

/** Looks at the finished corpus once more, whatever the steps before have promised. */
export function finalSweeps(built: readonly BuiltTask[], parsers: SyntaxParsers): FinalSweeps {
  const breaches: GateBreach[] = [];
  const counts = { passing: 0, failing: 0, names: 0, exact: 0, normalised: 0 };
  const owners = new Map<string, string>();
  const texts = new Map<string, string>();
  const normals = new Map<string, string>();
  for (const { task, outcomes, distractors } of built) {
    const { entryId } = task;
    if (outcomes.some((outcome) => outcome !== 'pass')) {
      counts.failing += 1;
      breaches.push({ gate: 'canonical-execution', entryId, reason: 'the canonical fails a test' });
    }
    for (const name of parsers.withTree('python', task.code, definedNames)) {
      const owner = owners.get(name);
      if (owner !== undefined) {
        counts.names += 1;
        breaches.push({ gate: 'integrity', entryId, reason: `${name} is also defined by ${owner}` });
      }
      owners.set(name, entryId);
    }
    const snippets = [
      { label: `${entryId} canonical`, code: task.code },
      ...distractors.map((distractor, index) => ({
        label: `${entryId} distractor ${index + 1} (${bugTypeOf(distractor)})`,
        code: distractor.code,
      })),
    ];
    for (const { label, code } of snippets) {
      const twin = texts.get(code);
      const normal = normalisedText(code, parsers);
      const sibling = normals.get(normal);
      if (twin !== undefined) counts.exact += 1;
      else if (sibling !== undefined) counts.normalised += 1;
      if (sibling !== undefined)
        breaches.push({ gate: 'integrity', entryId, reason: `${label}: the same code as ${sibling}` });
      texts.set(code, label);
      normals.set(normal, label);
    }
    for (const distractor of distractors)
      if (distractor.outcomes.every((outcome) => outcome === 'pass')) {
        counts.passing += 1;
        breaches.push({
          gate: 'distractor-execution',
          entryId,
          reason: `a distractor (${bugTypeOf(distractor)}) passes all its tests`,
        });
      }
  }
  return {
    distractorsThatPass: counts.passing,
    canonicalsThatFail: counts.failing,
    nameCollisions: counts.names,
    exactDuplicates: counts.exact,
    normalisedDuplicates: counts.normalised,
    breaches,
  };
}

function testProblem(
  test: string,
  name: string,
  limits: GateLimits,
  parsers: SyntaxParsers,
): string | undefined {
  return parsers.withTree('python', test, (root) => {
    if (root.hasError) return 'does not parse';
    if (!new RegExp(`\\b${name}\\b`).test(test)) return `does not name ${name}`;
    const isAssert = root.namedChildCount === 1 && root.namedChild(0)?.type === 'assert_statement';
    return limits.assertsOnly && !isAssert ? 'is not one assert statement' : undefined;
  });
}
