import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { readQrels } from '../../src/codecs/qrels-reader.ts';
import { sniffFormat } from '../../src/codecs/run-format.ts';
import { readTrecQrels, trecQrelsText } from '../../src/codecs/trec.ts';
import { fileOf } from './run-bytes.ts';

const plain = async (content: string | Uint8Array): Promise<Record<string, [string, number][]>> =>
  Object.fromEntries(
    [...(await readQrels(fileOf(content))).qrels].map(([query, judgements]) => [query, [...judgements]]),
  );

async function refusal(content: string | Uint8Array): Promise<AppError> {
  try {
    await readQrels(fileOf(content, 'my.qrels'));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('qrels in every form', () => {
  it('TREC: CRLF, BOM, comment, tabs, # inside ids, no final line end', async () => {
    expect(await plain('\ufeff# note\r\nq1 0 D#1 1\r\nq1\t0\tD2\t0')).toEqual({
      q1: [
        ['D#1', 1],
        ['D2', 0],
      ],
    });
  });

  it('BEIR´s TSV with its header, and without losing the first row when there is none', async () => {
    expect(await plain('query-id\tcorpus-id\tscore\nq1\tD#1\t1\n')).toEqual({ q1: [['D#1', 1]] });
    expect(await plain('q1\tD#1\t1\n')).toEqual({ q1: [['D#1', 1]] });
    expect(await plain('q1\ta b\t2\r\nq2\t"x\t1\r\n')).toEqual({ q1: [['a b', 2]], q2: [['"x', 1]] });
    expect(await plain('corpus-id\tscore\tquery-id\nd\t3\tq\n')).toEqual({ q: [['d', 3]] });
  });

  it('JSON Lines with the names that benchmarks use; numbers as ids keep their spelling', async () => {
    expect(
      await plain(
        '{"query_id":"q1","doc_id":"d1","relevance":2}\n{"qid":7,"corpus-id":9007199254740993,"score":1}\n\n{"query-id":"q1","corpus_id":"007","score":-1}\n',
      ),
    ).toEqual({
      q1: [
        ['d1', 2],
        ['007', -1],
      ],
      7: [['9007199254740993', 1]],
    });
  });

  it('pytrec_eval´s dictionary: members of objects are ids like any other, order and big numbers kept', async () => {
    const { qrels } = await readQrels(
      fileOf('{"__proto__": {"constructor": 1, "10": 0, "9": 2}, "q2": {}, "q3": {"__proto__": 1}}', 'x', 7),
    );
    expect([...qrels.keys()]).toEqual(['__proto__', 'q2', 'q3']);
    expect([...(qrels.get('__proto__') ?? [])]).toEqual([
      ['constructor', 1],
      ['10', 0],
      ['9', 2],
    ]);
    expect(qrels.get('q2')?.size).toBe(0);
    expect(qrels.get('q3')?.get('__proto__')).toBe(1);
  });

  it('an array of rows', async () => {
    expect(
      await plain(
        '[\n {"query-id": "q1", "corpus-id": 7.0, "score": 1, "meta": {"a": [1]}},\n {"query-id": "q1", "corpus-id": 7, "score": 0}\n]',
      ),
    ).toEqual({
      q1: [
        ['7.0', 1],
        ['7', 0],
      ],
    });
  });

  it('words for missing values are ids like any other', async () => {
    const text = ['NA', 'null', 'nan', 'n/a', 'true', '007', '7', '7.0', '1e3', '1000']
      .map((id) => `q\t${id}\t1`)
      .join('\n');
    expect((await readQrels(fileOf(text))).qrels.get('q')?.size).toBe(10);
  });

  it.each([
    ['q1 0 d1 1\n', 'trec'],
    ['q1\t0\td1\t1\n', 'trec'],
    ['# q1\n\nq1\td1\t1\n', 'tsv'],
    ['query-id\tcorpus-id\tscore\n', 'tsv'],
    ['{"q": {"d": 1}}', 'json'],
    ['{\n  "q\\"1": {"d": 1}}', 'json'],
    ['{}', 'json'],
    ['[]', 'json'],
    ['{"query_id": "q", "doc_id": "d", "score": 1}', 'jsonl'],
  ])('%j is %s', async (text, format) => {
    expect(await sniffFormat(fileOf(text))).toBe(format);
  });
});

describe('qrels that are refused', () => {
  it.each([
    ['q1 0 d1\n', 'bad-line', /my\.qrels, line 1: 3 fields where TREC has 4, .*: "q1 0 d1"/u],
    ['q1 0 d1 1\nq1 0 d2 one\n', 'bad-grade', /line 2.*"d2".*"q1" is "one"/u],
    ['q1 0 d1 0.5\n', 'bad-grade', /line 1.*0\.5.*whole numbers/u],
    [
      'q1 0 d1 1\nq1 0 d1 2\n',
      'contradicting-judgements',
      /line 2.*"d1" is judged 2 .*"q1", and 1 further up/u,
    ],
    ['q1\t\t1\n', 'bad-id', /line 1: an id is empty/u],
    ['q1\td1\t1\nq1\td2\n', 'bad-line', /line 2: 2 columns/u],
    ['{"q1": 5, "q2": 4}', 'bad-row', /line 1: a row needs a query/u],
    ['{"q1": {"d1": "x"}}', 'bad-grade', /"d1".*"q1" is "x"/u],
    ['{"q1": {"d1": null}}', 'not-a-number', /"d1" of query "q1" has null/u],
    ['{"q1": {"d1": 1}, "q2": [1]}', 'not-a-dictionary', /under "q2"/u],
    ['{"q1": {"d1": 1}', 'not-json', /line 1: not JSON/u],
    ['{"q1": {"d1": 1},\n "q2": {"d1": NaN}}', 'not-json', /line 2: not JSON .* no NaN/u],
    ['{"query_id": "q"}\n', 'bad-row', /a row needs a query/u],
    ['{"query_id": "q", "doc_id": "d", "score": 1}\n{"query_id": \n', 'not-json', /line 2/u],
    ['', 'empty-file', /my\.qrels is empty/u],
    ['<!doctype html><html>', 'html-instead-of-data', /HTML page/u],
    ['q1 0 d\u0000x 1\n', 'bad-id', /NUL/u],
    [Uint8Array.of(0x71, 32, 48, 32, 0xff, 0xfe, 32, 49, 10), 'not-utf8', /line 1/u],
    [Uint8Array.of(0xff, 0xfe, 0x71, 0), 'not-utf8', /UTF-16/u],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), 'compressed', /unpack it first/u],
  ])('%j: %s', async (content, code, message) => {
    const error = await refusal(content);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('a judgement repeated with the same grade is taken once and counted', async () => {
    const reading = await readQrels(fileOf('q 0 d 1\nq 0 d 1\n'));
    expect(reading.repeated).toBe(1);
    expect(reading.qrels.get('q')?.size).toBe(1);
  });
});

describe('qrels written and read back', () => {
  it('round-trip in TREC´s form, except ids that it cannot hold', async () => {
    const qrels = new Map([
      [
        'q1',
        new Map([
          ['d#1', 1],
          ['中', -2],
        ]),
      ],
      ['q2', new Map([['\u00a0', 0]])],
    ]);
    const text = [...trecQrelsText(qrels)].join('');
    expect((await readTrecQrels(fileOf(text))).qrels).toEqual(qrels);
    expect(() => [...trecQrelsText(new Map([['q', new Map([['a b', 1]])]]))].join('')).toThrow(
      /splits at blanks/u,
    );
  });
});
