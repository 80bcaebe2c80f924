import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intrusion, queryIntrusion } from '../../src/analyses/coreb/intrusion.ts';
import { rank, type Ranking } from '../../src/domain/ranking.ts';
import { evaluateQuery, parseMeasures } from '../../src/metrics/index.ts';
import { countStates } from '../../src/share/claims.ts';
import { gradedOutcomes } from '../../src/share/graded-outcomes.ts';
import {
  GRADED_MEASURES,
  gradedClaims,
  reportOfGraded,
  type GradedReceipt,
} from '../../src/share/graded-receipt.ts';
import { printLink, readAnyLink, readLink } from '../../src/share/link.ts';
import { packPayload, unpackPayload } from '../../src/share/payload.ts';
import { verifyPayload } from '../../src/share/verify-payload.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');

/** Rankings of up to 130 documents with grades 0, 1 and 2 for some of them and for some that are not retrieved. */
const dataArbitrary = fc
  .array(
    fc.record({
      grades: fc.array(fc.constantFrom(0, 0, 0, 1, 2, null), { maxLength: 130 }),
      missed: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((queries) => {
    const qrels = new Map<string, Map<string, number>>();
    const run = new Map<string, Ranking>();
    queries.forEach(({ grades, missed }, q) => {
      const judgements = new Map<string, number>();
      grades.forEach((grade, i) => grade !== null && judgements.set(`d${i}`, grade));
      for (let i = 0; i < missed; i++) judgements.set(`missed ${i}`, 2);
      qrels.set(`q${q}`, judgements);
      run.set(
        `q${q}`,
        rank(
          `q${q}`,
          grades.map((_, i) => `d${i}`),
          grades.map((_, i) => -i),
        ),
      );
    });
    return { qrels, run, queryIds: [...qrels.keys()] };
  });

function receiptFor(data: {
  qrels: Map<string, Map<string, number>>;
  run: Map<string, Ranking>;
  queryIds: string[];
}): GradedReceipt {
  const digest = '0'.repeat(64);
  const half = Math.ceil(data.queryIds.length / 2);
  const draft = {
    kind: 'graded' as const,
    manifest: {
      createdAt: '2026-11-30T12:00:00.000Z',
      assayVersion: '0.1.0',
      benchmark: { id: 'coreb', documents: 1_744 },
      model: { id: 'm', dtype: 'q8', revision: 'r' },
      protocol: 'coreb-paper',
      device: 'wasm',
      probeError: null,
      seed: 7,
      resamples: 50,
      measures: [...GRADED_MEASURES],
      parts: [
        { name: 'text2code', queries: half },
        { name: 'code2code', queries: data.queryIds.length - half },
      ],
      queriesWithoutPositives: 'zero' as const,
    },
    digests: { benchmark: digest, model: digest, protocol: digest, rankings: digest, record: digest },
    outcomes: gradedOutcomes(data.queryIds, data.qrels, data.run, 2),
  };
  return { ...draft, claims: gradedClaims(reportOfGraded(draft)) };
}

describe('graded receipts', () => {
  it('give every metric of every query, and intrusion, exactly as rankings and grades do', () => {
    const measures = parseMeasures(GRADED_MEASURES.join(','));
    fc.assert(
      fc.property(dataArbitrary, (data) => {
        const receipt = unpackPayload(packPayload(receiptFor(data))) as GradedReceipt;
        const { parts } = reportOfGraded(receipt);
        const values = parts.flatMap((part) => part.values);
        data.queryIds.forEach((id, i) => {
          // Grades below the level gain nothing, as the protocol says.
          const positives = new Map(
            [...(data.qrels.get(id) ?? [])].filter(([, grade]) => grade === 2).map(([d]) => [d, 1]),
          );
          expect(values[i]).toEqual(evaluateQuery(data.run.get(id) as Ranking, positives, measures));
        });
        const first = data.queryIds.slice(0, parts[0]?.queries ?? 0);
        expect(parts[0]?.intrusion).toEqual(
          intrusion(
            first.map((id) =>
              queryIntrusion(data.run.get(id) as Ranking, data.qrels.get(id) ?? new Map<string, number>()),
            ),
          ),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('come back from links, verify as equal, and name a forged mean', async () => {
    const [data] = fc.sample(dataArbitrary, { numRuns: 1, seed: 5 }) as [Parameters<typeof receiptFor>[0]];
    const receipt = receiptFor(data);
    const link = await printLink(receipt, 'https://assay.example/');
    expect(await readAnyLink(link)).toEqual(receipt);
    await expect(readLink(link)).rejects.toThrow(/graded result/);
    const claims = await verifyPayload(receipt, NOW);
    expect(countStates(claims).different).toBe(1);
    expect(claims.find(({ state }) => state === 'different')?.name).toBe('digest of the protocol');
    const forged = { ...receipt, claims: receipt.claims.map((claim, i) => (i === 3 ? claim + 0.1 : claim)) };
    const different = (await verifyPayload(forged, NOW)).filter(({ state }) => state === 'different');
    expect(different.map(({ name }) => name)).toContain(`${GRADED_MEASURES[3] as string} of text2code`);
  });

  it('keep CoREB release v2603, 2,601 queries, within a link', async () => {
    let state = 3;
    const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const outcomes = Array.from({ length: 2_601 }, () => {
      const first = random() < 0.6 ? Math.floor(random() ** 2 * 10) : 10;
      const positives = first < 10 ? 1 << first : 0;
      const hard = (random() < 0.4 ? 1 << Math.floor(random() * 10) : 0) & ~positives;
      const total = 1 + Math.floor(random() * 6);
      return {
        positives,
        hardNegatives: hard,
        retrieved: 100,
        total,
        foundIn100: Math.min(total, first < 10 ? 1 + Math.floor(random() * total) : 0),
      };
    });
    const [data] = fc.sample(dataArbitrary, { numRuns: 1, seed: 5 }) as [Parameters<typeof receiptFor>[0]];
    const base = receiptFor(data);
    const receipt = {
      ...base,
      outcomes,
      claims: base.claims,
      manifest: {
        ...base.manifest,
        parts: [
          { name: 'a', queries: 2_000 },
          { name: 'b', queries: 601 },
        ],
      },
    };
    const link = await printLink(receipt, 'https://assay.example/');
    console.log(`graded receipt of 2,601 queries: ${link.length} characters`);
    expect(link.length).toBeLessThan(16_000);
    expect(await readAnyLink(link)).toEqual(receipt);
  });

  it('refuse outcomes that contradict themselves and positives of several grades', () => {
    const [data] = fc.sample(dataArbitrary, { numRuns: 1, seed: 5 }) as [Parameters<typeof receiptFor>[0]];
    const receipt = receiptFor(data);
    const change =
      (outcome: Partial<GradedReceipt['outcomes'][number]>): (() => unknown) =>
      () =>
        unpackPayload(
          packPayload({
            ...receipt,
            outcomes: receipt.outcomes.map((one, i) =>
              i === 0
                ? { positives: 0, hardNegatives: 0, retrieved: 100, total: 2, foundIn100: 0, ...outcome }
                : one,
            ),
          }),
        );
    expect(change({})).not.toThrow();
    expect(change({ positives: 3, hardNegatives: 1, foundIn100: 2 })).toThrow(/query 1 has a document/);
    expect(change({ positives: 3, foundIn100: 1 })).toThrow(/2 positives in the first ten but 1/);
    expect(change({ positives: 8, retrieved: 2, foundIn100: 1 })).toThrow(/beyond the 2 retrieved/);
    expect(() =>
      gradedOutcomes(
        ['q'],
        new Map([
          [
            'q',
            new Map([
              ['a', 2],
              ['b', 3],
            ]),
          ],
        ]),
        new Map(),
        2,
      ),
    ).toThrow(/grades 2 and 3/);
  });
});
