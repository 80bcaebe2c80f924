import { describe, expect, it } from 'vitest';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecQuery } from '../../src/analyses/execretrieval/report-types.ts';
import { rank } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { Receipt } from '../../src/share/receipt.ts';
import {
  domainDifferences,
  flippedLines,
  refusals,
  sharedMetrics,
  sidesOf,
} from '../../src/ui/compared-results.ts';
import { compareResults } from '../../src/share/compared-result.ts';
import type { OpenedResult } from '../../src/ui/opened-result.ts';

/** A result of eight queries in two domains; `solved` says which have their canonical first. */
function result(model: string, solved: readonly boolean[], benchmarkDigest = 'aa'): OpenedResult {
  const queries: ExecQuery[] = solved.map((_, i) => ({
    id: `q${i}`,
    domain: i < 4 ? 'geometry' : 'validation',
    canonicalIds: [`c${i}`],
    distractorIds: [`d${i}`],
  }));
  const run = new Map(
    solved.map((first, i) => [`q${i}`, rank(`q${i}`, [`c${i}`, `d${i}`], first ? [0.9, 0.8] : [0.8, 0.9])]),
  );
  const verdicts = new Map(
    solved.map((_, i) => [
      `q${i}`,
      new Map<string, Verdict>([
        [`c${i}`, 'pass'],
        [`d${i}`, 'wrong'],
      ]),
    ]),
  );
  const report = execRetrievalReport({ queries, snippets: new Map(), run, verdicts, resamples: 100 });
  const receipt: Receipt = {
    kind: 'execution',
    manifest: {
      createdAt: '2026-11-30T00:00:00.000Z',
      assayVersion: '0.1.0',
      benchmark: { id: 'exec-mini', documents: 16 },
      model: { id: model, dtype: 'q8', revision: 'r' },
      protocol: 'execretrieval',
      device: 'wasm, 2 threads',
      probeError: null,
      seed: 1,
      resamples: 100,
      cutoffs: [1, 3, 5, 10],
    },
    digests: { benchmark: benchmarkDigest, model: 'm', protocol: 'p', rankings: 'r', record: model },
    outcomes: solved.map(() => ({
      passes: 1,
      retrieved: 2,
      canonicals: 1,
      canonicalRanks: [1],
      nearCloneAtRankOne: false,
    })),
    claims: [],
  };
  return { origin: 'link', receipt, report, checks: [], link: '' };
}

const yes = [true, true, true, true, true, true, true, true];
const half = [true, true, true, true, false, false, false, true];

describe('compared results', () => {
  it('pairs queries, names what flipped and in which domain', () => {
    const sides = sidesOf([result('one', yes), result('two', half)]);
    expect(sides.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(refusals(sides)).toEqual([]);
    expect(sharedMetrics(sides)).toContain('exec@1');
    const comparison = compareResults(sides, 'exec@1');
    const [pair] = comparison.pairs;
    expect(pair?.table).toMatchObject({ both: 5, aOnly: 3, bOnly: 0, neither: 0 });
    // Exact McNemar of 3 to 0: 2 × 0.5³.
    expect(pair?.mcnemar?.p).toBeCloseTo(0.25, 12);
    if (pair === undefined) throw new Error('no pair');
    expect(domainDifferences(sides, pair, 'exec@1').map(({ slice, n, a, b }) => [slice, n, a, b])).toEqual([
      ['validation', 4, 1, 0.25],
      ['geometry', 4, 1, 1],
    ]);
    expect(
      flippedLines(sides, pair).map(({ queryId, rowA, rowB }) => [queryId, rowA.rankOne, rowB.rankOne]),
    ).toEqual([
      ['q4', 'passes', 'near-clone'],
      ['q5', 'passes', 'near-clone'],
      ['q6', 'passes', 'near-clone'],
    ]);
  });

  it('tells equal systems apart by a number', () => {
    expect(sidesOf([result('one', yes), result('one', half)]).map(({ name }) => name)).toEqual([
      'one',
      'one (2)',
    ]);
  });

  it('refuses other data', () => {
    expect(refusals(sidesOf([result('one', yes), result('two', half, 'bb')]))).toHaveLength(1);
  });
});
