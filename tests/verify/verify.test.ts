import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Suite, SuiteResult } from '../../src/contracts/judge.ts';
import { rank, type Ranking } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { BenchmarkTexts } from '../../src/verify/benchmark-texts.ts';
import { chanceOfMissing, sampleIndices, samplingSentence } from '../../src/verify/sampling.ts';
import type { EncodedAgain, NamedVectors, VerifyServices } from '../../src/verify/services.ts';
import { verifyEncoding } from '../../src/verify/verify-encode.ts';
import { verifySearch } from '../../src/verify/verify-search.ts';
import { verifyVerdicts } from '../../src/verify/verify-verdicts.ts';
import { resultFixture } from '../share/result-fixture.ts';

describe('samples', () => {
  it('are distinct, within range, whole when large enough, and the same for the same seed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 320 }),
        fc.nat(1_000),
        (total, size, seed) => {
          const indices = sampleIndices(total, size, seed);
          expect(indices).toHaveLength(Math.min(total, size));
          expect(new Set(indices).size).toBe(indices.length);
          expect(indices.every((i) => i >= 0 && i < total)).toBe(true);
          expect(sampleIndices(total, size, seed)).toEqual(indices);
        },
      ),
    );
  });

  it('draw every index about equally often', () => {
    const counts = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 2_000; seed++)
      for (const i of sampleIndices(10, 3, seed)) counts[i] = (counts[i] as number) + 1;
    for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(100);
  });

  it('miss a fraud with the chance of the hypergeometric distribution', () => {
    // C(8,3)/C(10,3) = 56/120
    expect(chanceOfMissing(10, 2, 3)).toBeCloseTo(56 / 120, 12);
    expect(chanceOfMissing(10, 0, 3)).toBe(1);
    expect(chanceOfMissing(10, 8, 3)).toBe(0);
    expect(samplingSentence(100, 100, 1, 'pairs')).toBe('all 100 pairs');
    expect(samplingSentence(1_500, 50, 7, 'pairs')).toMatch(
      /^50 of 1500 pairs, drawn with seed 7; 1 % altered: missed with chance 60 %/,
    );
  });
});

const dimensions = 4;

function vectors(ids: readonly string[], seed: number): EncodedAgain {
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31 - 0.5;
  const values = Float32Array.from({ length: ids.length * dimensions }, random);
  return { ids, dimensions, values, fileDigests: {}, probeError: 1e-7 };
}

const plainSearch: Pick<VerifyServices, 'search'> = {
  search: (documents, queries, { k }) => {
    const dot = (q: number, d: number): number => {
      let sum = 0;
      for (let i = 0; i < dimensions; i++)
        sum +=
          (queries.values[q * dimensions + i] as number) * (documents.values[d * dimensions + i] as number);
      return sum;
    };
    return Promise.resolve(
      queries.ids.map((id, q) =>
        rank(
          id,
          documents.ids,
          documents.ids.map((_, d) => dot(q, d)),
          k,
        ),
      ),
    );
  },
};

describe('level 2', () => {
  const documents: NamedVectors = vectors(['a', 'b', 'c', 'd', 'e'], 1);
  const queries: NamedVectors = vectors(['q1', 'q2', 'q3'], 2);
  const again = async (change: (run: Map<string, Ranking>) => void, tolerance = 0) => {
    const rankings = await plainSearch.search(documents, queries, { k: 4, similarity: 'dot' });
    const run = new Map(rankings.map((ranking) => [ranking.queryId, ranking]));
    change(run);
    const options = {
      documents,
      queries,
      similarity: 'dot',
      depth: 4,
      sample: 99,
      seed: 1,
      tolerance,
      level: 2,
    } as const;
    return verifySearch(plainSearch, { run, ...options });
  };

  it('finds the same rankings, and names a swap, a left-out document or another score', async () => {
    expect((await again(() => undefined)).state).toBe('equal');
    const swapped = await again((run) => {
      const { documentIds, scores } = run.get('q2') as Ranking;
      const [first, second, ...rest] = documentIds as [string, string, ...string[]];
      run.set('q2', { queryId: 'q2', documentIds: [second, first, ...rest], scores });
    });
    expect(swapped).toMatchObject({ state: 'different' });
    expect(swapped.note).toContain('query "q2", rank 1');
    const omitted = await again((run) => {
      const { documentIds, scores } = run.get('q3') as Ranking;
      run.set('q3', { queryId: 'q3', documentIds: documentIds.slice(1), scores: scores.slice(1) });
    }, 1e-6);
    expect(omitted.state).toBe('different');
    const nudged = (by: number, tolerance: number) =>
      again((run) => {
        const ranking = run.get('q1') as Ranking;
        run.set('q1', { ...ranking, scores: ranking.scores.map((score) => score + by) });
      }, tolerance);
    expect((await nudged(1e-9, 0)).state).toBe('different');
    expect((await nudged(1e-9, 1e-6)).state).toBe('equal');
    expect((await nudged(1e-3, 1e-6)).state).toBe('different');
  });
});

