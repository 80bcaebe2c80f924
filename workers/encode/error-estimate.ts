import type { ErrorEstimate } from '../../src/contracts/encode.ts';

/** Row-major float32 vectors. */
export interface VectorRows {
  readonly values: Float32Array;
  readonly rows: number;
  readonly dimensions: number;
}

/** The view of one row. */
export function rowOf(vectors: VectorRows, row: number): Float32Array {
  return vectors.values.subarray(row * vectors.dimensions, (row + 1) * vectors.dimensions);
}

/** Dot product in float64, in order. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] as number) * (b[d] as number);
  return sum;
}

/** Cosine in float64; 0 when either vector is zero. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const norms = Math.sqrt(dot(a, a) * dot(b, b));
  return norms > 0 ? dot(a, b) / norms : 0;
}

/**
 * Returns how far `measured` is from `right` over all choices of a query and two documents among the rows: the largest
 * |change of s(q,d1) - s(q,d2)|, which is what can swap two documents. For one query it is the spread of the changes of
 * its scores, so that rows² scores suffice. `unit` says whether scores are cosines or dot products.
 */
export function estimateError(measured: VectorRows, right: VectorRows, unit: boolean): ErrorEstimate {
  const { rows } = right;
  const score = unit ? cosine : dot;
  let largestMarginChange = 0;
  let largestComponentChange = 0;
  let sumCosine = 0;
  let minCosine = 1;
  for (let query = 0; query < rows; query++) {
    const [measuredQuery, rightQuery] = [rowOf(measured, query), rowOf(right, query)];
    for (let d = 0; d < rightQuery.length; d++)
      largestComponentChange = Math.max(
        largestComponentChange,
        Math.abs((measuredQuery[d] as number) - (rightQuery[d] as number)),
      );
    const own = cosine(measuredQuery, rightQuery);
    sumCosine += own;
    minCosine = Math.min(minCosine, own);
    let [lowest, highest] = [Infinity, -Infinity];
    for (let document = 0; document < rows; document++) {
      if (document === query) continue;
      const change =
        score(measuredQuery, rowOf(measured, document)) - score(rightQuery, rowOf(right, document));
      lowest = Math.min(lowest, change);
      highest = Math.max(highest, change);
    }
    if (rows > 2) largestMarginChange = Math.max(largestMarginChange, highest - lowest);
  }
  return { largestMarginChange, largestComponentChange, meanCosine: sumCosine / rows, minCosine };
}
