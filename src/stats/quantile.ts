/**
 * Returns the quantile at `fraction` (0..1) of values that are already sorted ascending, with linear interpolation
 * (numpy's default, Hyndman and Fan's type 7), rounded as numpy rounds it. NaN when there are no values.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, fraction: number): number {
  if (!(fraction >= 0 && fraction <= 1))
    throw new RangeError(`A quantile's fraction lies in 0..1, got ${fraction}.`);
  if (sorted.length === 0) return NaN;
  const position = (sorted.length - 1) * fraction;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  const low = sorted[below] as number;
  const high = sorted[above] as number;
  const share = position - below;
  // From the nearer end, as numpy's _lerp: the result then never leaves [low, high].
  return share >= 0.5 ? high - (high - low) * (1 - share) : low + (high - low) * share;
}

/** Returns the quantile at `fraction` (0..1) of values in any order; see {@link quantileOfSorted}. */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), fraction);
}

/** Returns the median: the middle value, or the mean of the two in the middle. NaN when there are no values. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return NaN;
  const half = sorted.length >>> 1;
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}
