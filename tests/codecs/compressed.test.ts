import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressionOf, gunzip, unpacked, unzstd } from '../../src/codecs/compressed.ts';
import { readJsonLines } from '../../src/codecs/jsonl.ts';
import { readAll } from '../../src/codecs/sequential-source.ts';
import { memorySource, valuesOf } from './memory-source.ts';

const text = '{"_id":"中","text":"a"}\n{"_id":"😀","text":"b"}\n'.repeat(500);
const plain = new TextEncoder().encode(text);
const zstd = new Uint8Array(readFileSync(path.join(import.meta.dirname, 'rows.jsonl.zst')));

describe('packed files', () => {
  it.each([
    ['rows.jsonl.gz', new Uint8Array(gzipSync(plain))],
    ['rows.jsonl.zst', zstd],
  ])('reads the rows of %s', async (name, packed) => {
    for (const pieceBytes of [1, 7, 100_000]) {
      const source = await unpacked(memorySource(name, packed, pieceBytes).source);
      expect(source.name).toBe('rows.jsonl');
      const rows = await valuesOf(readJsonLines(source));
      expect(rows).toHaveLength(1000);
      expect(rows[999]).toEqual({ _id: '😀', text: 'b' });
    }
    const source = await unpacked(memorySource(name, packed).source);
    expect(await source.slice(5, 20)).toEqual(plain.slice(5, 20));
  });

  it('goes by the bytes when the server unpacked the file already', async () => {
    const source = await unpacked(memorySource('rows.jsonl.gz', plain).source);
    expect(await valuesOf(readJsonLines(source))).toHaveLength(1000);
    expect(compressionOf(plain)).toBeUndefined();
  });

  it('notices a cut and a damaged file', async () => {
    const gz = new Uint8Array(gzipSync(plain));
    const cases: [typeof gunzip, Uint8Array, string][] = [
      [gunzip, gz.slice(0, gz.length - 5), 'damaged-gzip'],
      [gunzip, gz.slice(0, 40), 'damaged-gzip'],
      [gunzip, gz.slice().fill(7, 20, 30), 'damaged-gzip'],
      [unzstd, zstd.slice(0, zstd.length - 9), 'damaged-zstd'],
      [unzstd, zstd.slice().fill(255, 6, 20), 'damaged-zstd'],
    ];
    for (const [unpack, bytes, code] of cases) {
      const { source } = memorySource('cut', bytes, 10);
      await expect(collect(unpack(source.stream(0), 'cut'))).rejects.toMatchObject({ code });
    }
  });

  it('gives back any bytes, from any place on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.nat(3000), async (bytes, from) => {
        const source = await unpacked(memorySource('x.gz', new Uint8Array(gzipSync(bytes)), 50).source);
        expect(await collect(source.stream(from))).toEqual(bytes.slice(from));
      }),
      { numRuns: 30 },
    );
  });

  it('does not hold more than it is allowed to', async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(5_000_000)));
    const source = await unpacked(memorySource('bomb.gz', bomb).source);
    await expect(readAll(source, 1_000_000)).rejects.toMatchObject({ code: 'too-large-to-hold' });
  });
});

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: number[] = [];
  for await (const piece of pieces) for (const byte of piece) all.push(byte);
  return Uint8Array.from(all);
}
