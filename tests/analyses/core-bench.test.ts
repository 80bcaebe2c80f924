import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
import { rewriteEffect } from '../../src/analyses/core-bench/rewrite-effect.ts';
import { targetExpansion } from '../../src/analyses/core-bench/target-expansion.ts';
import { rank } from '../../src/domain/ranking.ts';
import { changeProtocol, findProtocol } from '../../src/protocols/index.ts';
import { bootstrapMean } from '../../src/stats/bootstrap.ts';

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