describe('levels 3 and 4', () => {
  it('encode a sample again and name the pair whose score does not come from its texts', async () => {
    const { record, tables } = await resultFixture(11, 6);
    const documents = [...tables.snippets.keys()];
    const texts: BenchmarkTexts = {
      documents: new Map(documents.map((id) => [id, id])),
      queries: new Map(tables.queries.map(({ id }) => [id, { text: id, tests: ['assert True'] }])),
    };
    const all = {
      query: vectors(
        tables.queries.map(({ id }) => id),
        3,
      ),
      document: vectors(documents, 4),
    };
    const services: Pick<VerifyServices, 'encode'> = {
      encode: (wanted, side) => {
        const from = all[side];
        const rows = wanted.map(({ id }) => from.ids.indexOf(id));
        const values = Float32Array.from(
          rows.flatMap((row) => [...from.values.subarray(row * dimensions, (row + 1) * dimensions)]),
        );
        return Promise.resolve({
          ...from,
          ids: wanted.map(({ id }) => id),
          values,
          fileDigests: record.model.fileDigests,
        });
      },
    };
    const options = { sample: 1_000, seed: 1, similarity: 'dot' } as const;
    const honest = structuredClone(record);
    const score = (queryId: string, documentId: string): number => {
      const [q, d] = [all.query.ids.indexOf(queryId), all.document.ids.indexOf(documentId)];
      let sum = 0;
      for (let i = 0; i < dimensions; i++)
        sum +=
          (all.query.values[q * dimensions + i] as number) *
          (all.document.values[d * dimensions + i] as number);
      return sum;
    };
    for (const { queryId, strip } of honest.report.perQuery)
      for (const cell of strip) (cell as { score: number }).score = score(queryId, cell.documentId);
    expect((await verifyEncoding(services, honest, texts, options)).map(({ state }) => state)).toEqual([
      'equal',
      'equal',
    ]);
    const forged = structuredClone(honest);
    (forged.report.perQuery[2]?.strip[4] as { score: number }).score += 0.01;
    const [, claim] = await verifyEncoding(services, forged, texts, options);
    expect(claim).toMatchObject({ state: 'different' });
    expect(claim?.note).toContain(JSON.stringify(forged.report.perQuery[2]?.queryId));
    const other = { ...honest, model: { ...honest.model, fileDigests: { 'model.onnx': 'f'.repeat(64) } } };
    expect((await verifyEncoding(services, other, texts, options))[0]?.state).toBe('different');
  });

  it('run a sample again and name the pair whose verdict is another', async () => {
    const { record, tables } = await resultFixture(12, 6);
    const texts: BenchmarkTexts = {
      documents: new Map([...tables.snippets.keys()].map((id) => [id, id])),
      queries: new Map(tables.queries.map(({ id }) => [id, { text: id, tests: [`for ${id}`] }])),
    };
    const judge = (verdictOf: (suite: Suite, right: boolean) => Verdict): Pick<VerifyServices, 'judge'> => ({
      judge: (suites) =>
        Promise.resolve(
          suites.map((suite): SuiteResult => {
            const query = suite.form === 'asserts' ? suite.tests[0]?.slice(4) : '';
            return {
              id: suite.id,
              verdict: verdictOf(suite, suite.code === `${query}-right`),
              tests: [],
              ms: 1,
            };
          }),
        ),
    });
    const options = { sample: 1_000, seed: 1 };
    const honest = judge((_, right) => (right ? 'pass' : 'wrong'));
    expect(await verifyVerdicts(honest, record, texts, options)).toMatchObject({ state: 'equal' });
    const slow = judge((_, right) => (right ? 'pass' : 'timeout'));
    expect((await verifyVerdicts(slow, record, texts, options)).note).toMatch(/failed in another way/);
    const never = judge(() => 'wrong');
    expect(await verifyVerdicts(never, record, texts, options)).toMatchObject({
      state: 'different',
      claimed: 'pass',
      found: 'wrong',
    });
  });
});
