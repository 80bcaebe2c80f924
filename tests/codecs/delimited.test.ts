import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, readTsv } from '../../src/codecs/delimited.ts';
import { readJsonDocument } from '../../src/codecs/json-document.ts';
import { memorySource, valuesOf } from './memory-source.ts';

const sourceOf = (text: string, pieceBytes?: number) =>
  memorySource('test', new TextEncoder().encode(text), pieceBytes).source;

describe('TSV', () => {
  it('keeps every value as it is written', async () => {
    const text = '\uFEFFquery-id\tcorpus-id\tscore\r\n"x\tNA\t1\r\n007\t1e3\t\r\n\r\nn/a\t__proto__\t2';
    for (const pieceBytes of [1, 3, 1000])
      expect(await valuesOf(readTsv(sourceOf(text, pieceBytes)))).toEqual([
        { 'query-id': '"x', 'corpus-id': 'NA', score: '1' },
        { 'query-id': '007', 'corpus-id': '1e3', score: '' },
        { 'query-id': 'n/a', 'corpus-id': '__proto__', score: '2' },
      ]);
  });

  it('names the line with another number of columns', async () => {
    await expect(valuesOf(readTsv(sourceOf('a\tb\n1\t2\n1\n')))).rejects.toThrow(
      /line 3: has 1 columns where the header has 2: "1"/,
    );
    await expect(valuesOf(readTsv(sourceOf('a\ta\n')))).rejects.toMatchObject({ code: 'bad-columns' });
    await expect(valuesOf(readTsv(sourceOf('<!doctype html>\n')))).rejects.toMatchObject({
      code: 'html-instead-of-data',
    });
  });
});

describe('CSV', () => {
  it('reads quoted values with line ends, quotation marks and separators', async () => {
    const text = '\uFEFFid,text\n1,"a, ""b""\nc"\n\n007,中\n';
    for (const pieceBytes of [1, 5, 1000])
      expect(await valuesOf(readCsv(sourceOf(text, pieceBytes)))).toEqual([
        { id: '1', text: 'a, "b"\nc' },
        { id: '007', text: '中' },
      ]);
    expect(await valuesOf(readCsv(sourceOf('id;text\n1;a\n')))).toEqual([{ id: '1', text: 'a' }]);
  });

  it('reads whatever was written by its rules', async () => {
    const cell = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 10 }),
        fc.integer({ min: 1, max: 20 }),
        async (rows, piece) => {
          const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
          const text = ['a,b', ...rows.map((row) => row.map(quote).join(','))].join('\r\n');
          expect(await valuesOf(readCsv(sourceOf(text, piece)))).toEqual(rows.map(([a, b]) => ({ a, b })));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('names the line that breaks the rules', async () => {
    await expect(valuesOf(readCsv(sourceOf('a,b\n1,2\n1,2,3\n')))).rejects.toThrow(/test, line 3: /);
    await expect(valuesOf(readCsv(sourceOf('a,b\n1,"2\n3\n')))).rejects.toMatchObject({ code: 'bad-csv' });
    await expect(valuesOf(readCsv(sourceOf('<html>')))).rejects.toMatchObject({
      code: 'html-instead-of-data',
    });
  });
});

describe('JSON documents', () => {
  it('reads a list of objects, also inside an object', async () => {
    const values = async (text: string): Promise<unknown> =>
      (await readJsonDocument(sourceOf(text))).map((row) => row.value);
    expect(await values('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await values('{"n":2,"data":[{"a":1}]}')).toEqual([{ a: 1 }]);
    expect(await values('{"def f(): pass":7}')).toEqual([{ key: 'def f(): pass', value: 7 }]);
    await expect(values('{"a":null}')).rejects.toMatchObject({ code: 'not-a-list' });
    await expect(values('[{"a":1},3]')).rejects.toThrow(/entry 2 is not an object: "3"/);
    await expect(values('[{"a":1},')).rejects.toMatchObject({ code: 'not-json' });
    await expect(values('<html>')).rejects.toMatchObject({ code: 'html-instead-of-data' });
  });
});
