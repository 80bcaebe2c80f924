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
  const order = orderByScore(documentIds, scores);
  const length = Math.min(order.length, depth);
  const ranked = new Array<string>(length);
  const rankedScores = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const from = order[i] as number;
    ranked[i] = documentIds[from] as string;
    rankedScores[i] = scores[from] as number;
  }
  return { queryId, documentIds: ranked, scores: rankedScores };
}

/**
 * Indices in the total order. Sorting plain doubles without a comparison function is several times faster than sorting
 * indices with one: so the scores are sorted alone, each document then looks up its place, and only ties compare ids.
 */
function orderByScore(documentIds: readonly string[], scores: ArrayLike<number>): Uint32Array {
  const count = documentIds.length;
  const rising = Float64Array.from(scores).sort();
  const order = new Uint32Array(count);
  /** By the first place of each score in `rising`: how many documents with this score have been placed. */
  const placed = new Uint32Array(count);
  let ties = false;
  for (let i = 0; i < count; i++) {
    const first = firstNotBelow(rising, scores[i] as number);
    const before = placed[first] as number;
    if (before > 0) ties = true;
    placed[first] = before + 1;
    order[count - 1 - first - before] = i;
  }
  for (let first = 0; ties && first < count;) {
    const tied = placed[first] as number;
    if (tied > 1) orderTied(order, count - first - tied, count - first, documentIds);
    // Never 0 for finite scores; a NaN that slipped through must not hang the page.
    first += Math.max(1, tied);
  }
  return order;
}

/** Settles a group of equal scores, `from` to `to` (exclusive), by id. Most groups are pairs, for which a sort's start costs more than the work. */
function orderTied(order: Uint32Array, from: number, to: number, documentIds: readonly string[]): void {
  if (to - from > 16) {
    order.subarray(from, to).sort((i, j) => compareUtf8(documentIds[j] as string, documentIds[i] as string));
    return;
  }
  for (let at = from + 1; at < to; at++) {
    const moving = order[at] as number;
    const id = documentIds[moving] as string;
    let place = at;
    for (; place > from && compareUtf8(documentIds[order[place - 1] as number] as string, id) < 0; place--)
      order[place] = order[place - 1] as number;
    order[place] = moving;
  }
}

/** The first index whose value is not below `score` in a rising array that holds it. */
function firstNotBelow(rising: Float64Array, score: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] as number) < score) low = middle + 1;
    else high = middle;
  }
  return low;
}
