import type { AssertSuite, SuiteResult } from '../../contracts/judge.ts';
import { AppError } from '../../domain/app-error.ts';
import type { SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { BUG_TYPES, type BugType } from '../../domain/bug-types.ts';
import { MutationChooser, orderSites, stackMutations, type WantedShares } from './choose-mutations.ts';
import { applyEdits, type MutationSite } from './edit.ts';
import {
  codeBreach,
  finalSweeps,
  normalisedText,
  separateNames,
  taskBreaches,
  type FinalSweeps,
  type GateBreach,
  type GateLimits,
} from './gates.ts';
import { mutationSites } from './mutation-sites.ts';
import { fateOf, outcomesOf, type ExecuteSuites, type Fate } from './outcomes.ts';
import { bugTypeOf, type BuiltTask, type ConstructionTask, type Outcomes } from './task.ts';

/** How a build is made. */
export interface ExecBuildSettings {
  /** Distractors a task, if it has that many. */
  readonly distractors: number;
  /** Crashing distractors fill a task up to this many, as far as the allowance goes. */
  readonly fewest: number;
  readonly wanted: WantedShares;
  /** Decides the order of candidates and of the corpus. */
  readonly seed: number;
  /** Numbers of edits in one distractor; absent: one edit each. */
  readonly stack?: readonly number[];
  /** Share of the distractors that may fail by exceptions alone: "almost all must fail on output". */
  readonly mostCrashing: number;
  readonly limits: GateLimits;
  /** Mutants of one task that are executed at most. */
  readonly mostMutants: number;
  /** Limit for a canonical's suite in CPython's time; the paper's is 5,000. */
  readonly timeoutMs: number;
  /** Limit for a mutant's suite: shorter, since an edit that makes a loop endless is turned away in any case. */
  readonly mutantTimeoutMs: number;
}

/** What the build did, in numbers; the same for the same inputs. */
export interface ExecBuildNumbers {
  readonly tasksRead: number;
  readonly tasksBuilt: number;
  /** Tasks whose canonical and first choice of distractors all passed the gates, of those with at least one site. */
  readonly firstAttempt: { readonly valid: number; readonly of: number };
  /** The same for single mutants. */
  readonly firstAttemptMutants: { readonly valid: number; readonly of: number };
  /** Of all mutants executed, what became of them. `passes`: equivalent to the canonical as far as the tests see. */
  readonly mutants: Readonly<Record<string, Readonly<Record<Fate | 'sites', number>>>>;
  readonly distractors: number;
  readonly crashing: number;
  readonly byType: readonly {
    readonly bugType: string;
    readonly count: number;
    readonly wanted: number | null;
  }[];
  readonly tasksByDistractors: Readonly<Record<string, number>>;
  readonly tasksWithThreeKillableSites: { readonly tasks: number; readonly withThreeDistractors: number };
}

/** A finished build. */
export interface ExecBuild {
  readonly built: readonly BuiltTask[];
  readonly numbers: ExecBuildNumbers;
  readonly sweeps: FinalSweeps;
  readonly dropped: readonly GateBreach[];
  readonly renamed: readonly { readonly entryId: string; readonly from: string; readonly to: string }[];
  /** Tasks that have fewer distractors than wanted, with why. */
  readonly short: readonly {
    readonly entryId: string;
    readonly distractors: number;
    readonly sites: number;
    readonly passes: number;
    readonly crashes: number;
    readonly doesNotEnd: number;
  }[];
}

type Execute = (suites: readonly AssertSuite[]) => Promise<readonly SuiteResult[]>;

interface Trial {
  readonly edits: readonly MutationSite[];
  readonly code: string;
  readonly fate: Fate;
  readonly outcomes: Outcomes;
}

interface Work {
  readonly task: ConstructionTask;
  /** Sites in the order in which they are tried. */
  readonly sites: readonly MutationSite[];
  readonly singles: Map<MutationSite, Trial>;
  readonly stacks: Trial[];
}

/**
 * Makes distractors for tasks and passes everything through the five gates. Executes in at most five lots. Nothing
 * depends on time or on the order of execution: equal inputs and outcomes give equal builds.
 */
export async function buildExecBenchmark(
  tasks: readonly ConstructionTask[],
  parsers: SyntaxParsers,
  execute: ExecuteSuites,
  settings: ExecBuildSettings,
  onPhase: (text: string) => void = () => undefined,
): Promise<ExecBuild> {
  const dropped: GateBreach[] = [];
  const sound = tasks.filter((task) => {
    const breaches = taskBreaches(task, settings.limits, parsers);
    dropped.push(...breaches);
    return breaches.length === 0;
  });
  const { tasks: separate, renamed } = separateNames(sound, parsers);
  const distinct = withoutDuplicates(separate, parsers, dropped);

  const works: Work[] = [];
  for (const task of distinct) {
    const found = parsers.withTree('python', task.code, (root) => mutationSites(task.code, root));
    works.push({
      task,
      sites: await orderSites(found, task.entryId, settings.seed),
      singles: new Map(),
      stacks: [],
    });
  }

  onPhase(`canonicals and first choice of ${settings.distractors} mutants for ${works.length} tasks`);
  const executeMutants: Execute = (suites) => execute(suites, settings.mutantTimeoutMs);
  const proposer = new MutationChooser(settings.wanted);
  const first = new Map(works.map((work) => [work, proposer.choose(work.sites, settings.distractors)]));
  const canonicals = await executeCanonicals(works, (suites) => execute(suites, settings.timeoutMs));
  const valid = works.filter((work) => {
    const result = canonicals.get(work) as SuiteResult;
    if (fateOf(result) === 'passes') return true;
    const outcomes = outcomesOf(result);
    const at = outcomes.findIndex((outcome) => outcome !== 'pass');
    const message = result.tests[at]?.message ?? '';
    dropped.push({
      gate: 'canonical-execution',
      entryId: work.task.entryId,
      reason: `the canonical's test ${at + 1} gives ${outcomes[at] ?? ''}: ${message.slice(0, 200)}`,
    });
    return false;
  });
  await trySingles(valid, (work) => first.get(work) ?? [], parsers, executeMutants);
  const isKill = (trial: Trial | undefined): boolean => trial?.fate === 'fails-by-output';
  const proposals = works.map((work) => first.get(work) ?? []);
  const firstMutants = works.flatMap((work) => (first.get(work) ?? []).map((site) => work.singles.get(site)));

  // Stacks need more building blocks, so every site is tried for them.
  for (const lot of settings.stack === undefined ? [4, 8, Infinity] : [Infinity]) {
    const goal = settings.stack === undefined ? settings.distractors : Infinity;
    const short = valid.filter((work) => killsOf(work) < goal && untried(work, settings).length > 0);
    if (short.length === 0) break;
    const next = new Map(
      short.map((work) => [work, new MutationChooser(settings.wanted).choose(untried(work, settings), lot)]),
    );
    onPhase(`${[...next.values()].flat().length} more mutants for ${short.length} tasks`);
    await trySingles(short, (work) => next.get(work) ?? [], parsers, executeMutants);
  }
  if (settings.stack !== undefined) {
    onPhase('stacked mutations');
    await tryStacks(valid, settings.stack, settings, parsers, executeMutants);
  }

  const { built, crashing } = chooseDistractors(valid, settings, canonicals, parsers);
  const withSome = built.filter(({ task, distractors }) => {
    if (distractors.length > 0) return true;
    dropped.push({
      gate: 'distractor-execution',
      entryId: task.entryId,
      reason: 'no mutant fails its tests as wanted',
    });
    return false;
  });
  const killable = valid.filter((work) => killsOf(work) >= 3);
  const byEntry = new Map(built.map((one) => [one.task.entryId, one.distractors.length]));
  const counted = withSome.flatMap(({ distractors }) => distractors.map(bugTypeOf));
  const numbers: ExecBuildNumbers = {
    tasksRead: tasks.length,
    tasksBuilt: withSome.length,
    firstAttempt: {
      valid: works.filter(
        (work) =>
          valid.includes(work) &&
          (first.get(work) ?? []).length > 0 &&
          (first.get(work) ?? []).every((site) => isKill(work.singles.get(site))),
      ).length,
      of: proposals.filter(({ length }) => length > 0).length,
    },
    firstAttemptMutants: { valid: firstMutants.filter(isKill).length, of: firstMutants.length },
    mutants: countMutants(valid),
    distractors: counted.length,
    crashing,
    byType: [...BUG_TYPES, ...(counted.includes('stacked') ? ['stacked'] : [])].map((bugType) => ({
      bugType,
      count: counted.filter((type) => type === bugType).length,
      wanted: settings.stack === undefined ? settings.wanted[bugType as BugType] : null,
    })),
    tasksByDistractors: Object.fromEntries(
      Array.from({ length: settings.distractors + 1 }, (_, count) => [
        String(count),
        built.filter(({ distractors }) => distractors.length === count).length,
      ]),
    ),
    tasksWithThreeKillableSites: {
      tasks: killable.length,
      withThreeDistractors: killable.filter(({ task }) => (byEntry.get(task.entryId) ?? 0) >= 3).length,
    },
  };
  const sweeps = finalSweeps(withSome, parsers);
  if (sweeps.breaches.length > 0)
    throw new AppError(
      'construct',
      'gate-closed',
      `The build does not pass its final sweeps: ${sweeps.breaches
        .slice(0, 5)
        .map(({ entryId, reason }) => `${entryId}: ${reason}`)
        .join('; ')}. This is a fault of the builder: please report it.`,
    );
  const short = valid.flatMap((work) => {
    const distractors = byEntry.get(work.task.entryId) ?? 0;
    if (distractors >= settings.distractors) return [];
    const fates = [...work.singles.values()].map(({ fate }) => fate);
    const count = (wanted: Fate): number => fates.filter((fate) => fate === wanted).length;
    return [
      {
        entryId: work.task.entryId,
        distractors,
        sites: work.sites.length,
        passes: count('passes'),
        crashes: count('crashes'),
        doesNotEnd: count('does-not-end'),
      },
    ];
  });
  return { built: withSome, numbers, sweeps, dropped, renamed, short };
}

/** Gate 5 before any execution: of two canonicals with the same code the later is turned away. */
function withoutDuplicates(
  tasks: readonly ConstructionTask[],
  parsers: SyntaxParsers,
  dropped: GateBreach[],
): ConstructionTask[] {
  const owners = new Map<string, string>();
  return tasks.filter(({ entryId, code }) => {
    const normal = normalisedText(code, parsers);
    const owner = owners.get(normal);
    if (owner === undefined) owners.set(normal, entryId);
    else dropped.push({ gate: 'integrity', entryId, reason: `the same code as ${owner}` });
    return owner === undefined;
  });
}

function untried(work: Work, { mostMutants }: ExecBuildSettings): MutationSite[] {
  return work.sites
    .filter((site) => !work.singles.has(site))
    .slice(0, Math.max(0, mostMutants - work.singles.size));
}

function killsOf(work: Work): number {
  return [...work.singles.values()].filter(({ fate }) => fate === 'fails-by-output').length;
}

async function executeCanonicals(works: readonly Work[], execute: Execute): Promise<Map<Work, SuiteResult>> {
  const results = await execute(
    works.map(({ task }): AssertSuite => ({
      form: 'asserts',
      id: task.entryId,
      code: task.code,
      tests: task.tests,
    })),
  );
  return new Map(works.map((work, index) => [work, results[index] as SuiteResult]));
}

async function trySingles(
  works: readonly Work[],
  sitesOf: (work: Work) => readonly MutationSite[],
  parsers: SyntaxParsers,
  execute: Execute,
): Promise<void> {
  const planned = works.flatMap((work) => sitesOf(work).map((site) => ({ work, edits: [site] })));
  for (const { work, trial } of await tryEdits(planned, parsers, execute))
    work.singles.set(trial.edits[0] as MutationSite, trial);
}

async function tryStacks(
  works: readonly Work[],
  sizes: readonly number[],
  settings: ExecBuildSettings,
  parsers: SyntaxParsers,
  execute: Execute,
): Promise<void> {
  const planned = works.flatMap((work) => {
    const killing = work.sites.filter((site) => work.singles.get(site)?.fate === 'fails-by-output');
    return stackMutations(work.task.code, killing, sizes, settings.distractors * 2).map((edits) => ({
      work,
      edits,
    }));
  });
  for (const { work, trial } of await tryEdits(planned, parsers, execute)) work.stacks.push(trial);
}

/** Executes edited canonicals; what does not parse any more (gate 2) is left out of the execution and counts as not run. */
async function tryEdits(
  planned: readonly { readonly work: Work; readonly edits: readonly MutationSite[] }[],
  parsers: SyntaxParsers,
  execute: Execute,
): Promise<{ work: Work; trial: Trial }[]> {
  const edited = planned.map(({ work, edits }) => {
    const code = applyEdits(work.task.code, edits);
    return { work, edits, code, sound: codeBreach(code, work.task.name, parsers) === undefined };
  });
  const runnable = edited.filter(({ sound }) => sound);
  const results = await execute(
    runnable.map(({ work, code }, index): AssertSuite => ({
      form: 'asserts',
      id: `${work.task.entryId}#${index}`,
      code,
      tests: work.task.tests,
    })),
  );
  const resultOf = new Map(runnable.map((one, index) => [one, results[index] as SuiteResult]));
  return edited.map((one) => {
    const result = resultOf.get(one);
    const { work, edits, code } = one;
    return {
      work,
      trial: {
        edits,
        code,
        fate: result === undefined ? ('not-run' as const) : fateOf(result),
        outcomes: result === undefined ? [] : outcomesOf(result),
      },
    };
  });
}

/** The final choice, in task order: output failures first, crashes only to reach the fewest and within the allowance. */
function chooseDistractors(
  works: readonly Work[],
  settings: ExecBuildSettings,
  canonicals: ReadonlyMap<Work, SuiteResult>,
  parsers: SyntaxParsers,
): { built: BuiltTask[]; crashing: number } {
  const taken = new Set(works.map(({ task }) => normalisedText(task.code, parsers)));
  const isNew = (trial: Trial): boolean => {
    const normal = normalisedText(trial.code, parsers);
    if (taken.has(normal)) return false;
    taken.add(normal);
    return true;
  };
  const chooser = new MutationChooser(settings.wanted);
  const chosen = works.map((work) => {
    const pool = settings.stack === undefined ? [...work.singles.values()] : work.stacks;
    const killing = pool.filter(({ fate }) => fate === 'fails-by-output').filter(isNew);
    if (settings.stack !== undefined) return killing.slice(0, settings.distractors);
    const bySite = new Map(killing.map((trial) => [trial.edits[0] as MutationSite, trial]));
    const ordered = work.sites.filter((site) => bySite.has(site));
    return chooser.choose(ordered, settings.distractors).map((site) => bySite.get(site) as Trial);
  });
  let total = chosen.reduce((sum, { length }) => sum + length, 0);
  let crashing = 0;
  works.forEach((work, index) => {
    const own = chosen[index] as Trial[];
    if (settings.stack !== undefined) return;
    const crashes = work.sites.flatMap((site) => {
      const trial = work.singles.get(site);
      return trial?.fate === 'crashes' ? [trial] : [];
    });
    for (const trial of crashes) {
      if (own.length >= settings.fewest || crashing + 1 > settings.mostCrashing * (total + 1)) break;
      if (!isNew(trial)) continue;
      own.push(trial);
      crashing += 1;
      total += 1;
    }
  });
  const built = works.map((work, index): BuiltTask => ({
    task: work.task,
    outcomes: outcomesOf(canonicals.get(work) as SuiteResult),
    distractors: (chosen[index] as Trial[]).map(({ edits, code, outcomes }) => ({ edits, code, outcomes })),
  }));
  return { built, crashing };
}

function countMutants(works: readonly Work[]): ExecBuildNumbers['mutants'] {
  const none = { sites: 0, passes: 0, 'fails-by-output': 0, crashes: 0, 'does-not-end': 0, 'not-run': 0 };
  const counts = new Map<string, Record<Fate | 'sites', number>>(
    BUG_TYPES.map((type) => [type, { ...none }]),
  );
  const stacked = { ...none };
  for (const { sites, singles, stacks } of works) {
    for (const { bugType } of sites)
      (counts.get(bugType) as Record<string, number>)['sites'] =
        ((counts.get(bugType) as Record<string, number>)['sites'] ?? 0) + 1;
    for (const [{ bugType }, { fate }] of singles) {
      const row = counts.get(bugType);
      if (row !== undefined) row[fate] += 1;
    }
    for (const { fate } of stacks) {
      stacked.sites += 1;
      stacked[fate] += 1;
    }
  }
  return Object.fromEntries([...counts, ...(stacked.sites > 0 ? [['stacked', stacked] as const] : [])]);
}
