import { compareSystems, type ComparisonOptions, type PairComparison } from '../comparison.ts';
import { adjustP } from '../../stats/multiple-comparisons.ts';

/** Per-query values of one measure on one task. */
export interface TaskValues {
  readonly task: string;
  readonly values: ReadonlyMap<string, number>;
}

/** What a reranker changes on one task, in points (value x 100, differences and not ratios). */
export interface RerankerDelta {
  readonly reranker: string;
  readonly task: string;
  readonly points: {
    readonly value: number | null;
    readonly low: number | null;
    readonly high: number | null;
  };
  readonly n: number;
  /** Of the paired test on the queries' values. */
  readonly p: number;
  /** After Holm's correction over all rerankers and tasks. */
  readonly adjustedP: number;
  readonly better: number;
  readonly worse: number;
  readonly comparison: PairComparison;
}

/**
 * Returns what each reranker changes on each task against the first stage alone, query by query: the mean difference with
 * its interval and a paired test. Source: CoREB, section 4.3 and figure 8.
 */
export function rerankerDeltas(
  measure: string,
  firstStage: readonly TaskValues[],
  rerankers: readonly { readonly name: string; readonly tasks: readonly TaskValues[] }[],
  options: ComparisonOptions = {},
): RerankerDelta[] {
  const before = new Map(firstStage.map(({ task, values }) => [task, values]));
  const deltas = rerankers.flatMap(({ name, tasks }) =>
    tasks.flatMap(({ task, values }) => {
      const base = before.get(task);
      if (base === undefined) return [];
      const comparison = compareSystems(
        measure,
        [
          { name, values },
          { name: 'first stage', values: base },
        ],
        options,
      ).pairs[0] as PairComparison;
      return [{ reranker: name, task, comparison }];
    }),
  );
  const adjusted = adjustP(
    deltas.map(({ comparison }) => comparison.p),
    'holm',
  );
  return deltas.map(({ reranker, task, comparison }, i) => {
    const { value, low, high, n } = comparison.difference;
    const points = (figure: number | null): number | null => (figure === null ? null : figure * 100);
    return {
      reranker,
      task,
      points: { value: points(value), low: points(low), high: points(high) },
      n,
      p: comparison.p,
      adjustedP: adjusted[i] as number,
      better: comparison.flipped.filter(({ a, b }) => a > b).length,
      worse: comparison.flipped.filter(({ a, b }) => a < b).length,
      comparison,
    };
  });
}
