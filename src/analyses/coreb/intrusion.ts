import type { Judgements } from '../../domain/qrels.ts';
import type { Ranking } from '../../domain/ranking.ts';
import { mean } from '../../stats/summation.ts';
import { orNull, share, type Share } from '../estimate.ts';

/** How deep hard negatives are looked for. */
export const INTRUSION_DEPTH = 10;

/** Where one query's positives and hard negatives stand within the top 10. */
export interface QueryIntrusion {
  /** 1-based rank of the first positive, null when the top 10 holds none. */
  readonly firstPositive: number | null;
  readonly firstHardNegative: number | null;
  /** Hard negatives in the top 10. */
  readonly hardNegatives: number;
  /** Whether the query has a positive at all, retrieved or not. */
  readonly hasPositive: boolean;
}

/** How often a hard negative outranks the best positive, in the readings that the paper's text and caption allow. */
export interface Intrusion {
  /** Queries with both in the top 10 of which a hard negative stands first: the text's definition and the default. */
  readonly conditional: Share;
  /** The same intrusions over all queries of the run: the caption's "fraction of queries". */
  readonly overAllQueries: Share;
  /** The same intrusions over queries that have a positive. */
  readonly overQueriesWithPositive: Share;
  /** Over all queries, a top 10 with a hard negative and no positive counting as intruded. */
  readonly missingPositiveCounts: Share;
  /** Mean number of hard negatives in the top 10, over all queries of the run. */
  readonly meanHardNegatives: number | null;
}

/**
 * Returns where positives (grade `level` and above) and hard negatives (grade 1 up to below `level`) stand in a ranking
 * from which the anchor is already gone. `judgements` are the raw grades, before any zeroing.
 */
export function queryIntrusion(ranking: Ranking, judgements: Judgements, level = 2): QueryIntrusion {
  let firstPositive: number | null = null;
  let firstHardNegative: number | null = null;
  let hardNegatives = 0;
  ranking.documentIds.slice(0, INTRUSION_DEPTH).forEach((documentId, i) => {
    const grade = judgements.get(documentId) ?? 0;
    if (grade >= level) firstPositive ??= i + 1;
    else if (grade >= 1) {
      firstHardNegative ??= i + 1;
      hardNegatives++;
    }
  });
  const hasPositive = [...judgements.values()].some((grade) => grade >= level);
  return { firstPositive, firstHardNegative, hardNegatives, hasPositive };
}

/** Returns the intrusion rates over the queries of a run. Source: CoREB, Analysis V and figure 7. */
export function intrusion(queries: readonly QueryIntrusion[]): Intrusion {
  const both = queries.filter((query) => query.firstPositive !== null && query.firstHardNegative !== null);
  const intruded = both.filter(
    (query) => (query.firstHardNegative as number) < (query.firstPositive as number),
  ).length;
  const withoutPositive = queries.filter(
    (query) => query.firstPositive === null && query.firstHardNegative !== null,
  ).length;
  return {
    conditional: share(intruded, both.length),
    overAllQueries: share(intruded, queries.length),
    overQueriesWithPositive: share(intruded, queries.filter(({ hasPositive }) => hasPositive).length),
    missingPositiveCounts: share(intruded + withoutPositive, queries.length),
    meanHardNegatives: orNull(mean(queries.map(({ hardNegatives }) => hardNegatives))),
  };
}
