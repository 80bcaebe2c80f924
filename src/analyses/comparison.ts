import { compareUtf8 } from '../domain/ids.ts';
import { AppError } from '../domain/app-error.ts';
import { bootstrapDifferences, type BootstrapOptions, type MeanInterval } from '../stats/bootstrap.ts';
import { clusterRemark, clusterSignFlip, clustersOf } from '../stats/cluster.ts';
import { detectableMeanDifference, detectableRateDifference } from '../stats/detectable-difference.ts';
import { mcnemarExact, mcnemarMidP, pairedTable, type PairedTable } from '../stats/mcnemar.ts';
import { pairedT, standardDeviation } from '../stats/paired-t.ts';
import { pairedRandomisations, type RandomisationResult } from '../stats/randomisation.ts';
import { mean } from '../stats/summation.ts';
import { pairTestFor, tieGroupsOfPairs, type TestedPair, type TieGroups } from '../stats/tie-groups.ts';
import { wilcoxon } from '../stats/wilcoxon.ts';
import { estimateClusters, fromInterval, type Estimate } from './estimate.ts';

/** One system's values of one measure, by query id. */
export interface ComparedSystem {
  readonly name: string;
  readonly values: ReadonlyMap<string, number>;
}

export interface ComparisonOptions extends BootstrapOptions {
  /** The cluster of each query (repository, problem), for the cluster-level results. */
  readonly clusters?: ReadonlyMap<string, string>;
  /** What a cluster is called in remarks, default `cluster`. */
  readonly clusterUnit?: string;
  /** Family-wise level, default 0.05. */
  readonly alpha?: number;
  /** Sign patterns of a sampled randomisation test, default 10,000. */
  readonly samples?: number;
}

/** A query that the two systems do not do equally well on. */
export interface FlippedQuery {
  readonly queryId: string;
  readonly a: number;
  readonly b: number;
}

/** Two systems on the same queries. Differences are a less b. */
export interface PairComparison {
  readonly a: string;
  readonly b: string;
  readonly n: number;
  readonly aMean: number;
  readonly bMean: number;
  /** Mean paired difference with its bootstrap interval. */
  readonly difference: Estimate;
  /** Null when a value is neither 0 nor 1. */
  readonly table: PairedTable | null;
  readonly mcnemar: { readonly p: number; readonly log10P: number; readonly midP: number } | null;
  readonly randomisation: RandomisationResult;
  /** Reported for comparison with papers; null where undefined. */
  readonly otherTests: { readonly pairedT: number | null; readonly wilcoxon: number | null };
  /** The p that counts: exact McNemar for 0/1 values, else the randomisation test. */
  readonly p: number;
  /** After Holm's correction over all pairs. */
  readonly adjustedP: number;
  readonly differs: boolean;
  /** Smallest true difference found with power .80 at two-sided .05; null when none would be. */
  readonly detectable: number | null;
  /** Null when no clusters were given. */
  readonly cluster: {
    readonly clusters: number;
    readonly difference: Estimate;
    readonly p: number;
    readonly remark: string | null;
  } | null;
  /** Largest difference first, then by id. */
  readonly flipped: readonly FlippedQuery[];
}

/** Any number of systems on one measure. Plain data. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly measure: string;
  /** Queries that every system has; only they are compared. */
  readonly queries: number;
  /** Queries of each system that not every other system has. */
  readonly leftOut: readonly { readonly name: string; readonly queries: number }[];
  readonly pairs: readonly PairComparison[];
  readonly groups: TieGroups;
}

/**
 * Compares systems on the queries that all of them have, joined by query id: every pair with its paired table, exact
 * McNemar, bootstrap interval of the difference, randomisation test and flipped queries; Holm over all pairs; tie groups.
 * Throws AppError `not-comparable` for fewer than two systems or none of the queries in common.
 */
export function compareSystems(
  measure: string,
  systems: readonly ComparedSystem[],
  options: ComparisonOptions = {},
): Comparison {
  if (systems.length < 2)
    throw new AppError('score', 'not-comparable', `A comparison needs two systems, got ${systems.length}.`);
  const shared = [...(systems[0] as ComparedSystem).values.keys()].filter((queryId) =>
    systems.every(({ values }) => values.has(queryId)),
  );
  if (shared.length === 0) throw nothingInCommon(systems);
  // The order decides which resamples are drawn: it must not depend on the files.
  shared.sort(compareUtf8);
  const lists = systems.map(({ values }) =>
    Float64Array.from(shared, (queryId) => values.get(queryId) as number),
  );
  const test = pairTestFor(lists);
  const indices = systems.flatMap((_, a) =>
    systems.slice(a + 1).map((__, i): [number, number] => [a, a + 1 + i]),
  );
  const intervals = bootstrapDifferences(lists, indices, options);
  const differences = indices.map(([a, b]) => {
    const other = lists[b] as Float64Array;
    return (lists[a] as Float64Array).map((value, i) => value - (other[i] as number));
  });
  const randomised = pairedRandomisations(differences, options);
  const drafts = indices.map(([a, b], i) => ({
    a: (systems[a] as ComparedSystem).name,
    b: (systems[b] as ComparedSystem).name,
    ...comparePair(
      {
        a: lists[a] as Float64Array,
        b: lists[b] as Float64Array,
        differences: differences[i] as Float64Array,
        randomisation: randomised[i] as RandomisationResult,
      },
      shared,
      test,
      options,
    ),
    difference: fromInterval(intervals[i] as MeanInterval),
    indices: [a, b] as const,
  }));
  const groups = tieGroupsOfPairs(
    systems.map(({ name }, i) => ({ name, mean: mean(lists[i] as Float64Array) })),
    drafts.map(({ indices: [a, b], difference, p }): TestedPair => ({
      a,
      b,
      difference: difference.value ?? 0,
      p,
    })),
    options.alpha ?? 0.05,
  );
  return {
    kind: 'comparison',
    measure,
    queries: shared.length,
    leftOut: systems.map(({ name, values }) => ({ name, queries: values.size - shared.length })),
    pairs: drafts.map(({ indices: _indices, ...pair }, i) => ({
      ...pair,
      adjustedP: groups.pairs[i]?.adjustedP ?? pair.p,
      differs: groups.pairs[i]?.differs ?? false,
    })),
    groups: { test, ...groups },
  };
}

