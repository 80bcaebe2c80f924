import { open, type FileHandle } from 'node:fs/promises';
import { npyHeaderBytes, readNpyMatrix, type Matrix } from '../../../src/codecs/npy.ts';

/** `random`: unit vectors without any structure; `encoder`: what an embedding model gives, near-duplicates included. */
export type VectorKind = 'random' | 'encoder';

/** A seeded stream of uniform numbers in [0, 1) (mulberry32): benchmark data only. */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Fills a row with normal numbers (Box-Muller). */
function normals(next: () => number, into: Float32Array): void {
  for (let i = 0; i < into.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    into[i] = radius * Math.cos(angle);
    if (i + 1 < into.length) into[i + 1] = radius * Math.sin(angle);
  }
}

function normalise(row: Float32Array): void {
  let square = 0;
  for (const x of row) square += x * x;
  const factor = 1 / Math.sqrt(square);
  for (let i = 0; i < row.length; i++) row[i] = (row[i] as number) * factor;
}

/** Makes rows one after the other; the same seed gives the same rows. */
export type RowMaker = (row: number, into: Float32Array) => void;

/** Unit vectors of independent normal numbers. */
export function randomRows(seed: number): RowMaker {
  const next = uniform(seed);
  return (_, into) => {
    normals(next, into);
    normalise(into);
  };
}

/**
 * Rows like those of an encoder: base vectors repeated with noise of the given norm, so that each has relatives at
 * cosine ~ 1 / sqrt(1 + noise²); every 50th row is a near-copy of its base. Wider rows get the base through a fixed
 * random rotation.
 */
export function encoderRows(seed: number, base: Matrix, noise: number, dimensions: number): RowMaker {
  const next = uniform(seed);
  const wide = dimensions === base.columns ? base : widen(base, dimensions);
  const error = new Float32Array(dimensions);
  return (row, into) => {
    const from = row % wide.rows;
    normals(next, error);
    normalise(error);
    const size = row % 50 === 49 ? noise / 100 : noise;
    for (let i = 0; i < dimensions; i++) {
      into[i] = (wide.values[from * dimensions + i] as number) + size * (error[i] as number);
    }
    normalise(into);
  };
}

/** Base vectors made up where no real ones are given: topics of two levels with a falling spectrum. */
export function madeUpBase(seed: number, rows: number, columns: number): Matrix {
  const next = uniform(seed);
  const topics = 60;
  const normal = new Float32Array(columns);
  const topicRows = Array.from({ length: topics }, () => {
    const topic = new Float32Array(columns);
    normals(next, topic);
    for (let i = 0; i < columns; i++) topic[i] = (topic[i] as number) * (1 + i / 8) ** -0.5;
    normalise(topic);
    return topic;
  });
  const values = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const into = values.subarray(row * columns, (row + 1) * columns);
    const topic = topicRows[Math.floor(next() * topics)] as Float32Array;
    normals(next, normal);
    for (let i = 0; i < columns; i++) {
      into[i] =
        0.5 * (topic[i] as number) +
        (0.9 * (normal[i] as number) * (1 + i / 32) ** -0.4) / Math.sqrt(columns / 2);
    }
    normalise(into);
  }
  return { rows, columns, values };
}

function widen(base: Matrix, dimensions: number): Matrix {
  const next = uniform(97);
  const rotation: Float32Array[] = [];
  for (let i = 0; i < base.columns; i++) {
    const axis = new Float32Array(dimensions);
    normals(next, axis);
    for (const other of rotation) {
      let dot = 0;
      for (let j = 0; j < dimensions; j++) dot += (axis[j] as number) * (other[j] as number);
      for (let j = 0; j < dimensions; j++) axis[j] = (axis[j] as number) - dot * (other[j] as number);
    }
    normalise(axis);
    rotation.push(axis);
  }
  const values = new Float32Array(base.rows * dimensions);
  for (let row = 0; row < base.rows; row++) {
    const into = values.subarray(row * dimensions, (row + 1) * dimensions);
    rotation.forEach((axis, i) => {
      const weight = base.values[row * base.columns + i] as number;
      for (let j = 0; j < dimensions; j++) into[j] = (into[j] as number) + weight * (axis[j] as number);
    });
  }
  return { rows: base.rows, columns: dimensions, values };
}

/** Writes rows to an .npy file, a piece at a time. */
export async function writeRows(
  path: string,
  rows: number,
  dimensions: number,
  make: RowMaker,
): Promise<void> {
  const file: FileHandle = await open(path, 'w');
  try {
    await file.write(npyHeaderBytes(rows, dimensions, 'float32'));
    const piece = new Float32Array(Math.min(rows, 8_192) * dimensions);
    for (let row = 0; row < rows;) {
      const count = Math.min(8_192, rows - row);
      for (let i = 0; i < count; i++) make(row + i, piece.subarray(i * dimensions, (i + 1) * dimensions));
      await file.write(new Uint8Array(piece.buffer, 0, count * dimensions * 4));
      row += count;
    }
  } finally {
    await file.close();
  }
}

/** Reads a base of real vectors. */
export async function readBase(path: string): Promise<Matrix> {
  const file = await open(path, 'r');
  try {
    return readNpyMatrix(await file.readFile(), path);
  } finally {
    await file.close();
  }
}
