import { AppError } from '../../src/domain/app-error.ts';
import type { Pooling } from '../../src/models/model-definition.ts';

/** What a model's graph gives back: float32, or half precision in whichever of its two forms the runtime uses. */
export type TensorData = Float32Array | Uint16Array | Float16ArrayLike;

/** `Float16Array`, which newer runtimes return; it is read like any array of numbers. */
export interface Float16ArrayLike extends ArrayLike<number> {
  readonly BYTES_PER_ELEMENT: 2;
}

/** How a vector is made of what the graph gives. */
export interface VectorRecipe {
  readonly pooling: Pooling;
  readonly layerNorm: boolean;
  readonly normalised: boolean;
  /** Dimensions that the graph is declared to give. */
  readonly graphDimensions: number;
  /** Dimensions kept, at most those of the graph (Matryoshka); the cut comes before the unit length. */
  readonly dimensions: number;
}

/** Returns float32 values: half precision in 16-bit words (Uint16Array) or as numbers (Float16Array) is widened. */
export function toFloat32(data: TensorData): Float32Array {
  if (data instanceof Float32Array) return data;
  if (data instanceof Uint16Array) return Float32Array.from(data, halfToFloat);
  return Float32Array.from(data);
}

/** The value of an IEEE 754 half-precision number given as its 16 bits. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * Returns one vector for each row of token states (rows × length × width, row-major), before layer norm, cut and scaling:
 * mean over mask = 1, the first or the last position with mask = 1. A row without any is all zero.
 */
export function poolTokens(
  states: Float32Array,
  mask: ArrayLike<bigint>,
  rows: number,
  length: number,
  pooling: Exclude<Pooling, 'sentence_embedding'>,
): Float32Array {
  const width = states.length / (rows * length);
  const pooled = new Float32Array(rows * width);
  const sums = new Float64Array(width);
  for (let row = 0; row < rows; row++) {
    const positions: number[] = [];
    for (let position = 0; position < length; position++)
      if (mask[row * length + position] === 1n) positions.push(position);
    const used = pooling === 'mean' ? positions : positions.slice(...(pooling === 'cls' ? [0, 1] : [-1]));
    if (used.length === 0) continue;
    sums.fill(0);
    for (const position of used) {
      const start = (row * length + position) * width;
      for (let d = 0; d < width; d++) sums[d] = (sums[d] as number) + (states[start + d] as number);
    }
    for (let d = 0; d < width; d++) pooled[row * width + d] = (sums[d] as number) / used.length;
  }
  return pooled;
}

/**
 * Returns finished vectors (rows × recipe.dimensions) of pooled ones: layer norm without weights (epsilon 1e-5), the cut
 * to `dimensions`, then unit length; sums in float64. A zero vector stays zero. Errors (`wrong-dimensions`): the graph gives
 * other dimensions than declared, or fewer than asked for.
 */
export function finishVectors(pooled: Float32Array, rows: number, recipe: VectorRecipe): Float32Array {
  const width = pooled.length / rows;
  const { dimensions, graphDimensions } = recipe;
  if (width !== graphDimensions || dimensions > width)
    throw new AppError(
      'model',
      'wrong-dimensions',
      `the model gives vectors of ${width} dimensions; declared are ${graphDimensions}, asked for ${dimensions}`,
    );
  const finished = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const from = pooled.subarray(row * width, (row + 1) * width);
    const to = finished.subarray(row * dimensions, (row + 1) * dimensions);
    let [shift, scale] = recipe.layerNorm ? centreAndScale(from) : [0, 1];
    if (recipe.normalised) {
      let squares = 0;
      for (let d = 0; d < dimensions; d++) squares += (((from[d] as number) - shift) * scale) ** 2;
      if (squares > 0) scale /= Math.sqrt(squares);
      else shift = 0;
    }
    for (let d = 0; d < dimensions; d++) to[d] = ((from[d] as number) - shift) * scale;
  }
  return finished;
}

function centreAndScale(values: Float32Array): [number, number] {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return [mean, 1 / Math.sqrt(squares / values.length + 1e-5)];
}
