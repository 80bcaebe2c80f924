import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { clusterBootstraps, clusterDifference, type Clusters } from '../../stats/cluster.ts';
import { orNull, type Estimate } from '../estimate.ts';
import type { DeceptionTriple } from './deception.ts';

/** Deception of stacked (2 to 4 line-disjoint) against single mutations, on the queries that have both. */
export interface StackedMutations {
  /** Queries with both kinds. */
  readonly queries: number;
  /** Strict rates over triples; intervals and differences resample queries. n counts triples. */
  readonly single: Estimate;
  readonly stacked: Estimate;
  /** Stacked less single. */
  readonly difference: Estimate;
}

/**
 * Returns the strict deception rates of single and of stacked mutations on the same queries and their difference with an
 * interval. Triples of queries that have one kind only are left out: the comparison is matched.
 */
export function stackedMutations(
  single: readonly DeceptionTriple[],
  stacked: readonly DeceptionTriple[],
  options: BootstrapOptions = {},
): StackedMutations {
  const withSingle = new Set(single.map(({ queryId }) => queryId));
  const both = [...new Set(stacked.map(({ queryId }) => queryId))].filter((id) => withSingle.has(id));
  both.sort(compareUtf8);
  const singles = clustersIn(single, both);
  const stacks = clustersIn(stacked, both);
  return {
    queries: both.length,
    single: rate(singles, options),
    stacked: rate(stacks, options),
    difference: toEstimate(clusterDifference(stacks, singles, options)),
  };
}

function clustersIn(triples: readonly DeceptionTriple[], queryIds: readonly string[]): Clusters {
  const index = new Map(queryIds.map((id, i) => [id, i]));
  const sums = new Float64Array(queryIds.length);
  const sizes = new Float64Array(queryIds.length);
  for (const { queryId, comparison } of triples) {
    const i = index.get(queryId);
    if (i === undefined) continue;
    sizes[i] = (sizes[i] as number) + 1;
    if (comparison === 'deceived') sums[i] = (sums[i] as number) + 1;
  }
  return { sums, sizes };
}

function rate({ sums, sizes }: Clusters, options: BootstrapOptions): Estimate {
  return toEstimate(clusterBootstraps([sums], sizes, options)[0] ?? { mean: NaN, low: NaN, high: NaN, n: 0 });
}

function toEstimate({
  mean,
  low,
  high,
  n,
}: {
  mean: number;
  low: number;
  high: number;
  n: number;
}): Estimate {
  return { value: orNull(mean), low: orNull(low), high: orNull(high), n };
}
