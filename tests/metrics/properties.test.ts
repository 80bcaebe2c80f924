import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../seed.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';
import { evaluateQuery, evaluateRun, METRICS, parseMeasure, type Measure } from '../../src/metrics/index.ts';

const runs = process.env['ASSAY_LONG'] === '1' ? 5_000 : 100;
const CUTOFFS = [1, 3, 10];

const perQuery = METRICS.filter((metric) => metric.scope === 'query');
const measures: Measure[] = perQuery.flatMap((metric) => {
  const plain = metric.cutoff === 'required' ? [] : [metric.name];
  const cut = metric.cutoff === 'none' ? [] : CUTOFFS.map((k) => `${metric.name}@${k}`);
  return [...plain, ...cut].map((name) => parseMeasure(name));
});

const id = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '\u{1F600}', '￮', '', '10', '9', 'a b'),
  fc.string({ maxLength: 3 }),
);
const grades = fc.map(id, fc.integer({ min: -2, max: 4 }), { maxKeys: 12 });
const scored = fc.uniqueArray(
  fc.tuple(
    id,
    fc.integer({ min: -3, max: 3 }).map((n) => n / 2),
  ),
  { selector: ([name]) => name, maxLength: 20 },
);
const table = fc.uniqueArray(fc.tuple(id, grades, scored), { selector: ([name]) => name, maxLength: 6 });
/** Query id, judgements, scored documents. */
type Row = readonly [string, Map<string, number>, [string, number][]];

function evaluate(rows: readonly Row[], shuffle: <T>(list: T[]) => T[]) {
  const ordered = shuffle([...rows]);
  const run: Run = new Map(
    ordered.map(([query, , documents]) => {
      const list = shuffle([...documents]);
      return [
        query,
        rank(
          query,
          list.map(([name]) => name),
          list.map(([, score]) => score),
        ),
      ];
    }),
  );
  const qrels = new Map(ordered.map(([query, judgements]) => [query, new Map(shuffle([...judgements]))]));
  const passing = new Map(
    rows.map(([query, , documents]) => [
      query,
      new Set(documents.filter((_, i) => i % 3 === 1).map(([name]) => name)),
    ]),
  );
  return evaluateRun(run, qrels, [...measures, parseMeasure('nAUC')], {
    passing,
    fileOf: (name) => name.slice(0, 1),
  });
}

describe('measures under any input', () => {
  it('do not depend on the order of queries, documents or judgements, to the bit', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.nat()), (rows, numbers) => {
        const shuffle = <T>(list: T[]): T[] => {
          for (let i = list.length - 1; i > 0; i--) {
            const j = (numbers.next().value as number) % (i + 1);
            [list[i], list[j]] = [list[j] as T, list[i] as T];
          }
          return list;
        };
        expect(evaluate(rows, shuffle)).toEqual(evaluate(rows, (list) => list));
      }),
      { numRuns: runs },
    );
  });

  it('stay within their range and are never NaN', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const result = evaluate(rows, (list) => list);
        measures.forEach((measure, m) => {
          const [low, high] = measure.metric.range;
          for (const value of result.values[m] ?? []) {
            expect(value).toBeGreaterThanOrEqual(low);
            // Sums of shares may pass 1 by rounding in the last place.
            expect(value).toBeLessThanOrEqual(high === 1 ? 1 + 1e-15 : high);
          }
        });
        expect(result.counts.judged).toBe(result.counts.evaluated + result.counts.withoutResults);
      }),
      { numRuns: runs },
    );
  });

  it('at k see nothing of an unjudged document below k', () => {
    const cut = measures.filter((measure) => Number.isFinite(measure.cutoff));
    fc.assert(
      fc.property(grades, scored, (judgements, documents) => {
        const extras = {
          passing: new Set(documents.filter((_, i) => i % 2 === 0).map(([name]) => name)),
          fileOf: (name: string) => name,
          judgedAnywhere: new Set(judgements.keys()),
        };
        const names = documents.map(([name]) => name);
        const scores = documents.map(([, score]) => score);
        fc.pre(!names.includes('new one') && !judgements.has('new one'));
        const before = rank('q', names, scores);
        const after = rank('q', [...names, 'new one'], [...scores, -99]);
        const below = cut.filter((measure) => measure.cutoff <= names.length);
        expect(evaluateQuery(after, judgements, below, extras)).toEqual(
          evaluateQuery(before, judgements, below, extras),
        );
      }),
      { numRuns: runs },
    );
  });

  it('do not fall when a relevant document moves up past one that is not', () => {
    const rising = [
      'nDCG',
      'nDCG@5',
      'AP',
      'RR',
      'P@5',
      'R@5',
      'R_cap@5',
      'Success@5',
      'Rprec',
      'Bpref',
      'RBP',
      'ERR',
    ].map((name) => parseMeasure(name));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 12 }), (pattern) => {
        const at = pattern.findIndex((grade, i) => grade === 0 && pattern[i + 1] === 1);
        fc.pre(at >= 0);
        const better = [...pattern];
        [better[at], better[at + 1]] = [1, 0];
        const valuesOf = (list: number[]) =>
          evaluateQuery(
            rank(
              'q',
              list.map((_, i) => `d${i}`),
              list.map((_, i) => -i),
            ),
            new Map(list.map((grade, i) => [`d${i}`, grade])),
            rising,
          );
        const [low, high] = [valuesOf(pattern), valuesOf(better)];
        rising.forEach((measure, m) => {
          expect(high[m], measure.name).toBeGreaterThanOrEqual((low[m] as number) - 1e-15);
        });
      }),
      { numRuns: runs },
    );
  });
});
