/** NumPy's .npy files (format versions 1 to 3): matrices of float16, float32 and float64. No Pickle, ever. */
import { AppError } from '../domain/app-error.ts';

/** Element types that are read; int8 and others have no place in vectors. */
export type NpyFloat = 'float16' | 'float32' | 'float64';

/** What an .npy file says of itself. */
export interface NpyHeader {
  readonly dtype: NpyFloat;
  readonly littleEndian: boolean;
  /** Column-major. */
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Where the values begin, in bytes. */
  readonly dataOffset: number;
}

/** A dense matrix, row-major. */
export interface Matrix<Values extends Float32Array | Float64Array = Float32Array> {
  readonly rows: number;
  readonly columns: number;
  readonly values: Values;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const BYTES: Readonly<Record<NpyFloat, number>> = { float16: 2, float32: 4, float64: 8 };
const DTYPE_BY_CODE: Readonly<Record<string, NpyFloat>> = { f2: 'float16', f4: 'float32', f8: 'float64' };

/** Bytes that surely hold the header of any matrix: {@link parseNpyHeader} needs at most so many. */
export const NPY_HEADER_BYTES = 4_096;

/** Bytes of one element. */
export function npyElementBytes(dtype: NpyFloat): number {
  return BYTES[dtype];
}

/**
 * Returns the header of an .npy file from its first bytes. `name` is shown in messages.
 * Throws AppError (`npy-invalid`) for anything that is not an .npy file of floats.
 */
export function parseNpyHeader(bytes: Uint8Array, name = 'The .npy file'): NpyHeader {
  if (bytes.length < 10 || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw invalid(name, 'does not begin with the mark of an .npy file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const major = view.getUint8(6);
  if (major < 1 || major > 3) throw invalid(name, `has format version ${major}; 1 to 3 are read`);
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) throw invalid(name, 'ends inside its header');
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataOffset = start + length;
  if (bytes.length < dataOffset) throw invalid(name, 'ends inside its header, or has one that is too long');
  const text = new TextDecoder().decode(bytes.subarray(start, dataOffset));
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shapeText = /'shape'\s*:\s*\(([^)]*)\)/.exec(text)?.[1];
  if (descr === undefined || fortran === undefined || shapeText === undefined) {
    throw invalid(name, `has a header that cannot be read: ${text.trim().slice(0, 200)}`);
  }
  const dtype = DTYPE_BY_CODE[descr.slice(1)];
  if (dtype === undefined || !'<>='.includes(descr.charAt(0))) {
    throw invalid(name, `holds "${descr}"; float16, float32 and float64 are read`);
  }
  const shape = shapeText
    .split(',')
    .map((part) => part.trim().replace(/L$/, ''))
    .filter((part) => part !== '')
    .map(Number);
  if (shape.some((size) => !Number.isSafeInteger(size) || size < 0)) {
    throw invalid(name, `has the shape (${shapeText})`);
  }
  return {
    dtype,
    littleEndian: descr.charAt(0) !== '>',
    fortranOrder: fortran === 'True',
    shape,
    dataOffset,
  };
}

/** Returns rows and columns of a header that describes a matrix; a vector is refused (`npy-shape`). */
export function matrixShape(header: NpyHeader, name = 'The .npy file'): { rows: number; columns: number } {
  const [rows, columns, more] = header.shape;
  if (rows === undefined || columns === undefined || more !== undefined || columns === 0) {
    throw new AppError(
      'codec',
      'npy-shape',
      `${name} has the shape (${header.shape.join(', ')}); a matrix of rows × dimensions is needed.`,
    );
  }
  return { rows, columns };
}

/**
 * Returns the matrix in an .npy file as float32. float16 widens exactly; float64 is taken only where every value is
 * a float32 already, since rounding would silently change rankings. Inverse: {@link writeNpy}.
 */
export function readNpyMatrix(bytes: Uint8Array, name = 'The .npy file'): Matrix {
  const header = parseNpyHeader(bytes, name);
  const { rows, columns } = matrixShape(header, name);
  const wanted = rows * columns * BYTES[header.dtype];
  const there = bytes.length - header.dataOffset;
  if (there !== wanted) {
    throw invalid(
      name,
      `should hold ${wanted} bytes of values (${rows} × ${columns} ${header.dtype}) but holds ${there}`,
    );
  }
  const flat = decodeNpyValues(bytes.subarray(header.dataOffset), header, name);
  if (!header.fortranOrder) return { rows, columns, values: flat };
  const values = new Float32Array(flat.length);
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      values[row * columns + column] = flat[column * rows + row] as number;
    }
  }
  return { rows, columns, values };
}

