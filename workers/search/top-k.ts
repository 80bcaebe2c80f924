import type { Ranking } from '../../src/domain/ranking.ts';
import { compareUtf8 } from '../../src/domain/ids.ts';

/**
 * The best k exactly scored documents of one query. New ones come in as arena rows, many at a time; at the end of a
 * block {@link commit} turns those that stayed into ids, so that the block's memory can go.
 */
export class TopK {
  /** The score that the best `share` documents reach, as of the last {@link settle}; -Infinity before there are so many. */
  shareBar = -Infinity;
  readonly #k: number;
  /** Sorted by the total order, at most k. */
  #ids: string[] = [];
  #scores: number[] = [];
  #freshRows = EMPTY_ROWS;
  #freshScores = EMPTY_SCORES;
  #freshCount = 0;
  #bar = -Infinity;

  constructor(k: number) {
    this.#k = k;
  }

  /** Adds `count` scored rows: `rows` holds one every second place from `from` on. Those below the bar are passed over. */
  add(rows: Uint32Array, from: number, scores: Float64Array, count: number): void {
    if (this.#freshCount + count > this.#freshRows.length) this.#grow(count);
    const freshRows = this.#freshRows;
    const freshScores = this.#freshScores;
    const bar = this.#bar;
    let kept = this.#freshCount;
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number;
      if (score < bar) continue;
      freshRows[kept] = rows[from + 2 * i] as number;
      freshScores[kept] = score;
      kept++;
    }
    this.#freshCount = kept;
  }

  /**
   * Drops what can no longer be among the best k and returns the k-th best score (-Infinity before there are k).
   * Documents that tie with it stay until their ids decide; `idOf` is asked only when ties pile up. `share`, at most k, is
   * the rank whose score {@link shareBar} gives afterwards.
   */
  settle(idOf: (row: number) => string, share: number): number {
    const known = this.#scores.length + this.#freshCount;
    if (known < share) return -Infinity;
    if (scratch.length < known) scratch = new Float64Array(known * 2);
    let at = 0;
    for (const score of this.#scores) scratch[at++] = score;
    for (let i = 0; i < this.#freshCount; i++) scratch[at++] = this.#freshScores[i] as number;
    if (known < this.#k) {
      this.shareBar = selectLargest(scratch, known, share - 1);
      return -Infinity;
    }
    const bar = selectLargest(scratch, known, this.#k - 1);
    // Selecting has put the k largest in front.
    this.shareBar = share === this.#k ? bar : selectLargest(scratch, this.#k, share - 1);
    this.dropBelow(bar);
    if (this.#freshCount > 4 * this.#k + 64) this.commit(idOf);
    return bar;
  }

  /** Drops what does not reach a bar that surely lies at or below the k-th best score of all threads. */
  dropBelow(bar: number): void {
    if (bar <= this.#bar) return;
    this.#bar = bar;
    let kept = 0;
    for (let i = 0; i < this.#freshCount; i++) {
      const score = this.#freshScores[i] as number;
      if (score < bar) continue;
      this.#freshScores[kept] = score;
      this.#freshRows[kept] = this.#freshRows[i] as number;
      kept++;
    }
    this.#freshCount = kept;
  }

  /** Merges the fresh rows into the sorted list, by the total order, and cuts to k. */
  commit(idOf: (row: number) => string): void {
    if (this.#freshCount === 0) return;
    const rows = this.#freshRows;
    const scores = this.#freshScores;
    const count = this.#freshCount;
    const order = sortedOrder(rows, scores, count, idOf);
    const length = Math.min(this.#k, this.#ids.length + count);
    const mergedIds = new Array<string>(length);
    const mergedScores = new Array<number>(length);
    let old = 0;
    let fresh = 0;
    for (let at = 0; at < length; at++) {
      const next = fresh < count ? order[fresh] : undefined;
      const freshScore = next === undefined ? -Infinity : (scores[next] as number);
      const oldScore = old < this.#ids.length ? (this.#scores[old] as number) : -Infinity;
      const takeOld =
        oldScore > freshScore ||
        (oldScore === freshScore &&
          compareUtf8(this.#ids[old] as string, idOf(rows[next as number] as number)) > 0);
      mergedScores[at] = takeOld ? oldScore : freshScore;
      mergedIds[at] = takeOld ? (this.#ids[old++] as string) : idOf(rows[next as number] as number);
      if (!takeOld) fresh++;
    }
    this.#ids = mergedIds;
    this.#scores = mergedScores;
    this.#freshCount = 0;
  }

  #grow(more: number): void {
    // Two rounds of k and what ties bring: most lists never grow again.
    const rows = new Uint32Array(2 * this.#freshCount + more + this.#k);
    const scores = new Float64Array(rows.length);
    rows.set(this.#freshRows);
    scores.set(this.#freshScores);
    this.#freshRows = rows;
    this.#freshScores = scores;
  }

  /** The ranking so far; only after {@link commit}. */
  ranking(queryId: string): Ranking {
    return { queryId, documentIds: this.#ids, scores: Float64Array.from(this.#scores) };
  }
}

const EMPTY_ROWS = new Uint32Array(0);
const EMPTY_SCORES = new Float64Array(0);

/** Returns the places 0..count-1 in the total order. A merge sort without a call in its inner loop: ids are rarely asked. */
function sortedOrder(
  rows: Uint32Array,
  scores: Float64Array,
  count: number,
  idOf: (row: number) => string,
): Uint32Array {
  if (orders[0].length < count) orders = [new Uint32Array(2 * count), new Uint32Array(2 * count)];
  let [from, to] = orders;
  for (let i = 0; i < count; i++) from[i] = i;
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(start + 2 * width, count);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        let takeLeft = right >= end;
        if (!takeLeft && left < middle) {
          const a = from[left] as number;
          const b = from[right] as number;
          const difference = (scores[a] as number) - (scores[b] as number);
          takeLeft =
            difference > 0 ||
            (difference === 0 && compareUtf8(idOf(rows[a] as number), idOf(rows[b] as number)) > 0);
        }
        to[at] = from[takeLeft ? left++ : right++] as number;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

// Shared by all lists of the thread: making a typed array costs more than most of what is done with it.
let scratch = new Float64Array(1_024);
let orders: [Uint32Array, Uint32Array] = [new Uint32Array(1_024), new Uint32Array(1_024)];

/** Returns the `rank`-th largest (from 0) of the first `count` values, which it reorders. */
function selectLargest(values: Float64Array, count: number, rank: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const first = values[low] as number;
    const middle = values[(low + high) >> 1] as number;
    const final = values[high] as number;
    const pivot = Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), final));
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) > pivot) i++;
      while ((values[j] as number) < pivot) j--;
      if (i <= j) {
        const swap = values[i] as number;
        values[i] = values[j] as number;
        values[j] = swap;
        i++;
        j--;
      }
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank] as number;
}
