import type { Ranking } from '../../src/domain/ranking.ts';
import { compareUtf8 } from '../../src/domain/ids.ts';

/**
 * The best k exactly scored documents of one query. New ones come in as arena rows, many at a time; at the end of a
 * block {@link commit} turns those that stayed into ids, so that the block's memory can go.
 */
export class TopK {
  readonly #k: number;
  /** Sorted by the total order, at most k. */
  #ids: string[] = [];
  #scores: number[] = [];
  #freshRows = new Uint32Array(16);
  #freshScores = new Float64Array(16);
  #freshCount = 0;

  constructor(k: number) {
    this.#k = k;
  }

  add(row: number, score: number): void {
    if (this.#freshCount === this.#freshRows.length) {
      const rows = new Uint32Array(this.#freshCount * 2);
      const scores = new Float64Array(this.#freshCount * 2);
      rows.set(this.#freshRows);
      scores.set(this.#freshScores);
      this.#freshRows = rows;
      this.#freshScores = scores;
    }
    this.#freshRows[this.#freshCount] = row;
    this.#freshScores[this.#freshCount] = score;
    this.#freshCount++;
  }

  /**
   * Drops what can no longer be among the best k and returns the k-th best score (-Infinity before there are k).
   * Documents that tie with it stay until their ids decide; `idOf` is asked only when ties pile up.
   */
  settle(idOf: (row: number) => string): number {
    const known = this.#scores.length + this.#freshCount;
    if (known < this.#k) return -Infinity;
    if (scratch.length < known) scratch = new Float64Array(known * 2);
    scratch.set(this.#scores);
    scratch.set(this.#freshScores.subarray(0, this.#freshCount), this.#scores.length);
    const bar = selectLargest(scratch, known, this.#k - 1);
    let kept = 0;
    for (let i = 0; i < this.#freshCount; i++) {
      const score = this.#freshScores[i] as number;
      if (score >= bar) {
        this.#freshScores[kept] = score;
        this.#freshRows[kept] = this.#freshRows[i] as number;
        kept++;
      }
    }
    this.#freshCount = kept;
    if (kept > 4 * this.#k + 64) this.commit(idOf);
    return bar;
  }

  /** Merges the fresh rows into the sorted list, by the total order, and cuts to k. */
  commit(idOf: (row: number) => string): void {
    if (this.#freshCount === 0) return;
    const rows = this.#freshRows;
    const scores = this.#freshScores;
    const ids = new Array<string>(this.#freshCount);
    const order = new Array<number>(this.#freshCount);
    for (let i = 0; i < this.#freshCount; i++) {
      ids[i] = idOf(rows[i] as number);
      order[i] = i;
    }
    order.sort(
      (a, b) =>
        (scores[b] as number) - (scores[a] as number) || compareUtf8(ids[b] as string, ids[a] as string),
    );
    const mergedIds: string[] = [];
    const mergedScores: number[] = [];
    let old = 0;
    let fresh = 0;
    while (mergedIds.length < this.#k && (old < this.#ids.length || fresh < order.length)) {
      const at = order[fresh];
      const takeOld =
        at === undefined ||
        (old < this.#ids.length &&
          ((this.#scores[old] as number) - (scores[at] as number) ||
            compareUtf8(this.#ids[old] as string, ids[at] as string)) > 0);
      if (takeOld) {
        mergedIds.push(this.#ids[old] as string);
        mergedScores.push(this.#scores[old] as number);
        old++;
      } else {
        mergedIds.push(ids[at] as string);
        mergedScores.push(scores[at] as number);
        fresh++;
      }
    }
    this.#ids = mergedIds;
    this.#scores = mergedScores;
    this.#freshCount = 0;
  }

  /** The ranking so far; only after {@link commit}. */
  ranking(queryId: string): Ranking {
    return { queryId, documentIds: this.#ids, scores: Float64Array.from(this.#scores) };
  }
}

let scratch = new Float64Array(1_024);

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