type PairResult = Omit<PairComparison, 'a' | 'b' | 'difference' | 'adjustedP' | 'differs'>;

/** Two systems' values in the order of the shared queries. */
interface PairValues {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly differences: Float64Array;
  readonly randomisation: RandomisationResult;
}

function comparePair(
  { a, b, differences, randomisation }: PairValues,
  queryIds: readonly string[],
  test: TieGroups['test'],
  options: ComparisonOptions,
): PairResult {
  const n = queryIds.length;
  const table = test === 'mcnemar' ? pairedTable(a, b) : null;
  const mcnemar =
    table === null
      ? null
      : { ...mcnemarExact(table.aOnly, table.bOnly), midP: mcnemarMidP(table.aOnly, table.bOnly).p };
  const p = mcnemar?.p ?? randomisation.p;
  return {
    n,
    aMean: mean(a),
    bMean: mean(b),
    table,
    mcnemar,
    randomisation,
    otherTests: { pairedT: pairedT(differences).p, wilcoxon: wilcoxon(differences).p },
    p,
    detectable:
      table === null
        ? detectableMeanDifference(standardDeviation(differences), n)
        : detectableRateDifference((table.aOnly + table.bOnly) / n, n),
    cluster: clusterLevel(differences, queryIds, p, options),
    flipped: flippedQueries(a, b, queryIds),
  };
}

function clusterLevel(
  differences: Float64Array,
  queryIds: readonly string[],
  queryP: number,
  options: ComparisonOptions,
): PairComparison['cluster'] {
  const { clusters: clusterOf } = options;
  if (clusterOf === undefined) return null;
  // A query without a cluster is one of its own; the prefix keeps it apart from clusters that bear its id.
  const keys = queryIds.map((queryId) => {
    const cluster = clusterOf.get(queryId);
    return cluster === undefined ? `query ${queryId}` : `cluster ${cluster}`;
  });
  const clusters = clustersOf(differences, keys);
  const { p } = clusterSignFlip(clusters, options);
  return {
    clusters: clusters.sizes.length,
    difference: estimateClusters([clusters.sums], clusters.sizes, options)[0] as Estimate,
    p,
    remark: clusterRemark(queryP, p, options.clusterUnit ?? 'cluster'),
  };
}

function flippedQueries(a: Float64Array, b: Float64Array, queryIds: readonly string[]): FlippedQuery[] {
  const flipped = queryIds.map((queryId, i) => ({ queryId, a: a[i] as number, b: b[i] as number }));
  return flipped
    .filter((query) => query.a !== query.b)
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b) || compareUtf8(x.queryId, y.queryId));
}

function nothingInCommon(systems: readonly ComparedSystem[]): AppError {
  const samples = systems.map(({ name, values }) => {
    const some = [...values.keys()].slice(0, 3);
    return `${name}: ${some.length === 0 ? 'no queries' : some.join(', ')}`;
  });
  return new AppError(
    'score',
    'not-comparable',
    `The systems have no query in common (${samples.join('; ')}). They must be runs of one benchmark.`,
  );
}

/**
 * Returns the comparison of two systems in a sentence, e.g. "B solves 37 queries that A does not and loses 21; p = 0.048;
 * no difference beyond chance after correction for 6 comparisons".
 */
export function comparisonSentence(pair: PairComparison, comparisons: number): string {
  const p = `p = ${pair.p < 0.001 ? pair.p.toExponential(1) : pair.p.toPrecision(2)}`;
  const corrected = comparisons > 1 ? ` after correction for ${comparisons} comparisons` : '';
  const verdict = pair.differs ? `they differ${corrected}` : `no difference beyond chance${corrected}`;
  const what =
    pair.table === null
      ? `${pair.b} is ${Math.abs(pair.bMean - pair.aMean).toFixed(3)} ${pair.bMean >= pair.aMean ? 'above' : 'below'} ${pair.a} on average`
      : `${pair.b} solves ${pair.table.bOnly} queries that ${pair.a} does not, and ${pair.a} solves ${pair.table.aOnly} that ${pair.b} does not`;
  return `${what}; ${p}; ${verdict}.`;
}
