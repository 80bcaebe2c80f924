import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeNpyValues,
  float16ToNumber,
  npyHeaderBytes,
  numberToFloat16,
  parseNpyHeader,
  readNpyMatrix,
  writeNpy,
} from '../../src/codecs/npy.ts';

/** An .npy file put together by hand, as other writers make them. */
function file(dictionary: string, data: Uint8Array, version = 1): Uint8Array {
  const text = new TextEncoder().encode(`${dictionary}\n`);
  const lengthBytes =
    version === 1 ? [text.length & 0xff, text.length >> 8] : [text.length & 0xff, text.length >> 8, 0, 0];
  return Uint8Array.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0, ...lengthBytes, ...text, ...data]);
}

describe('npy', () => {
  it('reads what numpy.save writes for [[1, 2, 3], [4, 5, 6]] in every type and order', () => {
    const f4 = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
    const fortran = new Uint8Array(Float32Array.of(1, 4, 2, 5, 3, 6).buffer);
    const f8 = new Uint8Array(Float64Array.of(1, 2, 3, 4, 5, 6).buffer);
    const f2 = new Uint8Array(Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600).buffer);
    const big = f4.map((_, i) => f4[(i & ~3) + 3 - (i & 3)] as number);
    const cases: [string, Uint8Array, number][] = [
      ["{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", f4, 1],
      ["{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", fortran, 1],
      ["{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", f8, 2],
      ["{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }", f2, 3],
      ["{'descr': '>f4', 'fortran_order': False, 'shape': (2L, 3L), }", big, 1],
    ];
    for (const [dictionary, data, version] of cases) {
      const matrix = readNpyMatrix(file(dictionary, data, version));
      expect(matrix.rows).toBe(2);
      expect(matrix.columns).toBe(3);
      expect([...matrix.values]).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('writes what it reads, in all three types', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('float16' as const, 'float32' as const, 'float64' as const),
        fc.infiniteStream(fc.integer({ min: 0, max: 0xffff })),
        (rows, columns, dtype, stream) => {
          const values = Float32Array.from({ length: rows * columns }, () =>
            float16ToNumber(stream.next().value as number),
          );
          const back = readNpyMatrix(writeNpy({ rows, columns, values }, dtype));
          expect({ ...back, values: [...back.values] }).toEqual({ rows, columns, values: [...values] });
        },
      ),
    );
  });

  it('keeps all 65,536 half-precision numbers, and rounds to nearest even', () => {
    for (let bits = 0; bits < 65_536; bits++) {
      const value = float16ToNumber(bits);
      if (Number.isNaN(value)) expect(numberToFloat16(value) & 0x7c00).toBe(0x7c00);
      else expect(numberToFloat16(value)).toBe(bits);
    }
    expect(numberToFloat16(1 + 2 ** -11)).toBe(0x3c00);
    expect(numberToFloat16(1 + 3 * 2 ** -11)).toBe(0x3c02);
    expect(numberToFloat16(65_519)).toBe(0x7bff);
    expect(numberToFloat16(65_520)).toBe(0x7c00);
    expect(numberToFloat16(2 ** -25)).toBe(0);
    expect(numberToFloat16(-0)).toBe(0x8000);
  });

  it('aligns the values to 64 bytes, as NumPy does', () => {
    const header = npyHeaderBytes(1_000_000, 1_024, 'float32');
    expect(header.length % 64).toBe(0);
    expect(parseNpyHeader(header)).toEqual({
      dtype: 'float32',
      littleEndian: true,
      fortranOrder: false,
      shape: [1_000_000, 1_024],
      dataOffset: header.length,
    });
  });

  it('refuses float64 that float32 cannot hold, since rounding would change rankings', () => {
    const data = new Uint8Array(Float64Array.of(0.1, 1).buffer);
    expect(() => decodeNpyValues(data, { dtype: 'float64', littleEndian: true }, 'D.npy')).toThrow(
      /D\.npy holds float64 values that float32 cannot hold.*0\.1.*astype/,
    );
  });

  it.each([
    ['not npy', new TextEncoder().encode('hello world'), /does not begin/],
    ['empty', new Uint8Array(0), /does not begin/],
    ['cut in the header', npyHeaderBytes(2, 3, 'float32').subarray(0, 40), /ends inside its header/],
    [
      'integers',
      file("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }", new Uint8Array(8)),
      /<i8/,
    ],
    ['objects', file("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", new Uint8Array(8)), /\|O/],
    [
      'a vector',
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", new Uint8Array(8)),
      /\(2\)/,
    ],
    ['cut', writeNpy({ rows: 2, columns: 3, values: new Float32Array(6) }).subarray(0, 140), /holds 12/],
    [
      'version 9',
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", new Uint8Array(4), 9),
      /version 9/,
    ],
  ])('refuses %s by name', (_, bytes, message) => {
    expect(() => readNpyMatrix(bytes, 'X.npy')).toThrow(message);
    expect(() => readNpyMatrix(bytes, 'X.npy')).toThrow(/X\.npy/);
  });
});
