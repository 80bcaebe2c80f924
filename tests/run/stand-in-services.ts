import { gradedReport } from '../../src/analyses/graded-report.ts';
import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { JudgePair } from '../../src/contracts/run-data.ts';
import type { StoredBenchmark } from '../../src/contracts/data.ts';
import type { EncodedSet } from '../../src/contracts/encode.ts';
import type { SuiteResult } from '../../src/contracts/judge.ts';
import { rank } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import { findProtocol } from '../../src/protocols/index.ts';
import type { OpenedEncoder, RunServices } from '../../src/run/services.ts';

const digest = (letter: string) => letter.repeat(64);
/** Three queries; each has a canonical that passes and one distractor that fails. */
export const QUERIES = ['q1', 'q2', 'q3'] as const;
const documents = QUERIES.flatMap((id) => [`${id}_right`, `${id}_wrong`]);

export const BENCHMARK: StoredBenchmark = {
  id: 'small',
  name: 'Small',
  digest: digest('a'),
  parts: { documents: digest('b'), queries: digest('c'), qrels: digest('d'), execution: digest('e') },
  documentsSet: 'documents:small',
  queriesSet: 'queries:small',
  qrelsSet: 'qrels:small',
  execution: { tasksSet: 'execution:small' },
  counts: { documents: documents.length, queries: QUERIES.length, judgements: QUERIES.length },
  protocolId: 'execretrieval',
  source: 'a test',
  warnings: [],
};

const encoded = (texts: number): EncodedSet => ({
  vectorsSet: `vectors:${texts}`,
  texts,
  dimensions: 384,
  tokens: texts * 10,
  paddingShare: 0,
  truncatedTexts: texts === QUERIES.length ? 0 : 1,
  maxTokens: 256,
  emptyTexts: 0,
  batches: 1,
  batchTokens: 512,
  lanes: 1,
  resumedTexts: 0,
  ms: 5,
});

const encoder: OpenedEncoder = {
  report: {
    modelId: 'all-MiniLM-L6-v2',
    revision: 'bundled',
    fileDigests: { 'onnx/model_quantized.onnx': digest('1') },
    dtype: 'q8',
    requestedDtype: 'q8',
    device: 'wasm',
    threads: 2,
    threadsReason: 'isolated',
    passport: { verdict: 'right', against: 'stored reference', probes: 64, limit: 1e-4, faults: [] },
    pooling: 'mean',
    normalised: true,
    dimensions: 384,
    maxTokens: 256,
    batchTokens: 512,
    lanes: 1,
    dependsOnBatch: false,
    runtime: { 'transformers.js': '4.3.1' },
    loadMs: 10,
    downloadedBytes: 0,
    notices: [],
  },
  choice: { requested: 'auto', taken: 'wasm', reason: 'faster', trials: [] },
  encodeSet: async ({ side }) => encoded(side === 'query' ? QUERIES.length : documents.length),
};

/** Services in which everything works, with a store that survives from one evaluation to the next. */
export class StandInServices implements RunServices {
  benchmark: StoredBenchmark = BENCHMARK;
  readonly entries = new Map<string, unknown>();
  readonly verdicts = new Map<string, Verdict>();
  /** Suites in the order in which they were executed. */
  readonly executed: string[] = [];
  /** Called before each suite; a test may pause or fail there. */
  beforeSuite: (index: number) => void = () => undefined;
  /** What a failing test of a query says. */
  messageOf: (queryId: string) => string = () => 'assert f(1) == 2';
  openEncoder: RunServices['openEncoder'] = async () => encoder;
  readonly versions = { assay: '0.1.0' };
  readonly userAgent = 'test';
  held = 0;

  readonly data: RunServices['data'] = {
    loadBenchmark: async () => this.benchmark,
    manifest: async () => undefined,
    ownDocuments: async () => ({
      queryIds: QUERIES,
      documentIds: QUERIES.map((id) => [`${id}_right`, `${id}_wrong`]),
    }),
    putRankings: async () => digest('f'),
    judgePlan: async () =>
      QUERIES.flatMap((queryId) =>
        documents.map((documentId): JudgePair => {
          const pair = { queryId, documentId, codeDigest: documentId, suiteDigest: queryId };
          const known = this.verdicts.get(`${documentId} ${queryId}`);
          return known === undefined
            ? { ...pair, suite: { code: documentId, tests: ['assert True'] } }
            : { ...pair, known: { verdict: known, tests: '[]' } };
        }),
      ),
    keepVerdicts: async (_environment, _meta, { codeDigests, suiteDigests, verdicts }) => {
      codeDigests.forEach((code, i) =>
        this.verdicts.set(`${code} ${suiteDigests[i]}`, verdicts[i] as Verdict),
      );
    },
    putEntry: async (collection, id, value) =>
      void this.entries.set(`${collection} ${id}`, structuredClone(value)),
    getEntry: async (collection, id) => this.entries.get(`${collection} ${id}`),
    deleteEntry: async (collection, id) => void this.entries.delete(`${collection} ${id}`),
    listEntries: async () => [],
  };

