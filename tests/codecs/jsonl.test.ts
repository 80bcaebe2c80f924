import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/codecs/byte-source.ts';
import { numberTextOf } from '../../src/codecs/json-number-text.ts';
import { readJsonLines } from '../../src/codecs/jsonl.ts';
import { readLines, type Line } from '../../src/codecs/lines.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A source that delivers its bytes in the given pieces. */
function inPieces(pieces: readonly Uint8Array[], name = 'test.jsonl'): ByteSource {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return {
    name,
    size: () => Promise.resolve(whole.byteLength),
    fingerprint: () => Promise.resolve(undefined),
    slice: (from, to) => Promise.resolve(whole.slice(from, to)),
    async *stream(from) {
      if (from > 0) yield whole.slice(from);
      else yield* pieces;
    },
  };
}

function splitAt(bytes: Uint8Array, ...points: number[]): Uint8Array[] {
  const sorted = [0, ...points.toSorted((a, b) => a - b), bytes.byteLength];
  return sorted.slice(1).map((to, i) => bytes.slice(sorted[i], to));
}

async function rowsOf(source: ByteSource): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of readJsonLines(source)) rows.push(...batch.map((row) => row.value));
  return rows;
}

async function linesOf(pieces: readonly Uint8Array[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const batch of readLines(inPieces(pieces).stream(0), 'f')) lines.push(...batch);
  return lines;
}

describe('JSON Lines as a stream', () => {
  const awkward = '\uFEFF{"_id":"中","text":"a\u2028b\u0085c"}\r\n\n{"_id":"😀"}';
  const expected = [{ _id: '中', text: 'a\u2028b\u0085c' }, { _id: '😀' }];

  it('reads the same rows at every split point and byte by byte', async () => {
    const bytes = bytesOf(awkward);
    for (let at = 0; at <= bytes.byteLength; at++)
      expect(await rowsOf(inPieces(splitAt(bytes, at)))).toEqual(expected);
    expect(await rowsOf(inPieces(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(expected);
  });

  it('reads whatever JSON holds, however it is cut', async () => {
    const row = fc.record({ id: fc.string({ unit: 'grapheme' }), value: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (rows, points, end, last) => {
          const text = rows.map((value) => JSON.stringify(value)).join(end) + (last ? end : '');
          const bytes = bytesOf(text);
          const pieces = splitAt(bytes, ...points.map((point) => Math.min(point, bytes.byteLength)));
          expect(await rowsOf(inPieces(pieces))).toEqual(
            rows.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
          );
        },
      ),
    );
  });

  it('goes on at the end that each row names', async () => {
    const source = inPieces([bytesOf(awkward)]);
    const ends: { end: number; line: number }[] = [];
    for await (const batch of readJsonLines(source)) ends.push(...batch);
    const rest: number[][] = [];
    for (const { end, line } of ends) {
      const lines: number[] = [];
      for await (const rows of readJsonLines(source, { start: { offset: end, line } }))
        lines.push(...rows.map((row) => row.line));
      rest.push(lines);
    }
    expect(rest).toEqual([[3], []]);
  });

  it('takes one value of 60 MB', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(120);
    const pieces = [
      bytesOf('{"text":"'),
      ...Array.from({ length: 60 }, () => piece),
      bytesOf('"}\n{"text":"y"}'),
    ];
    const rows = (await rowsOf(inPieces(pieces))) as { text: string }[];
    expect(rows.map((row) => row.text.length)).toEqual([60 * 1024 * 1024, 1]);
  });

  it('names file, line and text of a bad line', async () => {
    const bad = '{"a":1}\n{"a":2}\n{"a":\n{"a":4}\n{"a":5}\n';
    await expect(rowsOf(inPieces([bytesOf(bad)]))).rejects.toThrow(
      /^test\.jsonl, line 3: not JSON \(.+\): "\{"a":"$/,
    );
    await expect(rowsOf(inPieces([Uint8Array.of(123, 255, 125, 10)]))).rejects.toMatchObject({
      code: 'not-utf8',
    });
    await expect(rowsOf(inPieces([bytesOf('<html><title>Sign in</title>')]))).rejects.toMatchObject({
      code: 'html-instead-of-data',
    });
  });

  it('keeps a lone CR as content', async () => {
    expect((await linesOf([bytesOf('a\rb\nc\r\n')])).map((line) => line.text)).toEqual(['a\rb', 'c']);
  });
});

describe('numbers as they are written', () => {
  it.each([
    ['{"_id":9007199254740993}', '9007199254740993'],
    ['{"a":{"_id":1},"_id":7.0}', '7.0'],
    ['{"_id": -1e3 ,"b":"\\"_id\\":5"}', '-1e3'],
    ['{"x":"_id","y":[1,2],"_id":007}'.replace('007', '7'), '7'],
    ['{"_id":1,"_id":2}', '2'],
    ['{"\\u005fid":12}', '12'],
    ['{"_id":"7"}', undefined],
    ['{"b":1}', undefined],
  ])('%s', (json, expected) => {
    JSON.parse(json);
    expect(numberTextOf(json, '_id')).toBe(expected);
  });

  it('agrees with JSON.parse for every number', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (rest, id) => {
          const json = JSON.stringify({ ...rest, _id: id });
          expect(Number(numberTextOf(json, '_id'))).toBe(id === 0 ? 0 : id);
        },
      ),
    );
  });
});
