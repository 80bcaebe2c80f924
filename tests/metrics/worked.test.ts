import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';
import {
  discountTable,
  evaluateQuery,
  evaluateRun,
  log2Portable,
  METRICS,
  parseMeasure,
  parseMeasures,
  type JudgedRankingExtras,
} from '../../src/metrics/index.ts';
import { readGolden, toQrels, toRun } from './golden.ts';

type Plain = Record<string, number>;

function value(name: string, grades: Plain, scores: Plain, extras: JudgedRankingExtras = {}): number {
  const ranking = rank('q', Object.keys(scores), Object.values(scores));
  return evaluateQuery(ranking, new Map(Object.entries(grades)), [parseMeasure(name)], extras)[0] as number;
}

const descending = (...ids: string[]): Plain => Object.fromEntries(ids.map((id, i) => [id, -i]));

describe('values of other packages', () => {
  const golden = readGolden<{
    qrels: Record<string, Plain>;
    run: Record<string, Plain>;
    perQuery: Record<string, Plain>;
    nAUC: Plain;
  }>('metrics-peers.json');
  const qrels = toQrels(golden.qrels);
  const run = toRun(golden.run);

  it.each(['RBP', 'RBP(rel=2)', 'RBP(p=0.5)', 'ERR@5', 'ERR@20', 'judged@5', 'judged@50'])(
    '%s as ir_measures',
    (name) => {
      const result = evaluateRun(run, qrels, [parseMeasure(name)]);
      const digits = name.startsWith('ERR') ? 5 : 12; // gdeval rounds to 5 digits
      for (const [query, values] of Object.entries(golden.perQuery)) {
        const ours = result.values[0]?.[result.queryIds.indexOf(query)] as number;
        expect(Number(ours.toFixed(digits))).toBeCloseTo(values[name] as number, digits === 5 ? 10 : 12);
      }
    },
  );

  it.each(Object.entries(golden.nAUC))('nAUC of %s', (name, expected) => {
    const [of, by] = name.split(' ') as [string, string];
    const measure = parseMeasure(`nAUC(of='${of}',by='${by}')`);
    expect(evaluateRun(run, qrels, [measure]).means.allJudged.values[0]).toBeCloseTo(expected, 12);
  });
});

describe('worked by hand', () => {
  it('AP at a cutoff divides by all relevant documents', () => {
    const grades = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`r${i}`, 1]));
    const found = descending('r0', 'r1', 'r2', 'r3', 'r4');
    expect(value('AP@5', grades, found)).toBe(0.5);
    expect(value('R@5', grades, found)).toBe(0.5);
    expect(value('nDCG@5', grades, found)).toBe(1);
  });

  it('recall and capped recall', () => {
    expect(value('R@1', { a: 1, b: 1 }, descending('a', 'b'))).toBe(0.5);
    expect(value('R_cap@1', { a: 1, b: 1 }, descending('a', 'b'))).toBe(1);
    const many = Array.from({ length: 500 }, (_, i) => `r${i}`);
    const grades = Object.fromEntries(many.map((id) => [id, 1]));
    expect(value('R@100', grades, descending(...many.slice(0, 100)))).toBe(0.2);
    expect(value('R_cap@100', grades, descending(...many.slice(0, 100)))).toBe(1);
  });

  it('linear and exponential gain', () => {
    const grades = { A: 3, B: 2, C: 1 };
    const scores = { C: 3, A: 2, X: 1.5, B: 1 };
    expect(value('nDCG@10', grades, scores)).toBeCloseTo(0.788377, 6);
    expect(value("nDCG(dcg='exp-log2')@10", grades, scores)).toBeCloseTo(0.714222, 6);
  });

  it('negative grades gain nothing, are not relevant and count as judged', () => {
    const grades = { a: -2, b: 3, c: 1 };
    expect(value('nDCG@10', grades, descending('a', 'b', 'c'))).toBeCloseTo(0.659002, 6);
    expect(value('P@1', grades, descending('a', 'b', 'c'))).toBe(0);
    expect(value('RR', grades, descending('a', 'b', 'c'))).toBe(0.5);
    expect(value('judged@2', grades, descending('a', 'x', 'c'))).toBe(0.5);
  });

  it('relevance level in the manner of trec_eval: the gain of lower grades stays', () => {
    const grades = { pos1: 2, pos2: 2, neg1: 1, neg2: 1 };
    const scores = { neg1: 0.9, pos1: 0.8, x: 0.7, pos2: 0.6, neg2: 0.5 };
    expect(value('nDCG@10', grades, scores)).toBeCloseTo(0.837218, 6);
    expect(value('R(rel=2)@2', grades, scores)).toBe(0.5);
    expect(value('RR(rel=2)@10', grades, scores)).toBe(0.5);
    expect(value('AP(rel=2)@10', grades, scores)).toBe(0.5);
    expect(value('P(rel=2)@5', grades, scores)).toBe(0.4);
    expect(value('RR', grades, scores)).toBe(1);
  });

  it('hole counts what no query has judged, over k', () => {
    const run: Run = new Map([['q', rank('q', ['a', 'b', 'x'], [3, 2, 1])]]);
    const qrels = new Map([
      ['q', new Map([['a', 1]])],
      ['p', new Map([['b', 1]])],
    ]);
    const { queryIds, values } = evaluateRun(run, qrels, parseMeasures('hole@2,hole@3,hole@10,judged@3'));
    const at = queryIds.indexOf('q');
    expect(values.map((column) => column[at])).toEqual([0, 1 / 3, 0.1, 1 / 3]);
  });

  it('ERR refuses grades above its scale, and exponential gain refuses grades that no double holds', () => {
    expect(() => value('ERR@10', { a: 5 }, { a: 1 })).toThrow(/ERR\(max=5\)/u);
    expect(value('ERR(max=5)@10', { a: 5 }, { a: 1 })).toBe(31 / 32);
    expect(() => value("nDCG(dcg='exp-log2')", { a: 60 }, { a: 1 })).toThrow(AppError);
  });

  it('files stand where their best chunk stands', () => {
    const extras = { fileOf: (id: string) => id.slice(0, id.indexOf('#')) };
    const grades = { 'a.py#1': 1, 'a.py#2': 2, 'b.py#1': 1, 'c.py#1': 0 };
    const scores = descending('x.py#1', 'a.py#9', 'x.py#2', 'c.py#1', 'b.py#7');
    // Files: x.py, a.py, c.py, b.py; relevant: a.py (grade 2), b.py (grade 1).
    expect(value('FileR@2', grades, scores, extras)).toBe(0.5);
    expect(value('FileR@4', grades, scores, extras)).toBe(1);
    expect(value('FileAcc@3', grades, scores, extras)).toBe(0);
    expect(value("FileAcc(match='any')@3", grades, scores, extras)).toBe(1);
    expect(value('FileAcc@4', grades, scores, extras)).toBe(1);
    expect(value('FileAcc(rel=2)@2', grades, scores, extras)).toBe(1);
    const dcg = 2 / Math.log2(3) + 1 / Math.log2(5);
    expect(value('FilenDCG@4', grades, scores, extras)).toBeCloseTo(dcg / (2 + 1 / Math.log2(3)), 12);
    expect(() => evaluateRun(new Map(), new Map(), [parseMeasure('FileR@1')])).toThrow(
      /the file of each document/u,
    );
  });

  it('nAUC is 1 where confidence follows the values, and undefined where all values agree', () => {
    const run = new Map<string, ReturnType<typeof rank>>();
    const qrels = new Map<string, Map<string, number>>();
    for (let i = 0; i < 20; i++) {
      run.set(`q${i}`, rank(`q${i}`, ['a', 'b'], [i < 10 ? 0.1 : 0.9, 0]));
      qrels.set(`q${i}`, new Map([[i < 10 ? 'b' : 'a', 1]]));
    }
    const measures = parseMeasures(`nAUC(of='RR'),nAUC(of='R@2')`);
    const result = evaluateRun(run, qrels, measures);
    expect(result.means.allJudged.values[0]).toBeCloseTo(1, 12);
    expect(result.means.allJudged.values[1]).toBeNull();
    expect(result.values.map((column) => column.length)).toEqual([0, 0]);
  });
});

