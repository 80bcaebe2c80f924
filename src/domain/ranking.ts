import { compareUtf8 } from './ids.ts';

/**
 * The ranking of one query: ids and scores side by side, in the total order (score descending, then id descending by
 * UTF-8 bytes). Ties are settled before any cut to k, so a prefix of a ranking is a ranking.
 */
export interface Ranking {
  readonly queryId: string;
  readonly documentIds: readonly string[];
  /** float64, finite, same length as `documentIds`, never increasing. */
  readonly scores: Float64Array;
}

/** Rankings by query id. A query that was never searched is absent; one that found nothing has an empty ranking. */
export type Run = ReadonlyMap<string, Ranking>;

/** The tie rule by which every ranking is ordered, as it is named beside results. */
export const TIE_RULE = 'score descending, then document id descending by UTF-8 bytes';

/** Orders two scored documents by the total order: negative when `a` ranks above `b`. */
export function compareRanked(scoreA: number, idA: string, scoreB: number, idB: string): number {
  return scoreB - scoreA || compareUtf8(idB, idA);
}

/**
 * Returns the ranking of any scored documents, sorted by the total order and cut to `depth`.
 * Scores must be finite and ids distinct; the border that reads a run checks that.
 */
export function rank(
  queryId: string,
  documentIds: readonly string[],
  scores: ArrayLike<number>,
  depth = Infinity,
): Ranking {
  const order = documentIds.map((_, i) => i);
  order.sort((i, j) =>
    compareRanked(
      scores[i] as number,
      documentIds[i] as string,
      scores[j] as number,
      documentIds[j] as string,
    ),
  );
  if (order.length > depth) order.length = depth;
  return {
    queryId,
    documentIds: order.map((i) => documentIds[i] as string),
    scores: Float64Array.from(order, (i) => scores[i] as number),
  };
}
