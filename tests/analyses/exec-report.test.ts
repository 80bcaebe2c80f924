import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type {
  DeceptionCell,
  ExecReport,
  ExecReportInput,
} from '../../src/analyses/execretrieval/report-types.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import { changeProtocol, findProtocol, type ProtocolChanges } from '../../src/protocols/index.ts';
import { execGolden, goldenInput, goldenSystems, type Rates } from './exec-golden.ts';

const reports = new Map(goldenSystems.map((system) => [system, execRetrievalReport(goldenInput(system))]));

function expectRates(cell: DeceptionCell, rates: Rates): void {
  expect([cell.triples, cell.deceived, cell.tied]).toEqual([rates.triples, rates.deceived, rates.tied]);
  expect(cell.strict.value).toBeCloseTo(rates.strict, 12);
  expect(cell.ties.value).toBeCloseTo(rates.ties, 12);
  expect(cell.half.value).toBeCloseTo(rates.half, 12);
  expect(cell.strict.n).toBe(rates.triples);
}

describe('the ExecRetrieval report on the golden table', () => {
  for (const [system, report] of reports) {
    const golden = execGolden.values[system] as (typeof execGolden.values)[string];
    const spelt = (column: string): string => column.replace('nDCG', 'ndcg');

    it(`${system}: metrics and intervals`, () => {
      expect(report.columns.map(spelt)).toEqual(golden.measures);
      report.cells.forEach((cell, c) => {
        const name = spelt(report.columns[c] as string);
        expect(cell.value, name).toBeCloseTo(golden.mean[name] as number, 12);
        const [low, high] = golden.ci95[name] as [number, number];
        expect(cell.low, name).toBeCloseTo(low, 12);
        expect(cell.high, name).toBeCloseTo(high, 12);
        expect(cell.n).toBe(70);
        expect(cell.upper).toBe(cell.value);
      });
    });

    it(`${system}: every query`, () => {
      for (const row of report.perQuery) {
        const expected = golden.perQuery[row.queryId] as number[];
        row.values.forEach((value, c) => expect(value, row.queryId).toBeCloseTo(expected[c] as number, 12));
      }
      expect(report.perQuery).toHaveLength(Object.keys(golden.perQuery).length);
    });

    it(`${system}: the other readings`, () => {
      for (const { k, value } of report.otherReadings.executionPrecisionOverReturned)
        expect(value).toBeCloseTo(
          golden.otherReadings['execution_precision over returned']?.[`@${k}`] as number,
          12,
        );
      for (const { k, value } of report.otherReadings.ndcgBestCanonical)
        expect(value).toBeCloseTo(golden.otherReadings['ndcg best canonical only']?.[`@${k}`] as number, 12);
    });

    it(`${system}: domains and near-clones`, () => {
      expect(report.domains.map(({ domain }) => domain)).toEqual(Object.keys(golden.byDomain).sort());
      for (const slice of report.domains) {
        const expected = golden.byDomain[slice.domain];
        expect(slice.queries).toBe(expected?.queries);
        expect(slice.cells[0]?.value).toBeCloseTo(expected?.['exec@1'] as number, 12);
      }
      const { misses, nearClones } = golden.nearCloneMisses;
      expect([report.nearCloneMisses.count, report.nearCloneMisses.n]).toEqual([nearClones, misses]);
      const byDomain = report.domains.reduce((sum, slice) => sum + slice.nearCloneMisses.count, 0);
      expect(byDomain).toBe(nearClones);
    });

    it(`${system}: deception`, () => {
      const expected = execGolden.deception[system] as (typeof execGolden.deception)[string];
      expectRates(report.deception, expected.all);
      for (const slice of report.bugTypes) {
        if (slice.deception === null) expect(slice.mechanical).toBe(false);
        else expectRates(slice.deception, expected.byBugType[slice.bugType] as Rates);
      }
      expect(report.bugTypes.filter(({ mechanical }) => mechanical)).toHaveLength(6);
      const below = expected.canonicalBelowAtLeastOne;
      expect(report.canonicalBelow.queries).toBe(below.queries);
      expect(report.canonicalBelow.strict.value).toBeCloseTo(below.strict, 12);
      expect(report.canonicalBelow.ties.value).toBeCloseTo(below.ties, 12);
      for (const gap of ['gapToMax', 'gapToMean'] as const) {
        expect(report.canonicalBelow[gap].median).toBeCloseTo(below[gap].median, 12);
        expect(report.canonicalBelow[gap].mean.value).toBeCloseTo(below[gap].mean, 12);
      }
    });
  }

  it('tells the awkward queries apart', () => {
    const alpha = reports.get('alpha') as ExecReport;
    const warning = (report: ExecReport, code: string): number =>
      report.warnings.find((one) => one.code === code)?.count ?? 0;
    // The canonicals of q_0015 (fails) and q_0017 (no outcomes); 'PASS' in q_0018 belongs to a distractor.
    expect(warning(alpha, 'canonical-fails')).toBe(2);
    expect(warning(alpha, 'distractor-passes')).toBe(1);
    expect(warning(reports.get('gamma') as ExecReport, 'no-ranking')).toBe(1);
    expect(warning(reports.get('beta') as ExecReport, 'short-ranking')).toBe(1);
    const empty = (reports.get('gamma') as ExecReport).perQuery.find(({ queryId }) => queryId === 'q_0012');
    expect(empty).toMatchObject({
      rankOne: 'no-ranking',
      strip: [],
      firstPassingRank: null,
      canonicalRanks: [],
    });
    const two = alpha.perQuery.find(({ queryId }) => queryId === 'q_0031');
    expect(two?.canonicals).toBe(2);
  });

  it('is plain data: the same after JSON and after a structured clone', () => {
    for (const report of reports.values()) {
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      expect(structuredClone(report)).toEqual(report);
    }
  });
});

