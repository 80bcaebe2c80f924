const BLOCK = 128;

/**
 * Returns the sum of `values[from..from+length)` by numpy's pairwise scheme (eight running sums in blocks of 128,
 * halves above), so that means agree with numpy's to the last bit. Error grows with log(length).
 */
export function pairwiseSum(
  values: ArrayLike<number>,
  from = 0,
  length: number = values.length - from,
): number {
  if (length < 8) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += values[from + i] as number;
    return sum;
  }
  if (length > BLOCK) {
    let half = length >>> 1;
    half -= half % 8;
    return pairwiseSum(values, from, half) + pairwiseSum(values, from + half, length - half);
  }
  let r0 = values[from] as number;
  let r1 = values[from + 1] as number;
  let r2 = values[from + 2] as number;
  let r3 = values[from + 3] as number;
  let r4 = values[from + 4] as number;
  let r5 = values[from + 5] as number;
  let r6 = values[from + 6] as number;
  let r7 = values[from + 7] as number;
  let i = 8;
  for (; i < length - (length % 8); i += 8) {
    r0 += values[from + i] as number;
    r1 += values[from + i + 1] as number;
    r2 += values[from + i + 2] as number;
    r3 += values[from + i + 3] as number;
    r4 += values[from + i + 4] as number;
    r5 += values[from + i + 5] as number;
    r6 += values[from + i + 6] as number;
    r7 += values[from + i + 7] as number;
  }
  let sum = r0 + r1 + (r2 + r3) + (r4 + r5 + (r6 + r7));
  for (; i < length; i++) sum += values[from + i] as number;
  return sum;
}

/** Returns the sum of `values[indices[i]]` over all i, by the same scheme as {@link pairwiseSum}. */
export function pairwiseGatherSum(
  values: Float64Array,
  indices: Uint32Array,
  from = 0,
  length: number = indices.length - from,
): number {
  if (length < 8) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += values[indices[from + i] as number] as number;
    return sum;
  }
  if (length > BLOCK) {
    let half = length >>> 1;
    half -= half % 8;
    return (
      pairwiseGatherSum(values, indices, from, half) +
      pairwiseGatherSum(values, indices, from + half, length - half)
    );
  }
  let r0 = values[indices[from] as number] as number;
  let r1 = values[indices[from + 1] as number] as number;
  let r2 = values[indices[from + 2] as number] as number;
  let r3 = values[indices[from + 3] as number] as number;
  let r4 = values[indices[from + 4] as number] as number;
  let r5 = values[indices[from + 5] as number] as number;
  let r6 = values[indices[from + 6] as number] as number;
  let r7 = values[indices[from + 7] as number] as number;
  let i = 8;
  for (; i < length - (length % 8); i += 8) {
    r0 += values[indices[from + i] as number] as number;
    r1 += values[indices[from + i + 1] as number] as number;
    r2 += values[indices[from + i + 2] as number] as number;
    r3 += values[indices[from + i + 3] as number] as number;
    r4 += values[indices[from + i + 4] as number] as number;
    r5 += values[indices[from + i + 5] as number] as number;
    r6 += values[indices[from + i + 6] as number] as number;
    r7 += values[indices[from + i + 7] as number] as number;
  }
  let sum = r0 + r1 + (r2 + r3) + (r4 + r5 + (r6 + r7));
  for (; i < length; i++) sum += values[indices[from + i] as number] as number;
  return sum;
}

/** Returns the mean of the values (NaN when there are none), summed pairwise. */
export function mean(values: ArrayLike<number>): number {
  return pairwiseSum(values) / values.length;
}
