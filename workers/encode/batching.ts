/** Texts that are encoded together: indices into the list of lengths, and the length they are filled up to. */
export interface Batch {
  readonly indices: readonly number[];
  readonly length: number;
}

/** Whether a batch of so many rows of so many tokens fits the device; absent: only the budget counts. */
export type BatchFits = (rows: number, length: number) => boolean;

/**
 * Returns batches over texts of the given token counts, longest first, so that memory is tried out at once and texts of
 * like length share a batch. Rows × length stays within `batchTokens`; a single text may exceed it. Texts without tokens
 * are in no batch. The same lengths give the same batches: vectors of models that depend on batch mates can be repeated.
 */
export function planBatches(
  tokenCounts: ArrayLike<number>,
  batchTokens: number,
  fits: BatchFits = () => true,
): Batch[] {
  const order = Array.from(tokenCounts, (_, index) => index).filter((index) => (tokenCounts[index] ?? 0) > 0);
  order.sort((a, b) => (tokenCounts[b] ?? 0) - (tokenCounts[a] ?? 0) || a - b);
  const batches: Batch[] = [];
  for (let start = 0; start < order.length;) {
    const length = tokenCounts[order[start] as number] ?? 0;
    let rows = 1;
    while (start + rows < order.length && (rows + 1) * length <= batchTokens && fits(rows + 1, length))
      rows++;
    batches.push({ indices: order.slice(start, start + rows), length });
    start += rows;
  }
  return batches;
}

/** Token ids and mask of a batch, row-major, rows × length. */
export interface TokenBatch {
  readonly rows: number;
  readonly length: number;
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
}

/** Returns a batch's ids filled up on the given side. */
export function fillBatch(
  batch: Batch,
  ids: (index: number) => readonly number[],
  padding: 'right' | 'left',
  padId: number,
): TokenBatch {
  const { indices, length } = batch;
  const filled = new BigInt64Array(indices.length * length).fill(BigInt(padId));
  const mask = new BigInt64Array(indices.length * length);
  indices.forEach((index, row) => {
    const own = ids(index);
    const start = row * length + (padding === 'left' ? length - own.length : 0);
    own.forEach((id, position) => {
      filled[start + position] = BigInt(id);
    });
    mask.fill(1n, start, start + own.length);
  });
  return { rows: indices.length, length, ids: filled, mask };
}

/** The sizes that decide how much memory a batch takes. */
export interface ModelShape {
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly attentionHeads: number;
}

/**
 * Returns whether a batch's largest tensor fits one buffer of the device: attention scores (rows × heads × length²) or the
 * wide layer (rows × length × intermediate), 4 bytes a value. Beyond it WebGPU fails, or answers zeros without an error.
 */
export function fitsBuffer(shape: ModelShape, maxBufferBytes: number): BatchFits {
  return (rows, length) => {
    const attention = rows * shape.attentionHeads * length * length;
    const wide = rows * length * Math.max(shape.intermediateSize, shape.hiddenSize);
    return 4 * Math.max(attention, wide) <= maxBufferBytes;
  };
}