/** Two queries, each with a canonical and two distractors; `a` is solved, `b` is not. */
function smallInput(changes: Partial<ExecReportInput> = {}): ExecReportInput {
  const ranking = (queryId: string, documentIds: string[], scores: number[]): [string, Ranking] => [
    queryId,
    { queryId, documentIds, scores: Float64Array.from(scores) },
  ];
  return {
    queries: [
      { id: 'a', domain: 'geometry', canonicalIds: ['a0'], distractorIds: ['a1', 'a2'] },
      { id: 'b', domain: null, canonicalIds: ['b0'], distractorIds: ['b1', 'b2'] },
    ],
    snippets: new Map([
      ['a0', { code: 'x < 1' }],
      ['a1', { code: 'x <= 1', bugType: 'wrong_comparison' }],
      ['a2', { code: 'x < 12345678901', bugType: 'off_by_one' }],
      ['b0', { code: 'y' }],
      ['b1', { code: 'z', bugType: 'wrong_operator' }],
      ['b2', { code: 'y', bugType: 'legacy' }],
    ]),
    run: new Map([ranking('a', ['a0', 'a1'], [0.9, 0.8]), ranking('b', ['b1', 'a0'], [0.7, 0.7])]),
    verdicts: new Map([
      [
        'a',
        new Map<string, Verdict>([
          ['a0', 'pass'],
          ['a1', 'wrong'],
        ]),
      ],
      [
        'b',
        new Map<string, Verdict>([
          ['b1', 'wrong'],
          ['a0', 'unsupported'],
        ]),
      ],
    ]),
    cutoffs: [1, 2],
    resamples: 200,
    ...changes,
  };
}

