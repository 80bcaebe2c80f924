import type { MutationSite } from './edit.ts';

/** A function with tests: what a benchmark is made from. */
export interface ConstructionTask {
  /** Unique in a build, e.g. `HumanEval/0` or `exec_geometry_3`. */
  readonly entryId: string;
  /** The function that the tests call. */
  readonly name: string;
  readonly query: string;
  /** One of the benchmark's domains, or `other`. */
  readonly domain: string;
  /** The canonical, exactly as it will be retrieved and executed. */
  readonly code: string;
  /** One Python text each, run in a fresh namespace after the code. */
  readonly tests: readonly string[];
}

/** A buggy variant of a task's canonical. */
export interface Distractor {
  /** One edit, or 2 to 4 on different lines (stacked). */
  readonly edits: readonly MutationSite[];
  readonly code: string;
}

/** What became of a suite, test by test, in ExecRetrieval's spelling: `pass`, `FAIL:…`, `TIMEOUT`, `ERROR:…`. */
export type Outcomes = readonly string[];

/** A task with what passed all gates. */
export interface BuiltTask {
  readonly task: ConstructionTask;
  readonly outcomes: Outcomes;
  readonly distractors: readonly (Distractor & { readonly outcomes: Outcomes })[];
}

/** The bug type that a distractor is filed under. */
export function bugTypeOf(distractor: Distractor): string {
  const [first] = distractor.edits;
  if (first === undefined) throw new RangeError('a distractor has at least one edit');
  return distractor.edits.length === 1 ? first.bugType : 'stacked';
}
