import { median } from '../../stats/quantile.ts';

/** Focused or dense relevance, small or large corpus. */
export const REGIMES = ['F-S', 'F-L', 'D-S', 'D-L'] as const;
export type Regime = (typeof REGIMES)[number];

/** What a repository's regime is read from. */
export interface RepositorySize {
  readonly repository: string;
  /** Chunks in its merged corpus. */
  readonly chunks: number;
  /** Mean number of relevant chunks a query. */
  readonly relevantPerQuery: number;
}

/** A repository is large above `chunks` and dense above `relevantPerQuery`. */
export interface RegimeThresholds {
  readonly chunks: number;
  readonly relevantPerQuery: number;
  /** `medians` of the level's repositories (our default: the paper's thresholds are not in our copy) or given by the user. */
  readonly from: 'medians' | 'given';
}

/** Returns each repository's regime and the thresholds that were used. */
export function regimesOf(
  repositories: readonly RepositorySize[],
  given?: { readonly chunks?: number; readonly relevantPerQuery?: number },
): { readonly thresholds: RegimeThresholds; readonly regimes: ReadonlyMap<string, Regime> } {
  const thresholds: RegimeThresholds = {
    chunks: given?.chunks ?? median(repositories.map(({ chunks }) => chunks)),
    relevantPerQuery:
      given?.relevantPerQuery ?? median(repositories.map(({ relevantPerQuery }) => relevantPerQuery)),
    from: given?.chunks !== undefined || given?.relevantPerQuery !== undefined ? 'given' : 'medians',
  };
  const regimes = new Map(
    repositories.map(({ repository, chunks, relevantPerQuery }): [string, Regime] => {
      const dense = relevantPerQuery > thresholds.relevantPerQuery;
      const large = chunks > thresholds.chunks;
      return [repository, dense ? (large ? 'D-L' : 'D-S') : large ? 'F-L' : 'F-S'];
    }),
  );
  return { thresholds, regimes };
}
