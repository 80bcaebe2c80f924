import { digestOf } from '../../domain/digest.ts';
import { BUG_TYPES, type BugType } from '../../domain/bug-types.ts';
import { lineAt, type MutationSite } from './edit.ts';

/** Wanted share of each bug type; the shares sum to 1. */
export type WantedShares = Readonly<Record<BugType, number>>;

/** All six types alike. */
export const EVEN_SHARES: WantedShares = {
  off_by_one: 1 / 6,
  off_by_one_boundary: 1 / 6,
  swap_arguments: 1 / 6,
  remove_edge_case_check: 1 / 6,
  wrong_comparison: 1 / 6,
  wrong_operator: 1 / 6,
};

/** Sites in an order that depends on the seed and on nothing but themselves; plain readings of a bug type first. */
export async function orderSites(
  sites: readonly MutationSite[],
  entryId: string,
  seed: number,
): Promise<MutationSite[]> {
  const keyed = await Promise.all(
    sites.map(async (site) => ({
      site,
      key: await digestOf(`${seed}/${entryId}/${site.bugType}/${site.start}/${site.end}/${site.after}`),
    })),
  );
  keyed.sort((a, b) => a.site.tier - b.site.tier || (a.key < b.key ? -1 : 1));
  return keyed.map(({ site }) => site);
}

/**
 * Chooses up to `count` of the ordered sites, keeping a build's distribution near what is wanted. Counts of what the
 * whole build has chosen so far live here: call in the order of the tasks.
 */
export class MutationChooser {
  readonly #wanted: WantedShares;
  readonly #chosen = new Map<BugType, number>();

  constructor(wanted: WantedShares) {
    this.#wanted = wanted;
  }

  /** `rank` puts sites behind others of their type (0 = first); absent: their order alone decides. */
  choose(
    ordered: readonly MutationSite[],
    count: number,
    rank: (site: MutationSite) => number = (site) => site.tier,
  ): MutationSite[] {
    const left = new Set(ordered);
    const used = new Map<BugType, number>();
    const chosen: MutationSite[] = [];
    while (chosen.length < count && left.size > 0) {
      let best: MutationSite | undefined;
      let bestScore: readonly [number, number] = [Infinity, Infinity];
      for (const bugType of BUG_TYPES) {
        let head: MutationSite | undefined;
        for (const site of left)
          if (site.bugType === bugType && (head === undefined || rank(site) < rank(head))) head = site;
        if (head === undefined) continue;
        // A type that a task has not shown yet goes before a second site of one that it has.
        const score = [(used.get(bugType) ?? 0) + rank(head), this.#surplus(bugType)] as const;
        if (score[0] < bestScore[0] || (score[0] === bestScore[0] && score[1] < bestScore[1])) {
          best = head;
          bestScore = score;
        }
      }
      if (best === undefined) break;
      left.delete(best);
      used.set(best.bugType, (used.get(best.bugType) ?? 0) + 1);
      this.#chosen.set(best.bugType, (this.#chosen.get(best.bugType) ?? 0) + 1);
      chosen.push(best);
    }
    return chosen;
  }

  /** By how much a type exceeds its share, relative to the share; an unwanted type exceeds everything. */
  #surplus(bugType: BugType): number {
    const share = this.#wanted[bugType];
    return share === 0 ? Infinity : (this.#chosen.get(bugType) ?? 0) / share;
  }
}

/**
 * Combinations of 2 to 4 mutations that touch different lines, at most `most` of them, each with a different set. Sites
 * are those that fail their tests on their own, in the order of {@link orderSites}.
 */
export function stackMutations(
  code: string,
  sites: readonly MutationSite[],
  sizes: readonly number[],
  most: number,
): MutationSite[][] {
  const lines = new Map(sites.map((site) => [site, linesOf(code, site)]));
  const stacks: MutationSite[][] = [];
  const seen = new Set<string>();
  for (let start = 0; start < sites.length * sizes.length && stacks.length < most; start++) {
    const size = sizes[start % sizes.length] as number;
    const stack: MutationSite[] = [];
    for (let step = 0; step < sites.length && stack.length < size; step++) {
      const site = sites[(start + step) % sites.length] as MutationSite;
      if (stack.every((other) => areDisjoint(lines.get(other), lines.get(site)))) stack.push(site);
    }
    stack.sort((a, b) => a.start - b.start);
    const key = stack.map((site) => sites.indexOf(site)).join(',');
    if (stack.length < size || seen.has(key)) continue;
    seen.add(key);
    stacks.push(stack);
  }
  return stacks;
}

function linesOf(code: string, site: MutationSite): readonly [number, number] {
  return [lineAt(code, site.start), lineAt(code, Math.max(site.start, site.end - 1))];
}

function areDisjoint(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): boolean {
  return a === undefined || b === undefined || a[1] < b[0] || b[1] < a[0];
}
