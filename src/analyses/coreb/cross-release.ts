import { compareUtf8 } from '../../domain/ids.ts';
import { kendallTauB } from '../../stats/kendall.ts';
import { median } from '../../stats/quantile.ts';
import { spearman } from '../../stats/spearman.ts';
import { orNull } from '../estimate.ts';
import type { SystemScores } from './task-difficulty.ts';

/** One column of scores in two releases, over the systems that ran in both. */
export interface CrossReleaseRow {
  /** A task, or what else the scores are of. */
  readonly task: string;
  readonly systems: number;
  /** Median of |second - first|. */
  readonly medianDifference: number | null;
  readonly largestDifference: { readonly name: string; readonly difference: number } | null;
  readonly spearman: { readonly rho: number | null; readonly p: number | null };
  readonly kendall: { readonly tau: number | null; readonly p: number | null };
  /** Systems among the best five of both releases, in the order of the second. */
  readonly sharedTop5: readonly string[];
  readonly differences: readonly {
    readonly name: string;
    readonly first: number;
    readonly second: number;
    readonly difference: number;
  }[];
}

/**
 * Returns, for each task that both releases have, how far the systems' scores and order carry over. Systems that ran in one
 * release only are left out. Equal scores rank by name. Source: CoREB, B.5.
 */
export function crossRelease(
  first: readonly SystemScores[],
  second: readonly SystemScores[],
): CrossReleaseRow[] {
  const before = new Map(first.map(({ name, scores }) => [name, scores]));
  const tasks = [...new Set(second.flatMap(({ scores }) => [...scores.keys()]))].filter((task) =>
    first.some(({ scores }) => scores.has(task)),
  );
  return tasks.map((task) => {
    const differences = second.flatMap(({ name, scores }) => {
      const old = before.get(name)?.get(task);
      const now = scores.get(task);
      return old === undefined || now === undefined
        ? []
        : [{ name, first: old, second: now, difference: now - old }];
    });
    const sizes = differences.map(({ difference }) => Math.abs(difference));
    const largest = differences[sizes.indexOf(Math.max(...sizes))];
    const x = differences.map((row) => row.first);
    const y = differences.map((row) => row.second);
    const rho = spearman(x, y);
    const tau = kendallTauB(x, y);
    const topOf = (scoreOf: (row: (typeof differences)[number]) => number): string[] =>
      [...differences]
        .sort((a, b) => scoreOf(b) - scoreOf(a) || compareUtf8(a.name, b.name))
        .slice(0, 5)
        .map(({ name }) => name);
    const oldTop = new Set(topOf((row) => row.first));
    return {
      task,
      systems: differences.length,
      medianDifference: orNull(median(sizes)),
      largestDifference:
        largest === undefined ? null : { name: largest.name, difference: largest.difference },
      spearman: { rho: rho.value, p: rho.p },
      kendall: { tau: tau.tau, p: tau.pExact ?? tau.pAsymptotic },
      sharedTop5: topOf((row) => row.second).filter((name) => oldTop.has(name)),
      differences,
    };
  });
}