describe('the ExecRetrieval report by hand', () => {
  it('reads similarities off a cut list: what it lacks lies below', () => {
    const report = execRetrievalReport(smallInput());
    // a: a0 above a1, a2 below the end; b: canonical below the end, b1 above it; b2 is not mechanical.
    expect(report.deception).toMatchObject({ triples: 3, deceived: 1, tied: 0 });
    expect(report.counts.unknownTriples).toBe(0);
    expect(report.canonicalBelow.strict).toMatchObject({ count: 1, n: 2 });
    // Only where every similarity is known is there a gap.
    expect(report.perQuery.map(({ gap }) => gap)).toEqual([null, null]);
    expect(report.canonicalBelow.gapToMax).toEqual({
      median: null,
      mean: { value: null, low: null, high: null, n: 0 },
    });
  });

  it('counts triples that cannot be told instead of guessing', () => {
    const report = execRetrievalReport(
      smallInput({
        similarities: new Map([
          ['a', new Map([['a0', 0.9]])],
          [
            'b',
            new Map([
              ['b0', 0.5],
              ['b1', 0.5],
            ]),
          ],
        ]),
      }),
    );
    expect(report.deception).toMatchObject({ triples: 1, deceived: 0, tied: 1 });
    expect(report.counts.unknownTriples).toBe(2);
    expect(report.canonicalBelow.ties.count).toBe(1);
    expect(report.perQuery[1]?.gap).toEqual({ toMax: 0, toMean: 0 });
  });

  it('counts what could not run as not passing and shows what it could have been', () => {
    const report = execRetrievalReport(smallInput());
    const cell = (name: string): unknown => report.cells[report.columns.indexOf(name)];
    expect(cell('exec@1')).toMatchObject({ value: 0.5, upper: 0.5 });
    expect(cell('exec@2')).toMatchObject({ value: 0.5, upper: 1 });
    expect(report.counts).toMatchObject({ unsupported: 1, platformSensitive: 0, missingVerdicts: 0 });
    const upstream = new Map([['b', new Map([['a0', false]])]]);
    const informed = execRetrievalReport(smallInput({ upstreamPasses: upstream }));
    expect(informed.cells[informed.columns.indexOf('exec@2')]).toMatchObject({ value: 0.5, upper: 0.5 });
  });

  it('warns of a canonical that needs what the environment has not', () => {
    const verdicts = new Map([['a', new Map<string, Verdict>([['a0', 'platform-sensitive']])]]);
    const report = execRetrievalReport(smallInput({ verdicts }));
    expect(report.warnings.find(({ code }) => code === 'canonical-unsupported')?.examples).toEqual([
      'a a0 platform-sensitive',
    ]);
    expect(report.counts.missingVerdicts).toBe(3);
  });

  it('follows the protocol where one is given', () => {
    const changed = (changes: ProtocolChanges): ExecReport =>
      execRetrievalReport(smallInput({ protocol: changeProtocol(findProtocol('execretrieval'), changes) }));
    const cell = (report: ExecReport, name: string): number | null | undefined =>
      report.cells[report.columns.indexOf(name)]?.value;
    expect(cell(changed({ passing: 'verdict-pass-or-unsupported' }), 'exec@2')).toBe(1);
    expect(cell(changed({ depth: 1 }), 'execution_precision@2')).toBe(0.25);
    const one = smallInput();
    const run = new Map([...one.run].slice(0, 1));
    expect(cell(execRetrievalReport({ ...one, run }), 'exec@1')).toBe(0.5);
    const protocol = changeProtocol(findProtocol('execretrieval'), { queriesWithoutResults: 'excluded' });
    expect(cell(execRetrievalReport({ ...one, run, protocol }), 'exec@1')).toBe(1);
  });

  it('buckets deception by the edited span', () => {
    const report = execRetrievalReport(smallInput());
    const counts = report.spans?.buckets.map(({ bucket, deception }) => [bucket, deception.triples]);
    // '<' to '<=' is 1, '1' to '12345678901' is 10, 'y' to 'z' is 1.
    expect(counts).toEqual([
      ['1', 2],
      ['2-5', 0],
      ['6-10', 1],
      ['11-20', 0],
      ['21+', 0],
    ]);
    const bare = smallInput({ snippets: new Map([['a1', { bugType: 'off_by_one' }]]) });
    expect(execRetrievalReport(bare).spans).toBeNull();
  });

  it('ignores the order of queries and runs, and a snippet added below the cut', () => {
    const base = goldenInput('beta');
    const expected = execRetrievalReport({ ...base, resamples: 50 });
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ noNaN: true, min: 0, max: 1 })), (stream) => {
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, key: stream.next().value as number }))
            .sort((x, y) => x.key - y.key)
            .map(({ item }) => item);
        const report = execRetrievalReport({
          ...base,
          resamples: 50,
          queries: shuffled(base.queries),
          run: new Map(shuffled([...base.run])),
        });
        expect(report.cells).toEqual(expected.cells);
        expect(report.deception).toEqual(expected.deception);
        expect(report.perQuery).toEqual(expected.perQuery);
      }),
      { numRuns: 5 },
    );
  });

  it('survives an empty benchmark', () => {
    const report = execRetrievalReport({
      queries: [],
      snippets: new Map(),
      run: new Map(),
      verdicts: new Map(),
    });
    expect(report.cells.every(({ value, n }) => value === null && n === 0)).toBe(true);
    expect(report.nearCloneMisses).toMatchObject({ value: null, count: 0, n: 0 });
  });
});
