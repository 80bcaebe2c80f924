import type { VectorFault } from '../../src/contracts/encode.ts';
import { cosine, dot, rowOf, type VectorRows } from './error-estimate.ts';

/** A named fault with the sentence that says where it shows. */
export interface NamedFault {
  readonly fault: VectorFault;
  readonly message: string;
}

/** Vectors by wrong pooling: the k-th of each belongs to the probe in `rows[k]`. */
export interface OtherPoolings {
  readonly rows: readonly number[];
  readonly vectors: ReadonlyMap<string, VectorRows>;
}

/** Below this cosine to its reference a vector is wrong, not just inexact. */
const RIGHT_COSINE = 0.98;
/** From this cosine on, a vector counts as the one that it is compared with. */
const SAME_COSINE = 0.995;

/**
 * Returns what is wrong with vectors beside their references, most telling first; empty when nothing is. Looked for in
 * this order: wrong dimensions, values that are not finite, zero vectors, vectors that belong to other rows, vectors of
 * another pooling, lengths that are not one, vectors that resemble nothing.
 *
 * @param otherPoolings what the same model gives for some of the rows with other poolings, by name
 */
export function findFaults(
  measured: VectorRows,
  right: VectorRows,
  normalised: boolean,
  otherPoolings: OtherPoolings = { rows: [], vectors: new Map() },
): NamedFault[] {
  if (measured.dimensions !== right.dimensions)
    return [
      {
        fault: 'wrong-dimensions',
        message: `vectors have ${measured.dimensions} dimensions, the references ${right.dimensions}`,
      },
    ];
  const rows = Array.from({ length: right.rows }, (_, row) => row);
  const infinite = rows.filter((row) => !rowOf(measured, row).every(Number.isFinite));
  if (infinite.length > 0)
    return [
      {
        fault: 'overflowed',
        message: `${count(infinite, right.rows)} hold NaN or infinity: half precision overflowed, or the device computed nonsense`,
      },
    ];
  const zero = rows.filter((row) => dot(rowOf(measured, row), rowOf(measured, row)) === 0);
  if (zero.length > 0)
    return [
      { fault: 'zeroed', message: `${count(zero, right.rows)} are all zero: the device computed nothing` },
    ];

  const faults: NamedFault[] = [];
  const bad = rows.filter((row) => cosine(rowOf(measured, row), rowOf(right, row)) < RIGHT_COSINE);
  if (bad.length > 0) faults.push(explainBadRows(bad, measured, right, otherPoolings));
  const unequal = rows.filter((row) => Math.abs(Math.hypot(...rowOf(measured, row)) - 1) > 1e-3);
  if (normalised && unequal.length > 0)
    faults.push({ fault: 'not-normalised', message: `${count(unequal, right.rows)} are not of unit length` });
  return faults;
}

function explainBadRows(
  bad: readonly number[],
  measured: VectorRows,
  right: VectorRows,
  otherPoolings: OtherPoolings,
): NamedFault {
  const moved = bad.filter((row) => nearestRow(measured, row, right) !== row);
  if (moved.length * 2 >= bad.length)
    return {
      fault: 'permuted',
      message: `${count(moved, right.rows)} belong to other texts: results arrived in the wrong order`,
    };
  for (const [pooling, references] of otherPoolings.vectors) {
    const judged = otherPoolings.rows.map((row, k) => ({ row, k })).filter(({ row }) => bad.includes(row));
    const alike = judged.every(
      ({ row, k }) => cosine(rowOf(measured, row), rowOf(references, k)) >= SAME_COSINE,
    );
    if (judged.length > 0 && alike)
      return {
        fault: 'wrong-pooling',
        message: `${count(bad, right.rows)} are what pooling "${pooling}" gives: the pooling is wrong`,
      };
  }
  const cosines = bad.map((row) => cosine(rowOf(measured, row), rowOf(right, row)));
  return {
    fault: 'unrelated',
    message: `${count(bad, right.rows)} are far from their references (lowest cosine ${Math.min(...cosines).toFixed(3)})`,
  };
}

/** The row of `right` that a measured vector resembles, or -1 when it resembles none. */
function nearestRow(measured: VectorRows, row: number, right: VectorRows): number {
  const vector = rowOf(measured, row);
  for (let other = 0; other < right.rows; other++)
    if (cosine(vector, rowOf(right, other)) >= SAME_COSINE) return other;
  return row;
}

function count(rows: readonly number[], total: number): string {
  return `${rows.length} of ${total} probe vectors (first: ${rows[0]})`;
}
