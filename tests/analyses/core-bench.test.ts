import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { annotationAgreement } from '../../src/analyses/core-bench/annotation-agreement.ts';
import { levelAverages, levelOneScore, macroAverage } from '../../src/analyses/core-bench/averages.ts';
import { levelCorrelations, type LevelModel } from '../../src/analyses/core-bench/level-correlation.ts';
import {
  coreBenchReport,
  repositoryKey,
  type CoreBenchReportInput,
} from '../../src/analyses/core-bench/level-report.ts';
import {
  languageOfFile,
  majorityLanguage,
  type CoreBenchQuery,
} from '../../src/analyses/core-bench/queries.ts';
import { regimesOf } from '../../src/analyses/core-bench/regimes.ts';
import { resolution } from '../../src/analyses/core-bench/resolution.ts';
import { rewriteEffect } from '../../src/analyses/core-bench/rewrite-effect.ts';
import { targetExpansion } from '../../src/analyses/core-bench/target-expansion.ts';
import { rank } from '../../src/domain/ranking.ts';
import { changeProtocol, findProtocol } from '../../src/protocols/index.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';
import { spearman, spearmanInterval } from '../../src/stats/spearman.ts';

/** tests/golden/metrics-visibility.json: restated reference, identical to pytrec_eval on the filtered data. */
const golden = JSON.parse(
  readFileSync(new URL('../golden/metrics-visibility.json', import.meta.url), 'utf8'),
) as {
  corpus: string[];
  visible: Record<string, string[]>;
  qrels: Record<string, Record<string, number>>;
  run: Record<string, number[]>;
  filterBeforeCut: Record<
    'judgedInvisibleStay' | 'judgedInvisibleDropped',
    Record<string, (number | null)[]>
  >;
};

const queryIds = Object.keys(golden.qrels);
const input: CoreBenchReportInput = {
  queries: queryIds.map((id, i): CoreBenchQuery => {
    return {
      id,
      subDataset: i < 4 ? 'SWE-bench Verified' : 'SWE-bench Live',
      repository: `repository-${i % 5}`,
      language: i === 0 ? 'Go' : null,
      intent: i % 2 === 0 ? 'bug report' : 'question',
    };
  }),
  qrels: new Map(Object.entries(golden.qrels).map(([id, grades]) => [id, new Map(Object.entries(grades))])),
  run: new Map(Object.entries(golden.run).map(([id, scores]) => [id, rank(id, golden.corpus, scores)])),
  // An empty list means that every chunk is visible.
  visible: new Map(
    Object.entries(golden.visible)
      .filter(([, ids]) => ids.length > 0)
      .map(([id, ids]) => [id, new Set(ids)]),
  ),
  repositoryChunks: new Map(
    queryIds.map((_, i) => [
      repositoryKey(i < 4 ? 'SWE-bench Verified' : 'SWE-bench Live', `repository-${i % 5}`),
      100 * (i % 5),
    ]),
  ),
  resamples: 100,
};

