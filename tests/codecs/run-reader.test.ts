import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../seed.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';
import { readRun, runJsonText } from '../../src/codecs/run-reader.ts';
import { trecRunLines } from '../../src/codecs/write-trec-run.ts';
import { fileOf } from './run-bytes.ts';

async function refusal(content: string | Uint8Array): Promise<AppError> {
  try {
    await readRun(fileOf(content, 'my.run'));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const ids = (run: Run, query: string): readonly string[] | undefined => run.get(query)?.documentIds;

describe('runs in every form', () => {
  it('TREC: scores are numbers and not text, ranks are ignored, blanks of any kind split', async () => {
    const { run } = await readRun(
      fileOf('\ufeffq1 Q0 D#1 1 9.5 t\r\n\r\nq1\tQ0  D2\t7 10.2 t\r\nq1 Q0 D3 99 100 t', 'x', 5),
    );
    expect(ids(run, 'q1')).toEqual(['D3', 'D2', 'D#1']);
    expect([...(run.get('q1')?.scores ?? [])]).toEqual([100, 10.2, 9.5]);
  });

  it('ties are settled by the bytes of ids, in any order of lines', async () => {
    const lines = ['q Q0 ￮ 1 1 t', 'q Q0 \u{1F600} 2 1 t', 'q Q0 b 3 1 t', 'q Q0 a 4 1 t'];
    for (const order of [lines, [...lines].reverse()])
      expect(ids((await readRun(fileOf(order.join('\n')))).run, 'q')).toEqual(['\u{1F600}', '￮', 'b', 'a']);
  });

  it('lines of a query may be scattered', async () => {
    const { run } = await readRun(fileOf('q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n'));
    expect(ids(run, 'q1')).toEqual(['b', 'a']);
    expect(ids(run, 'q2')).toEqual(['a']);
  });

  it('the dictionary of pytrec_eval, with empty rankings and ids like members of objects', async () => {
    const { run } = await readRun(
      fileOf('{"__proto__": {"__proto__": 0.5, "1": 1e-3, "0": 0.25},\n "empty": {}}', 'x', 3),
    );
    expect(ids(run, '__proto__')).toEqual(['__proto__', '0', '1']);
    expect(ids(run, 'empty')).toEqual([]);
  });

  it('rows in JSON Lines or an array, and columns under a header', async () => {
    const expected = ['b', '9007199254740993'];
    for (const text of [
      '{"query_id":"q","corpus_id":9007199254740993,"score":1}\n{"query_id":"q","corpus_id":"b","score":2}\n',
      '[{"query_id":"q","corpus_id":9007199254740993,"score":1},{"query_id":"q","corpus_id":"b","score":2}]',
      'query-id\tcorpus-id\tscore\nq\t9007199254740993\t1\nq\tb\t2.0\n',
    ])
      expect(ids((await readRun(fileOf(text))).run, 'q')).toEqual(expected);
  });

  it('double precision: 0.80000001 stands above 0.80000000', async () => {
    const { run } = await readRun(fileOf('q Q0 d1 1 0.80000001 t\nq Q0 d2 2 0.80000000 t\n'));
    expect(ids(run, 'q')).toEqual(['d1', 'd2']);
  });
});

describe('runs that are refused', () => {
  it.each([
    ['q Q0 d 1 NaN t\n', 'bad-score', /my\.run, line 1: the score of document "d" for query "q" is "NaN"/u],
    ['q Q0 d 1 1 t\nq Q0 e 2 inf t\n', 'bad-score', /line 2.*"inf"/u],
    ['q Q0 d 1 1e999 t\n', 'bad-score', /"1e999"/u],
    ['q Q0 d 1 0x10 t\n', 'bad-score', /"0x10"/u],
    ['q Q0 d 1 1,5 t\n', 'bad-score', /"1,5"/u],
    [
      'q Q0 d 1 1 t\nq Q0 e 2 0.5 t\nq Q0 d 3 0.1 t\n',
      'duplicate-document',
      /line 3: document "d" stands twice .* "q" \(first on line 1\)/u,
    ],
    ['q Q0 d 1 1\n', 'bad-line', /5 fields where TREC has 6/u],
    ['q Q0 d 1 1 t\nq Q0 a doc 2 0.5 t\n', 'bad-line', /line 2: 7 fields .*"q Q0 a doc 2 0.5 t"/u],
    ['q\td\t1\n', 'bad-line', /without a header/u],
    ['{"q": {"d": 1, "d": 0.5}}', 'duplicate-document', /"d" stands twice/u],
    ['{"q": {"d": NaN}}', 'not-json', /line 1: not JSON \("NaN" is no number, in "d": NaN\).*no NaN/u],
    ['{"q": {"d": 1,\n"e": -Infinity}}', 'not-json', /line 2: .*"-Infinity" is no number/u],
    ['q Q0 d 1 \u0661 t\n', 'bad-score', /"\u0661"/u],
    ['{"q": {"d": 1e999}}', 'bad-score', /1e999/u],
    ['{"q": {"": 1}}', 'bad-id', /empty/u],
    ['[{"query_id":"q","corpus_id":"d"}]', 'bad-row', /needs a query/u],
    ['5', 'bad-line', /1 field/u],
    ['[5]', 'bad-line', /1 field/u],
    ['[{"query_id":"q","corpus_id":"d","score":1}, 5]', 'bad-row', /needs a query/u],
    [Uint8Array.of(123, 34, 0xff, 34, 58, 123, 125, 125), 'not-utf8', /line 1: not UTF-8/u],
    [Uint8Array.of(113, 32, 81, 48, 32, 0xc3, 32, 49, 32, 49, 32, 116, 10), 'not-utf8', /line 1/u],
  ])('%j: %s', async (content, code, message) => {
    const error = await refusal(content);
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
  });

  it('or the first of two equal documents stays, when asked', async () => {
    const { run, droppedDuplicates } = await readRun(fileOf('q Q0 A 1 2 t\nq Q0 A 2 1 t\nq Q0 X 3 0 t\n'), {
      duplicates: 'first-kept',
    });
    expect(ids(run, 'q')).toEqual(['A', 'X']);
    expect([...(run.get('q')?.scores ?? [])]).toEqual([2, 0]);
    expect(droppedDuplicates).toBe(1);
  });
});

describe('runs written and read back', () => {
  const anyRun = fc
    .dictionary(
      fc.stringMatching(/^[!-~\u00e9\u4e2d]{1,4}$/u).filter((id) => !id.startsWith('#')),
      fc.uniqueArray(
        fc.tuple(
          fc.stringMatching(/^[!-~\u{1F600}]{1,4}$/u),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
        {
          selector: ([id]) => id,
          minLength: 1,
          maxLength: 8,
        },
      ),
      { maxKeys: 4 },
    )
    .map(
      (plain): Run =>
        new Map(
          Object.entries(plain).map(([query, pairs]) => [
            query,
            rank(
              query,
              pairs.map(([id]) => id),
              pairs.map(([, score]) => score + 0),
            ),
          ]),
        ),
    );

  it('give the same doubles and the same order, in TREC and in JSON, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, fc.integer({ min: 1, max: 40 }), async (run, pieceBytes) => {
        fc.pre(run.size > 0);
        const trec = [...run.values()].map((ranking) => trecRunLines(ranking, 'assay')).join('');
        const json = [...runJsonText(run)].join('');
        expect((await readRun(fileOf(trec, 'x', pieceBytes))).run).toEqual(run);
        expect((await readRun(fileOf(json, 'x', pieceBytes))).run).toEqual(run);
      }),
      { numRuns: process.env['ASSAY_LONG'] === '1' ? 2_000 : 60 },
    );
  });
});