  search: RunServices['search'] = async () => ({
    // q1's own wrong snippet stands first; the other queries find theirs.
    rankings: QUERIES.map((id) => {
      const own = documents.filter((document) => document.startsWith(id));
      const others = documents.filter((document) => !document.startsWith(id));
      const order = id === 'q1' ? [...own.reverse(), ...others] : [...own, ...others];
      return rank(
        id,
        order,
        order.map((_, i) => 1 - i / 10),
      );
    }),
    refused: [],
    counts: {
      documents: 6,
      queries: 3,
      blocks: 1,
      candidates: 18,
      rescored: 18,
      emptyRankings: 0,
      kernel: 'wide',
      threads: 1,
    },
  });
  scoresOf: RunServices['scoresOf'] = async (_request, wanted) =>
    wanted.map((ids) => Float64Array.from(ids, (_, i) => 0.9 - i / 10));

  readonly judge: RunServices['judge'] = {
    warmUp: async () => ({ bootMs: 1, timeFactor: 3 }),
    environment: async () => ({
      pyodide: '314.0.7',
      python: '3.14',
      assets: digest('9'),
      timeZone: 'UTC',
      hashSeed: 0,
      recursionLimit: 1_000,
      integerTextLimit: 4_300,
      memoryCapBytes: 1,
      outputCapBytes: 1,
      timeoutMs: 5_000,
    }),
    judge: async (suites, options = {}) => {
      const results: SuiteResult[] = [];
      for (const [index, { id, code }] of suites.entries()) {
        this.beforeSuite(index);
        options.signal?.throwIfAborted();
        const [, queryId = ''] = id.split(' ');
        const verdict: Verdict = code === `${queryId}_right` ? 'pass' : 'wrong';
        const result: SuiteResult = {
          id,
          verdict,
          tests: [{ verdict, message: verdict === 'pass' ? '' : this.messageOf(queryId) }],
          ms: 1,
        };
        this.executed.push(id);
        results.push(result);
        options.onResult?.(result, index);
      }
      return results;
    },
  };

  gradedReport: RunServices['gradedReport'] = async ({ protocolId }) => {
    const { rankings } = await this.search({} as never, { k: 10 }, BENCHMARK.counts);
    return gradedReport({
      protocol: findProtocol(protocolId),
      run: new Map(rankings.map((ranking) => [ranking.queryId, ranking])),
      qrels: new Map(QUERIES.map((id) => [id, new Map([[`${id}_right`, 1]])])),
      labels: new Map(QUERIES.map((id, i) => [id, { language: i === 0 ? 'python' : 'go' }])),
      bootstrap: { resamples: 100 },
    });
  };

  execReport: RunServices['execReport'] = async ({ verdicts }) => {
    const { rankings } = await this.search({} as never, { k: 10 }, BENCHMARK.counts);
    const byQuery = new Map<string, Map<string, Verdict>>(QUERIES.map((id) => [id, new Map()]));
    verdicts.queryIds.forEach((id, i) =>
      byQuery.get(id)?.set(verdicts.documentIds[i] as string, verdicts.verdicts[i] as Verdict),
    );
    return execRetrievalReport({
      queries: QUERIES.map((id) => ({
        id,
        domain: 'geometry',
        canonicalIds: [`${id}_right`],
        distractorIds: [`${id}_wrong`],
      })),
      snippets: new Map(QUERIES.map((id) => [`${id}_wrong`, { bugType: 'off_by_one' }])),
      run: new Map(rankings.map((ranking) => [ranking.queryId, ranking])),
      verdicts: byQuery,
      resamples: 100,
    });
  };

  async hold(): Promise<{ release(): void }> {
    this.held++;
    return { release: () => void this.held-- };
  }
}
