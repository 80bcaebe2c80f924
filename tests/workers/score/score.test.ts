import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { execRetrievalReport } from '../../../src/analyses/execretrieval/report.ts';
import type { ExecQuery, ExecSnippet } from '../../../src/analyses/execretrieval/report-types.ts';
import { gradedReport } from '../../../src/analyses/graded-report.ts';
import type { QrelsBlock, RankingsBlock, StorePlace } from '../../../src/contracts/blocks.ts';
import type { ScoreApi } from '../../../src/contracts/score.ts';
import { rank, type Run } from '../../../src/domain/ranking.ts';
import { VERDICTS, type Verdict } from '../../../src/domain/verdict.ts';
import { findProtocol } from '../../../src/protocols/index.ts';
import type { BlockStore } from '../../../src/store/block-store.ts';
import { openMemoryStore, portTo } from '../../../src/store/open-store.ts';
import { createScore } from '../../../workers/score/score.ts';

const meta = { source: 'test' };
const rankingsMeta = { benchmarkDigest: '0', description: {} };

/** The worker's logic, reached as the page reaches it: over a port to a store. */
async function worker(): Promise<{ store: BlockStore; score: ScoreApi }> {
  const { store, backend } = openMemoryStore();
  const place: StorePlace = { kind: 'memory', port: await portTo(backend, 'score') };
  const score = createScore();
  await score.open(place);
  return { store, score };
}

const DOCUMENTS = ['a', 'b', 'c', '__proto__', 'constructor', '\u{1F600}', '￮', 'x y', '007', '7'];

interface Data {
  readonly run: Run;
  readonly qrels: Map<string, Map<string, number>>;
  readonly anchors: Map<string, string>;
  readonly visible: Map<string, Set<string>>;
}