describe('report on a level of CORE-Bench (code retrieval)', () => {
  const report = coreBenchReport(input);
  const column = (name: string): number => report.measures.indexOf(name);

  it('scores visible chunks only, in both readings of judged but invisible ones', () => {
    const kept = coreBenchReport({
      ...input,
      protocol: changeProtocol(findProtocol('core-bench'), { invisibleJudged: 'kept' }),
    });
    for (const [actual, reading] of [
      [report, 'judgedInvisibleDropped'],
      [kept, 'judgedInvisibleStay'],
    ] as const) {
      const rows = new Map(actual.perQuery.map((row) => [row.queryId, row.values]));
      for (const [id, [nDCG, recall]] of Object.entries(golden.filterBeforeCut[reading])) {
        const values = rows.get(id);
        if (nDCG === null || nDCG === undefined) expect(values, id).toBeUndefined();
        else {
          expect(values?.[column('nDCG@10')], id).toBeCloseTo(nDCG, 12);
          expect(values?.[column("nDCG(dcg='exp-log2')@10")], id).toBeCloseTo(nDCG, 12);
          expect(values?.[column('R@100')], id).toBeCloseTo(recall as number, 12);
        }
      }
    }
    expect(report.leftWithoutJudgements).toBe(1);
  });

  it('averages over sub-datasets, repositories and queries', () => {
    const m = column('nDCG@10');
    const values = report.perQuery.map((row) => row.values[m] as number);
    const average = (list: readonly number[]): number =>
      list.reduce((sum, value) => sum + value, 0) / list.length;
    const verified = values.filter((_, i) => report.perQuery[i]?.subDataset === 'SWE-bench Verified');
    const live = values.filter((_, i) => report.perQuery[i]?.subDataset === 'SWE-bench Live');
    const [subDatasets, repositories, queries] = report.averages[m]?.estimates ?? [];
    expect(subDatasets).toMatchObject({ average: 'sub-datasets', groups: 2, n: 13 });
    expect(subDatasets?.value).toBeCloseTo((average(verified) + average(live)) / 2, 12);
    expect(repositories).toMatchObject({ average: 'repositories', groups: 8 });
    expect(queries?.value).toBeCloseTo(average(values), 12);
    const plain = bootstrapMean(values, { resamples: 100 });
    expect([queries?.low, queries?.high]).toEqual([plain.low, plain.high]);
  });

  it('slices with n, and by repository beside by query', () => {
    expect(report.subDatasets.map(({ name, n }) => [name, n])).toEqual([
      ['SWE-bench Live', 10],
      ['SWE-bench Verified', 3],
    ]);
    // q01 declares Go; the others are read off their gold chunks, which are Python files.
    expect(report.languages.map(({ name, n }) => [name, n])).toEqual([
      ['Go', 1],
      ['Python', 12],
    ]);
    expect(report.intents.map(({ name }) => name)).toEqual(['bug report', 'question']);
    expect(report.regimes?.thresholds.from).toBe('medians');
    const inRegimes = report.regimes?.slices.reduce((sum, { n }) => sum + n, 0);
    expect(inRegimes).toBe(13);
    for (const { cells, n } of report.languages)
      for (const { byQuery, byRepository } of cells) expect([byQuery.n, byRepository?.n]).toEqual([n, n]);
    const { repositoryChunks: _chunks, ...bare } = input;
    expect(coreBenchReport(bare).regimes).toBeNull();
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('refuses lists of what is excluded', () => {
    const inverted = new Map(
      [...(input.visible ?? [])].map(([id]) => [
        id,
        new Set(golden.corpus.filter((chunk) => !(golden.qrels[id]?.[chunk] !== undefined))),
      ]),
    );
    expect(() => coreBenchReport({ ...input, visible: inverted })).toThrow(
      /look like lists of what is excluded/,
    );
  });

  it('compares rewritten with raw queries, paired, with repositories as clusters', () => {
    const worse = new Map(
      [...input.run].map(([id, ranking]) => {
        const dropped = new Set(ranking.documentIds.slice(0, 5));
        const kept = ranking.documentIds.filter((chunk) => !dropped.has(chunk));
        return [id, { queryId: id, documentIds: kept, scores: ranking.scores.slice(5) }];
      }),
    );
    const effect = rewriteEffect('nDCG@10', report, coreBenchReport({ ...input, run: worse }), {
      resamples: 100,
    });
    expect(effect).toMatchObject({ a: 'rewritten', b: 'raw', n: 13 });
    expect(effect.difference.value).toBeLessThan(0);
    expect(effect.cluster?.clusters).toBe(8);
  });
});

describe('levels of CORE-Bench (code retrieval)', () => {
  it('average to the published figures, and to nothing when a part is missing', () => {
    // Qwen3-Embedding-8B in table 3: 71.7, 20.3, 34.4 -> 42.2; rewrites 17.2, 30.8 -> 24.0.
    const averages = levelAverages({ L1: 71.7, L2: 20.3, L3: 34.4, 'L2-Rw': 17.2, 'L3-Rw': 30.8 });
    expect(averages['L1-L3 Avg']).toBeCloseTo(42.13, 2);
    expect(averages['Rewrite Avg']).toBeCloseTo(24, 12);
    expect(levelAverages({ L1: null, L2: 1, L3: 1, 'L2-Rw': null, 'L3-Rw': 1 })).toEqual({
      'L1-L3 Avg': null,
      'Rewrite Avg': null,
    });
    expect(
      levelOneScore(
        new Map([
          ['CosQA', [0.2]],
          ['CPRet', [0.4, 0.8]],
        ]),
      ),
    ).toBeCloseTo(0.4, 12);
    expect(levelOneScore(new Map([['CosQA', []]]))).toBeNull();
  });

  it('correlate as in table 3', () => {
    // L1, L2, L3 of the fourteen rows (nDCG@10).
    const rows = [
      [47.4, 12.1, 22.5],
      [23.8, 4.6, 8.7],
      [66.9, 17.0, 32.6],
      [31.3, 3.5, 8.1],
      [56.2, 17.0, 31.6],
      [72.7, 18.3, 32.8],
      [72.4, 16.7, 32.9],
      [54.7, 18.3, 33.9],
      [45.4, 22.4, 34.4],
      [63.8, 19.0, 33.8],
      [71.7, 20.3, 34.4],
      [58.1, 26.5, 44.5],
      [59.8, 30.3, 49.2],
      [63.0, 32.8, 50.2],
    ];
    const models = rows.map(([l1, l2, l3], i): LevelModel => ({
      name: `model ${i}`,
      level1: new Map([['CosQA', l1 as number]]),
      level2: l2 as number,
      level3: l3 as number,
    }));
    const cells = levelCorrelations(models);
    const cell = (from: string, to: string): (typeof cells)[number] | undefined =>
      cells.find((one) => one.from === from && one.to === to);
    expect(cell('L1', 'L2')?.rho).toBeCloseTo(0.324, 3);
    expect(cell('L1', 'L3')?.rho).toBeCloseTo(0.348, 3);
    expect(cell('L2', 'L3')?.rho).toBeCloseTo(0.961, 3);
    expect(cell('T2C', 'L2')).toMatchObject({ models: 14, rho: cell('L1', 'L2')?.rho });
    expect(cell('C2T', 'L2')).toMatchObject({ models: 0, rho: null, low: null });
    expect(cell('L1', 'L2')?.low).toBeLessThan(0);
    expect(cell('L2', 'L3')?.low).toBeGreaterThan(0.8);
    // A model that lacks a set of the group is left out, not averaged over fewer sets.
    const partial = [...models.slice(1), { ...models[0], level1: new Map() } as LevelModel];
    expect(levelCorrelations(partial).find(({ from, to }) => from === 'T2C' && to === 'L2')?.models).toBe(13);
  });

  it('have intervals of correlation that shrink with n and contain rho', () => {
    const rho = spearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]).value as number;
    const [low, high] = spearmanInterval(rho, 6) as [number, number];
    expect(low).toBeLessThan(rho);
    expect(high).toBeGreaterThan(rho);
    const [, narrower] = spearmanInterval(rho, 60) as [number, number];
    expect(narrower).toBeLessThan(high);
    expect(spearmanInterval(0.5, 3)).toBeNull();
    expect(spearmanInterval(1, 10)).toEqual([1, 1]);
  });

  it('macro averages do not depend on how many queries a group has', () => {
    expect(macroAverage([1, 1, 1, 0], ['a', 'a', 'a', 'b'], { resamples: 50 })).toMatchObject({
      value: 0.5,
      n: 4,
    });
    expect(macroAverage([], []).value).toBeNull();
  });
});

