import { mcnemarExact, pairedTable } from './mcnemar.ts';
import { adjustP } from './multiple-comparisons.ts';
import { pairedRandomisation, type RandomisationOptions } from './randomisation.ts';
import { mean } from './summation.ts';

/** One system's values over the same queries as the others', in the same order. */
export interface SystemValues {
  readonly name: string;
  readonly values: ArrayLike<number>;
}

/** A tested pair of systems, by their places in the input. */
export interface TestedPair {
  readonly a: number;
  readonly b: number;
  /** Mean of a less mean of b. */
  readonly difference: number;
  readonly p: number;
}

/** A tested pair among all pairs. */
export interface PairTest extends TestedPair {
  /** After Holm's correction over all pairs. */
  readonly adjustedP: number;
  readonly differs: boolean;
}

/** Systems with their letters: two systems share a letter exactly when they were not found to differ. */
export interface TieGroups {
  /** `mcnemar` when all values are 0 or 1, else `randomisation`. */
  readonly test: 'mcnemar' | 'randomisation';
  readonly alpha: number;
  readonly pairs: readonly PairTest[];
  /** In the input's order; `a` is the group of the best system. */
  readonly systems: readonly { readonly name: string; readonly mean: number; readonly letters: string }[];
}

/**
 * Returns tie groups of any number of systems: all pairs by exact McNemar (0/1 outcomes) or the paired randomisation
 * test, Holm's correction at `alpha` (default 0.05), shown as compact letters. Letters and not ranks, because "not
 * different" is not transitive: a system may share one letter with its better and another with its worse neighbour.
 * Source: Piepho 2004 (insert and absorb). Throws RangeError when the systems differ in the number of queries.
 */
export function tieGroups(
  systems: readonly SystemValues[],
  options: RandomisationOptions & { readonly alpha?: number } = {},
): TieGroups {
  const n = systems[0]?.values.length ?? 0;
  for (const { name, values } of systems) {
    if (values.length !== n)
      throw new RangeError(
        `Compared systems have values for the same queries: ${name} has ${values.length}, not ${n}.`,
      );
  }
  const test = pairTestFor(systems.map(({ values }) => values));
  const tested: TestedPair[] = [];
  for (let a = 0; a < systems.length; a++) {
    for (let b = a + 1; b < systems.length; b++) {
      const x = (systems[a] as SystemValues).values;
      const y = (systems[b] as SystemValues).values;
      const differences = Float64Array.from({ length: n }, (_, i) => (x[i] as number) - (y[i] as number));
      const { aOnly, bOnly } = pairedTable(x, y);
      const p =
        test === 'mcnemar' ? mcnemarExact(aOnly, bOnly).p : pairedRandomisation(differences, options).p;
      tested.push({ a, b, difference: mean(differences), p });
    }
  }
  const named = systems.map(({ name, values }) => ({ name, mean: mean(values) }));
  return { test, ...tieGroupsOfPairs(named, tested, options.alpha ?? 0.05) };
}

/** Which test pairs get: exact McNemar when all values are 0 or 1. */
export function pairTestFor(lists: readonly ArrayLike<number>[]): TieGroups['test'] {
  const binary = lists.every((values) => Array.from(values).every((value) => value === 0 || value === 1));
  return binary ? 'mcnemar' : 'randomisation';
}

/** Returns tie groups from pairs that are already tested; see {@link tieGroups}. */
export function tieGroupsOfPairs(
  systems: readonly { readonly name: string; readonly mean: number }[],
  tested: readonly TestedPair[],
  alpha: number,
): Omit<TieGroups, 'test'> {
  const adjusted = adjustP(
    tested.map(({ p }) => p),
    'holm',
  );
  const pairs = tested.map((pair, i): PairTest => {
    const adjustedP = adjusted[i] as number;
    return { ...pair, adjustedP, differs: adjustedP <= alpha };
  });
  const letters = compactLetters(
    systems.map(({ mean }) => mean),
    pairs.filter(({ differs }) => differs).map(({ a, b }) => [a, b]),
  );
  return {
    alpha,
    pairs,
    systems: systems.map((system, i) => ({ ...system, letters: letters[i] as string })),
  };
}

/**
 * Returns a string of letters for each system: two share a letter exactly when they are not among the differing pairs.
 * `means` orders the letters, best first.
 */
export function compactLetters(
  means: readonly number[],
  differing: readonly (readonly [number, number])[],
): string[] {
  let groups: Set<number>[] = [new Set(means.keys())];
  for (const [a, b] of differing) {
    const next: Set<number>[] = [];
    for (const group of groups) {
      if (group.has(a) && group.has(b)) {
        next.push(without(group, a), without(group, b));
      } else next.push(group);
    }
    groups = next.filter(
      (group, i) =>
        !next.some((other, j) => i !== j && isSubset(group, other) && (group.size < other.size || j < i)),
    );
  }
  const best = (group: Set<number>): number => Math.max(...[...group].map((i) => means[i] as number));
  const weakest = (group: Set<number>): number => Math.min(...[...group].map((i) => means[i] as number));
  groups.sort((g, h) => best(h) - best(g) || weakest(h) - weakest(g));
  return means.map((_, i) => groups.map((group, g) => (group.has(i) ? letter(g) : '')).join(''));
}

function without(group: Set<number>, member: number): Set<number> {
  const copy = new Set(group);
  copy.delete(member);
  return copy;
}

function isSubset(group: Set<number>, of: Set<number>): boolean {
  for (const member of group) if (!of.has(member)) return false;
  return true;
}

/** a..z, then A..Z, then the number in brackets. */
function letter(index: number): string {
  if (index < 26) return String.fromCharCode(97 + index);
  return index < 52 ? String.fromCharCode(65 + index - 26) : `(${index + 1})`;
}