/** Any run and judgements over few documents and many ties; every query has a document that is judged. */
const anyData: fc.Arbitrary<Data> = fc
  .array(
    fc.record({
      scores: fc.array(fc.constantFrom(0, 0.25, 0.5, 0.5 + 1e-12, -1, 3), {
        minLength: DOCUMENTS.length,
        maxLength: DOCUMENTS.length,
      }),
      retrieved: fc.subarray(DOCUMENTS),
      inRun: fc.boolean(),
      grades: fc.dictionary(
        fc.constantFrom('a', 'b', 'c', 'constructor', '007'),
        fc.integer({ min: -1, max: 3 }),
        {
          minKeys: 1,
        },
      ),
      anchor: fc.option(fc.constantFrom(...DOCUMENTS), { nil: undefined }),
      visible: fc.option(fc.subarray(DOCUMENTS, { minLength: 1 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) => {
    const names = rows.map((_, i) => (i === 1 ? '__proto__' : `q${i}`));
    const data: Data = { run: new Map(), qrels: new Map(), anchors: new Map(), visible: new Map() };
    rows.forEach((row, i) => {
      const query = names[i] as string;
      const scored = row.retrieved.map((id) => row.scores[DOCUMENTS.indexOf(id)] as number);
      if (row.inRun || i === 0)
        (data.run as Map<string, unknown>).set(query, rank(query, row.retrieved, scored));
      data.qrels.set(query, new Map(Object.entries(row.grades)));
      if (row.anchor !== undefined) data.anchors.set(query, row.anchor);
      if (row.visible !== undefined) data.visible.set(query, new Set(row.visible));
    });
    return data;
  });

/** Rankings in blocks of two queries, so that more than one block is read. */
function rankingBlocks(run: Run): RankingsBlock[] {
  const all = [...run.values()];
  const blocks: RankingsBlock[] = [];
  for (let from = 0; from < all.length; from += 2) {
    const some = all.slice(from, from + 2);
    const offsets = [0];
    for (const { documentIds } of some) offsets.push((offsets.at(-1) as number) + documentIds.length);
    blocks.push({
      queryIds: some.map(({ queryId }) => queryId),
      offsets: Uint32Array.from(offsets),
      documentIds: some.flatMap(({ documentIds }) => documentIds),
      scores: Float64Array.from(some.flatMap(({ scores }) => [...scores])),
    });
  }
  return blocks;
}

function qrelsBlock(qrels: Data['qrels']): QrelsBlock {
  const pairs = [...qrels].flatMap(([query, grades]) =>
    [...grades].map(([document, grade]) => ({ query, document, grade })),
  );
  return {
    queryIds: pairs.map(({ query }) => query),
    documentIds: pairs.map(({ document }) => document),
    grades: Int32Array.from(pairs, ({ grade }) => grade),
  };
}

async function storeGraded(store: BlockStore, { run, qrels, anchors, visible }: Data): Promise<void> {
  const queryIds = [...qrels.keys()];
  await store.writeSet('documents:d', meta, [{ ids: DOCUMENTS, texts: DOCUMENTS.map(() => 'text') }]);
  await store.writeSet('queries:q', meta, [
    {
      ids: queryIds,
      texts: queryIds.map(() => 'text'),
      extras: queryIds.map((query, i) =>
        JSON.stringify({ task: i % 2 === 0 ? 'even' : 'odd', anchorId: anchors.get(query) }),
      ),
    },
  ]);
  await store.writeSet('qrels:r', meta, [qrelsBlock(qrels)]);
  await store.writeSet('rankings:x', rankingsMeta, rankingBlocks(run));
  const bytesPerQuery = Math.ceil(DOCUMENTS.length / 8);
  const seeing = [...visible];
  const bitmaps = new Uint8Array(seeing.length * bytesPerQuery);
  seeing.forEach(([, ids], q) =>
    DOCUMENTS.forEach((id, row) => {
      const at = q * bytesPerQuery + (row >> 3);
      if (ids.has(id)) bitmaps[at] = (bitmaps[at] as number) | (1 << (row & 7));
    }),
  );
  await store.writeSet('visibility:v', meta, [
    { queryIds: seeing.map(([query]) => query), bytesPerQuery, bitmaps },
  ]);
}

describe('the score worker', () => {
  it.each(['trec', 'mteb', 'beir', 'coreb-paper', 'coreb-runner', 'coreb-mteb', 'core-bench'])(
    'scores a graded benchmark by %s exactly as without a worker',
    async (protocolId) => {
      await fc.assert(
        fc.asyncProperty(anyData, async (data) => {
          const { store, score } = await worker();
          await storeGraded(store, data);
          const { run, qrels, anchors, visible } = data;
          const labels = [...qrels.keys()].map((query, i) => [query, { task: i % 2 === 0 ? 'even' : 'odd' }]);
          const plain = gradedReport({
            protocol: findProtocol(protocolId),
            run,
            qrels,
            excluded: new Map([...anchors].map(([query, id]) => [query, new Set([id])])),
            visible,
            labels: new Map(labels as [string, Record<string, string>][]),
            bootstrap: { resamples: 20, seed: 3 },
          });
          const byWorker = await score.gradedReport({
            documentsSet: 'documents:d',
            queriesSet: 'queries:q',
            qrelsSet: 'qrels:r',
            visibilitySet: 'visibility:v',
            rankingsSet: 'rankings:x',
            protocolId,
            resamples: 20,
            seed: 3,
          });
          expect(structuredClone(byWorker)).toEqual(plain);
        }),
        { numRuns: 8 },
      );
    },
  );

  it('reports on an executed benchmark exactly as without a worker', async () => {
    const anyExec = fc.array(
      fc.record({
        order: fc.shuffledSubarray(['c0', 'c1', 'c2', 'n0', 'n1', 'n2']),
        verdicts: fc.array(fc.constantFrom(...VERDICTS), { minLength: 6, maxLength: 6 }),
        nearness: fc.array(fc.constantFrom(0.1, 0.5, 0.5, 0.9), { minLength: 2, maxLength: 2 }),
      }),
      { minLength: 3, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(anyExec, async (rows) => {
        const { store, score } = await worker();
        const ids = ['c0', 'c1', 'c2', 'n0', 'n1', 'n2'];
        const texts = ids.map((id) => (id.startsWith('c') ? 'return a < b' : 'return a <= b + 1'));
        const queries: ExecQuery[] = rows.map((_, i) => ({
          id: `q${i}`,
          domain: i === 0 ? 'date_time' : 'geometry',
          canonicalIds: [`c${i}`],
          distractorIds: [`n${i}`],
        }));
        const snippets = new Map<string, ExecSnippet>(
          ids.map((id, i) => [
            id,
            { code: texts[i] as string, ...(id.startsWith('n') ? { bugType: 'off_by_one' } : {}) },
          ]),
        );
        const run: Run = new Map(
          rows.map(({ order }, i) => [
            `q${i}`,
            rank(
              `q${i}`,
              order,
              order.map((_, at) => -at),
            ),
          ]),
        );
        const pairs = rows.flatMap(({ verdicts }, i) =>
          ids.map((id, d) => ({ query: `q${i}`, id, verdict: verdicts[d] as Verdict })),
        );
        const near = rows.flatMap(({ nearness }, i) => [
          { query: `q${i}`, id: `c${i}`, score: nearness[0] as number },
          { query: `q${i}`, id: `n${i}`, score: nearness[1] as number },
        ]);
        const of = <T extends { query: string; id: string }, V>(list: readonly T[], value: (entry: T) => V) =>
          new Map(
            queries.map(({ id }) => [
              id,
              new Map(list.filter((entry) => entry.query === id).map((entry) => [entry.id, value(entry)])),
            ]),
          );
        const plain = execRetrievalReport({
          queries,
          snippets,
          run,
          verdicts: of(pairs, ({ verdict }) => verdict),
          similarities: of(near, ({ score: similarity }) => similarity),
          resamples: 30,
          seed: 5,
        });
        await store.writeSet('documents:d', meta, [{ ids, texts }]);
        await store.writeSet('execution:t', meta, [
          {
            tasks: queries.map(({ id, domain, canonicalIds, distractorIds }) => ({
              queryId: id,
              domain: domain as string,
              tests: ['assert True'],
              canonicalIds,
              distractors: distractorIds.map((documentId) => ({ documentId, bugType: 'off_by_one' })),
            })),
          },
        ]);
        await store.writeSet('rankings:x', rankingsMeta, rankingBlocks(run));
        const byWorker = await score.execReport({
          documentsSet: 'documents:d',
          tasksSet: 'execution:t',
          rankingsSet: 'rankings:x',
          verdicts: {
            queryIds: pairs.map(({ query }) => query),
            documentIds: pairs.map(({ id }) => id),
            verdicts: pairs.map(({ verdict }) => verdict),
          },
          similarities: {
            queryIds: near.map(({ query }) => query),
            documentIds: near.map(({ id }) => id),
            scores: Float64Array.from(near, ({ score: similarity }) => similarity),
          },
          protocolId: 'execretrieval',
          resamples: 30,
          seed: 5,
        });
        expect(structuredClone(byWorker)).toEqual(plain);
      }),
      { numRuns: 10 },
    );
  });

  it('says that it has no store, and names near protocols for an unknown one', async () => {
    const request = {
      documentsSet: 'documents:d',
      queriesSet: 'queries:q',
      qrelsSet: 'qrels:r',
      rankingsSet: 'rankings:x',
      protocolId: 'coreb',
      resamples: 10,
      seed: 1,
    } as const;
    await expect(async () => createScore().gradedReport(request)).rejects.toThrow(
      /before it was given a store/u,
    );
    const { score } = await worker();
    await expect(score.gradedReport(request)).rejects.toThrow(/coreb-paper/u);
  });
});