describe('the mean over queries', () => {
  it('counts queries without results as 0 and ignores queries that nobody judged', () => {
    const qrels = toQrels({ q1: { a: 1 }, q2: { b: 1 }, q3: { c: 1 } });
    const run = toRun({ q1: { a: 1 }, q2: { x: 2, b: 1 }, q9: { a: 1 } });
    const result = evaluateRun(run, qrels, [parseMeasure('RR')]);
    expect(result.means.allJudged).toEqual({ queries: 3, values: [0.5] });
    expect(result.means.evaluated).toEqual({ queries: 2, values: [0.75] });
    expect(result.counts).toEqual({
      judged: 3,
      evaluated: 2,
      withoutResults: 1,
      withoutRelevant: 0,
      ignored: 1,
    });
  });

  it('stays finite and the same over 20 repeats when queries have nothing relevant', () => {
    const qrels = toQrels({ q1: { d1: 0, d2: 0 }, q2: {}, q3: { d2: 1, d3: 1 } });
    const run = toRun({ q3: { d3: 0.9, d2: 0.8 }, q1: { d1: 0.9 } });
    const measures = METRICS.filter(
      (metric) => metric.scope === 'query' && !metric.needs.some((need) => need !== 'judged-anywhere'),
    ).map((metric) => parseMeasure(metric.cutoff === 'none' ? metric.name : `${metric.name}@10`));
    const first = evaluateRun(run, qrels, measures);
    for (const [m, measure] of measures.entries())
      for (const number of first.values[m] ?? []) {
        expect(number).toBeGreaterThanOrEqual(measure.metric.range[0]);
        expect(number).toBeLessThanOrEqual(measure.metric.range[1]);
      }
    expect(first.values[0]?.[first.queryIds.indexOf('q3')]).toBe(1);
    for (let repeat = 0; repeat < 20; repeat++) expect(evaluateRun(run, qrels, measures)).toEqual(first);
    expect(first.counts).toEqual({
      judged: 2,
      evaluated: 2,
      withoutResults: 0,
      withoutRelevant: 2,
      ignored: 0,
    });
  });

  it('is null without queries, never NaN', () => {
    const result = evaluateRun(new Map(), new Map(), [parseMeasure('AP')]);
    expect(result.means.allJudged).toEqual({ queries: 0, values: [null] });
  });
});

describe('the discount table', () => {
  it('is within two units in the last place of log2 and exact for powers of two', () => {
    const table = discountTable(20_000);
    for (let rank = 1; rank <= 20_000; rank++) {
      const exact = Math.log2(rank + 1);
      expect(Math.abs((table[rank] as number) - exact)).toBeLessThanOrEqual(exact * 2 ** -51);
    }
    for (let power = 1; power <= 30; power++) expect(log2Portable(2 ** power)).toBe(power);
  });

  it('has the same bits everywhere', () => {
    let mixed = 0;
    const bits = new DataView(discountTable(4_095).slice(0, 4_096).buffer);
    for (let at = 0; at < bits.byteLength; at += 4)
      mixed = (Math.imul(mixed, 31) + bits.getInt32(at, true)) | 0;
    expect(mixed).toMatchInlineSnapshot(`-932763486`);
  });
});
