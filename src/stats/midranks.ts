/** Ranks with the sizes of groups of equal values. */
export interface Midranks {
  /** 1-based, ascending; equal values share the mean of their ranks. */
  readonly ranks: Float64Array;
  /** Sizes of the groups of two and more equal values. */
  readonly ties: readonly number[];
}

/** Returns the midranks of the values (scipy's `rankdata`, method average). */
export function midranks(values: ArrayLike<number>): Midranks {
  const n = values.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (i, j) => (values[i] as number) - (values[j] as number),
  );
  const ranks = new Float64Array(n);
  const ties: number[] = [];
  let start = 0;
  while (start < n) {
    let end = start + 1;
    while (end < n && values[order[end] as number] === values[order[start] as number]) end++;
    for (let i = start; i < end; i++) ranks[order[i] as number] = (start + end + 1) / 2;
    if (end - start > 1) ties.push(end - start);
    start = end;
  }
  return { ranks, ties };
}
