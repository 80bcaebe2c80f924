import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { readParquetHead, readParquetRows } from '../../src/codecs/parquet.ts';
import { memorySource, valuesOf } from './memory-source.ts';

const folder = path.join(import.meta.dirname, 'parquet-fixtures');
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(path.join(folder, name)));
const sourceOf = (name: string) => memorySource(name, bytesOf(name)).source;

const rows = [
  { id: 'a', text: 'def f(): pass\n', number: 9007199254740993n, tags: null, meta: { n: 1, s: 'x' } },
  { id: 'b', text: null, number: 12n, tags: [], meta: null },
  { id: 'c', text: '中😀', number: null, tags: [''], meta: { n: 3, s: null } },
];

describe('parquet', () => {
  const codecFiles = readdirSync(folder).filter((name) => /-page\d\.parquet$/.test(name));
  it('has a file of every compression', () => expect(codecFiles).toHaveLength(24));

  it.each(codecFiles)('reads %s', async (name) => {
    expect(await readParquetHead(sourceOf(name))).toEqual({
      rows: 3,
      columns: ['id', 'text', 'number', 'tags', 'meta'],
      rowGroups: 1,
    });
    expect(await valuesOf(readParquetRows(sourceOf(name)))).toEqual(rows);
  });

  it('reads across row groups, an empty one among them, and goes on in the middle', async () => {
    const [a, b] = rows;
    expect(await valuesOf(readParquetRows(sourceOf('row-groups.parquet')))).toEqual([...rows, a, b]);
    expect(await valuesOf(readParquetRows(sourceOf('row-groups.parquet'), { from: 2 }))).toEqual([
      rows[2],
      a,
      b,
    ]);
    const numbered: [number, number][] = [];
    for await (const batch of readParquetRows(sourceOf('row-groups.parquet'), { from: 4 }))
      numbered.push(...batch.map((row): [number, number] => [row.line, row.end]));
    expect(numbered).toEqual([[5, 5]]);
  });

  it.each(['many.parquet', 'many-indexed.parquet'])('reads only the wanted columns of %s', async (name) => {
    const bytes = bytesOf(name);
    const { source, slices } = memorySource(name, bytes);
    const values = await valuesOf(readParquetRows(source, { columns: ['id', 'absent'] }));
    expect(values).toHaveLength(3000);
    expect(values[2999]).toEqual({ id: 'd2999' });
    const { source: whole, slices: all } = memorySource(name, bytes);
    await valuesOf(readParquetRows(whole));
    const sum = (parts: [number, number][]): number =>
      parts.reduce((total, [from, to]) => total + to - from, 0);
    expect(sum(slices)).toBeLessThan(sum(all));
    expect(await valuesOf(readParquetRows(sourceOf(name), { from: 2998 }))).toEqual([
      { id: 'd2998', text: '2998 '.repeat(20) },
      { id: 'd2999', text: '2999 '.repeat(20) },
    ]);
  });

  it('takes columns named as members of objects are', async () => {
    for await (const [row] of readParquetRows(sourceOf('odd-names.parquet')))
      expect(Object.entries(row?.value ?? {})).toEqual([
        ['__proto__', 'x'],
        ['toString', 'y'],
      ]);
  });

  it('notices a file that was cut', async () => {
    const bytes = bytesOf('snappy-plain-page1.parquet');
    for (const left of [bytes.length - 8, bytes.length - 20, bytes.length / 2, 3, 0]) {
      const { source } = memorySource('cut.parquet', bytes.slice(0, left));
      await expect(valuesOf(readParquetRows(source))).rejects.toMatchObject({ code: 'damaged-parquet' });
    }
  });

  it('notices a hole in the middle', async () => {
    for (const name of [
      'snappy-plain-page1.parquet',
      'zstd-plain-page2.parquet',
      'gzip-dictionary-page1.parquet',
    ]) {
      const bytes = bytesOf(name).fill(0, 4, 120);
      await expect(valuesOf(readParquetRows(memorySource(name, bytes).source))).rejects.toMatchObject({
        code: 'damaged-parquet',
      });
    }
  });

  it('does not believe 10^12 rows, nor a column beyond the end', async () => {
    const { parquetMetadata } = await import('hyparquet');
    const buffer = parquetWriteBuffer({ columnData: [{ name: 'id', data: ['a', 'b'], type: 'STRING' }] });
    const honest = new Uint8Array(buffer);
    expect(parquetMetadata(buffer).num_rows).toBe(2n);
    // The footer holds num_rows twice (file and row group) as a zigzag varint: 2 is the byte 4.
    const claims = [honest.slice(), honest.slice()];
    const footerLength = new DataView(buffer).getUint32(honest.length - 8, true);
    const footer = honest.length - 8 - footerLength;
    let changed = 0;
    for (let i = footer; i < honest.length - 8; i++) {
      // i64 fields (type 6) with the value 2, in the file's head and in its row group.
      if (honest[i] === 4 && (honest[i - 1] as number) % 16 === 6) {
        (claims[0] as Uint8Array)[i] = 0x7e;
        changed++;
      }
    }
    expect(changed).toBeGreaterThan(0);
    await expect(
      readParquetHead(memorySource('lie.parquet', claims[0] as Uint8Array).source),
    ).rejects.toMatchObject({
      code: 'implausible-parquet',
    });
  });
});