describe('repositories, languages and targets', () => {
  it('fall into regimes by medians or by given thresholds', () => {
    const repositories = [
      { repository: 'a', chunks: 10, relevantPerQuery: 1 },
      { repository: 'b', chunks: 1_000, relevantPerQuery: 1 },
      { repository: 'c', chunks: 10, relevantPerQuery: 9 },
      { repository: 'd', chunks: 1_000, relevantPerQuery: 9 },
    ];
    const { thresholds, regimes } = regimesOf(repositories);
    expect(thresholds).toEqual({ chunks: 505, relevantPerQuery: 5, from: 'medians' });
    expect([...regimes]).toEqual([
      ['a', 'F-S'],
      ['b', 'F-L'],
      ['c', 'D-S'],
      ['d', 'D-L'],
    ]);
    const given = regimesOf(repositories, { chunks: 2_000, relevantPerQuery: 0 });
    expect([...new Set(given.regimes.values())]).toEqual(['D-S']);
    expect(given.thresholds.from).toBe('given');
  });

  it('have the language of most of their gold files', () => {
    expect(languageOfFile('src/a/Main.java')).toBe('Java');
    expect(languageOfFile('README.md')).toBeNull();
    expect(languageOfFile('Makefile')).toBeNull();
    expect(majorityLanguage(['a.ts', 'b.tsx', 'c.js', 'd.md', 'e.md', 'f.md'])).toBe('TypeScript');
    expect(majorityLanguage(['x.md'])).toBeNull();
  });

  it('expand from edits to context on shared instances', () => {
    const level2 = new Map([
      [
        'django-1',
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
      ],
      ['only-2', new Map([['a', 1]])],
    ]);
    const level3 = new Map([
      [
        'django-1',
        new Map([
          ['a', 1],
          ['c', 1],
          ['d', 1],
          ['e', 1],
          ['x', 0],
        ]),
      ],
      ['only-3', new Map([['z', 1]])],
    ]);
    const expansion = targetExpansion(level2, level3, undefined, { resamples: 10 });
    expect(expansion.instances).toEqual([{ instance: 'django-1', level2: 2, level3: 4, overlap: 1 }]);
    expect(expansion).toMatchObject({ onlyLevel2: 1, onlyLevel3: 1, medianGrowth: 2 });
    expect(expansion.kept.value).toBe(0.5);
  });
});

