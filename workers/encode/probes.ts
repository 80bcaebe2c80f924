import * as v from 'valibot';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { rowOf, type VectorRows } from './error-estimate.ts';

const vectors = v.pipe(v.string(), v.base64());
const probesSchema = v.object({
  about: v.string(),
  origin: v.string(),
  dimensions: v.pipe(v.number(), v.integer(), v.minValue(1)),
  normalised: v.boolean(),
  texts: v.pipe(v.array(v.string()), v.minLength(2)),
  /** Rows of the few short texts that are enough for a device that takes seconds a text. */
  few: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.minLength(3)),
  /** Of the original weights in float32. */
  fp32: vectors,
  /** Of each weight file, by its SHA-256, computed in one batch a text. */
  files: v.record(
    v.string(),
    v.object({
      madeWith: v.string(),
      vectors,
      /** Of the few texts with poolings that are wrong for this model, by name. */
      otherPoolings: v.record(v.string(), vectors),
    }),
  ),
});

/** Probe texts with their right vectors. */
export interface Probes {
  readonly texts: readonly string[];
  readonly normalised: boolean;
  readonly few: readonly number[];
  readonly fp32: VectorRows;
  /** Of the weight file in use; absent when the probes were made without it. */
  readonly file?: {
    readonly vectors: VectorRows;
    /** By pooling: vectors of the texts in `few`, in that order. */
    readonly otherPoolings: ReadonlyMap<string, VectorRows>;
  };
}

/**
 * Returns the probes of a model for one weight file. Errors (`bad-probes`): not JSON, not of this form, vectors of the
 * wrong number.
 */
export function parseProbes(text: string, weightsSha256: string): Probes {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new AppError('model', 'bad-probes', `the model's probes are not JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
  const parsed = v.safeParse(probesSchema, json);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new AppError(
      'model',
      'bad-probes',
      `the model's probes are malformed at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}`,
    );
  }
  const { texts, dimensions, normalised, few, fp32, files } = parsed.output;
  const own = files[weightsSha256];
  return {
    texts,
    normalised,
    few,
    fp32: decodeRows(fp32, dimensions, texts.length),
    ...(own && {
      file: {
        vectors: decodeRows(own.vectors, dimensions, texts.length),
        otherPoolings: new Map(
          Object.entries(own.otherPoolings).map(([name, text]) => [
            name,
            decodeRows(text, dimensions, few.length),
          ]),
        ),
      },
    }),
  };
}

/** Returns row-major float32 vectors as base64 of their little-endian bytes. Inverse: {@link decodeRows}. */
export function encodeRows(values: Float32Array): string {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setFloat32(i * 4, value, true));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Returns the vectors that base64 holds; inverse of {@link encodeRows}. Errors: not a whole number of rows, or not `rows`. */
export function decodeRows(base64: string, dimensions: number, rows?: number): VectorRows {
  const binary = atob(base64);
  const values = new Float32Array(binary.length >> 2);
  const view = new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(i * 4, true);
  const found = values.length / dimensions;
  if (!Number.isInteger(found) || (rows !== undefined && found !== rows))
    throw new AppError(
      'model',
      'bad-probes',
      `the model's probes hold ${values.length} values where ${rows ?? 'whole'} rows of ${dimensions} belong`,
    );
  return { values, rows: found, dimensions };
}

/** Returns chosen rows of vectors, in the order chosen. */
export function pickRows(vectors: VectorRows, rows: readonly number[]): VectorRows {
  const { dimensions } = vectors;
  const values = new Float32Array(rows.length * dimensions);
  rows.forEach((row, i) => values.set(rowOf(vectors, row), i * dimensions));
  return { values, rows: rows.length, dimensions };
}

/** Returns the few probes alone, for a device that takes seconds a text. */
export function fewProbes(probes: Probes): Probes {
  const { few, texts, fp32, file } = probes;
  return {
    ...probes,
    texts: few.map((row) => texts[row] ?? ''),
    few: few.map((_, i) => i),
    fp32: pickRows(fp32, few),
    ...(file && { file: { ...file, vectors: pickRows(file.vectors, few) } }),
  };
}