/** Returns values of a stretch of the file, in file order, as float32; rules as {@link readNpyMatrix}. */
export function decodeNpyValues(
  bytes: Uint8Array,
  header: Pick<NpyHeader, 'dtype' | 'littleEndian'>,
  name = 'The .npy file',
): Float32Array {
  const size = BYTES[header.dtype];
  const count = Math.floor(bytes.length / size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = header.littleEndian;
  if (header.dtype === 'float32' && little && hostIsLittleEndian) {
    const values = new Float32Array(count);
    new Uint8Array(values.buffer).set(bytes.subarray(0, count * 4));
    return values;
  }
  const values = new Float32Array(count);
  if (header.dtype === 'float16') {
    for (let i = 0; i < count; i++) values[i] = float16ToNumber(view.getUint16(2 * i, little));
  } else if (header.dtype === 'float32') {
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i, little);
  } else {
    for (let i = 0; i < count; i++) {
      const value = view.getFloat64(8 * i, little);
      values[i] = value;
      if (values[i] !== value && !Number.isNaN(value)) {
        throw new AppError(
          'codec',
          'npy-not-float32',
          `${name} holds float64 values that float32 cannot hold (value ${i} of this part is ${value}). Save it as float32: X.astype("float32").`,
        );
      }
    }
  }
  return values;
}

/** Returns the number that 16 bits of IEEE 754 half precision stand for. Exact. Inverse: {@link numberToFloat16}. */
export function float16ToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}

/** Returns the half-precision bits nearest to a number (ties to even). Inverse: {@link float16ToNumber}. */
export function numberToFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(-14, size === 0 ? -14 : exponentOf(size));
  const steps = roundHalfToEven(size / 2 ** (exponent - 10));
  // steps counts from 0 (subnormal) or 1,024 (normal) to 2,048, which carries into the exponent by itself.
  return sign | (((exponent + 14) << 10) + steps);
}

/**
 * Returns a matrix as the bytes of an .npy file (version 1.0, C order, little-endian) that NumPy and
 * {@link readNpyMatrix} read.
 */
export function writeNpy(
  matrix: Matrix<Float32Array | Float64Array>,
  dtype: NpyFloat = 'float32',
): Uint8Array<ArrayBuffer> {
  const { rows, columns, values } = matrix;
  const header = npyHeaderBytes(rows, columns, dtype);
  const size = BYTES[dtype];
  const bytes = new Uint8Array(header.length + values.length * size);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (dtype === 'float16') view.setUint16(2 * i, numberToFloat16(value), true);
    else if (dtype === 'float32') view.setFloat32(4 * i, value, true);
    else view.setFloat64(8 * i, value, true);
  }
  return bytes;
}

/** Returns the header alone, for files whose rows are written as they come. A multiple of 64 bytes long. */
export function npyHeaderBytes(rows: number, columns: number, dtype: NpyFloat): Uint8Array<ArrayBuffer> {
  const code = { float16: '<f2', float32: '<f4', float64: '<f8' }[dtype];
  const dictionary = `{'descr': '${code}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set(MAGIC);
  bytes.set([1, 0, (length - 10) & 0xff, (length - 10) >> 8], 6);
  bytes.set(new TextEncoder().encode(dictionary), 10);
  bytes[length - 1] = 0x0a;
  return bytes;
}

const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function exponentOf(size: number): number {
  let exponent = Math.floor(Math.log2(size));
  // log2 may be one off beside a power of two.
  if (2 ** exponent > size) exponent--;
  else if (2 ** (exponent + 1) <= size) exponent++;
  return exponent;
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function invalid(name: string, what: string): AppError {
  return new AppError('codec', 'npy-invalid', `${name} ${what}.`);
}