describe('annotation and resolution', () => {
  it('agreement: perfect, partial with gaps, and none', () => {
    const perfect = annotationAgreement(
      ['r1', 'r2'],
      [
        ['yes', 'yes'],
        ['no', 'no'],
      ],
    );
    expect(perfect).toMatchObject({
      krippendorff: 1,
      fleiss: { kappa: 1, items: 2 },
      unanimous: { value: 1 },
    });
    const partial = annotationAgreement(
      ['r1', 'r2', 'r3'],
      [
        ['yes', 'yes', 'no'],
        ['no', 'no', null],
        ['yes', 'yes', 'yes'],
        ['no', null, null],
      ],
    );
    expect(partial.items).toBe(4);
    expect(partial.unanimous).toMatchObject({ count: 2, n: 3 });
    expect(partial.fleiss.items).toBe(2);
    expect(partial.pairs.map(({ a, b, items }) => [a, b, items])).toEqual([
      ['r1', 'r2', 3],
      ['r1', 'r3', 2],
      ['r2', 'r3', 2],
    ]);
    expect(partial.pairs[0]?.kappa).toBe(1);
    expect(annotationAgreement([], []).krippendorff).toBeNull();
  });

  it('resolution: Wilson rates by source and McNemar of Level 3 against Level 2', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      instance: `i${i}`,
      source: i < 10 ? 'Verified' : 'Pro',
      full: true,
      level2: i % 4 === 0,
      level3: i === 19 ? null : i % 2 === 0,
    }));
    const table = resolution(rows, { resamples: 50 });
    expect(table.map(({ source }) => source)).toEqual(['Pro', 'Verified', 'all']);
    const all = table[2];
    expect([all?.full.count, all?.level2.count, all?.level3.count, all?.level3.n]).toEqual([20, 5, 10, 19]);
    expect(all?.pairs).toEqual({ both: 5, aOnly: 5, bOnly: 0, neither: 9, n: 19 });
    expect(all?.p).toBe(0.0625);
    expect(all?.difference.value).toBeCloseTo(5 / 19, 12);
  });
});
