import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecQuery, ExecSnippet } from '../../src/analyses/execretrieval/report-types.ts';
import { digestOfJson } from '../../src/domain/digest.ts';
import { rank, type Ranking } from '../../src/domain/ranking.ts';
import { digestOfRankings } from '../../src/domain/run-digest.ts';
import { VERDICTS, type Verdict } from '../../src/domain/verdict.ts';
import { findProtocol } from '../../src/protocols/index.ts';
import { RECORD_SCHEMA, sealRecord, type RecordContent, type ResultRecord } from '../../src/share/record.ts';
import type { ExecBenchmarkTables } from '../../src/share/verify-run.ts';

/** A small finished evaluation, made by the code that makes real ones from seeded similarities. */
export interface ResultFixture {
  readonly record: ResultRecord;
  readonly run: Map<string, Ranking>;
  readonly tables: ExecBenchmarkTables;
}

/**
 * @param seed decides the similarities, so two seeds are two systems on one benchmark
 * @param queries at most 1,000; each has one canonical and four near-clones
 */
export async function resultFixture(
  seed: number,
  queries = 24,
  change: Partial<RecordContent> = {},
): Promise<ResultFixture> {
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const bugTypes = ['off_by_one', 'wrong_operator', 'wrong_comparison', 'swap_arguments'];
  const snippets = new Map<string, ExecSnippet>();
  const benchmark: ExecQuery[] = Array.from({ length: queries }, (_, i) => {
    const id = `q_${String(i).padStart(4, '0')}`;
    const distractorIds = bugTypes.map((bugType) => {
      snippets.set(`${id}-${bugType}`, { bugType });
      return `${id}-${bugType}`;
    });
    snippets.set(`${id}-right`, {});
    return {
      id,
      domain: i % 3 === 0 ? 'geometry' : 'validation',
      canonicalIds: [`${id}-right`],
      distractorIds,
    };
  });
  const documents = [...snippets.keys()];
  const run = new Map<string, Ranking>();
  const verdicts = new Map<string, Map<string, Verdict>>();
  for (const { id } of benchmark) {
    const scores = documents.map((document) =>
      Math.fround(random() / 2 + (document.startsWith(id) ? 0.45 : 0)),
    );
    run.set(id, rank(id, documents, scores));
    verdicts.set(
      id,
      new Map(documents.map((document) => [document, document === `${id}-right` ? 'pass' : 'wrong'])),
    );
  }
  const report = execRetrievalReport({ queries: benchmark, snippets, run, verdicts, resamples: 300 });
  const failures = benchmark.flatMap(({ id, distractorIds }) => {
    const judged = new Set([...(run.get(id)?.documentIds.slice(0, 10) ?? []), ...distractorIds]);
    return [...judged]
      .filter((documentId) => documentId !== `${id}-right`)
      .map((documentId) => ({
        queryId: id,
        documentId,
        verdict: 'wrong' as const,
        test: 0,
        message: 'assert',
      }));
  });
  const digest = (name: string): Promise<string> => digestOfJson(name);
  const protocol = findProtocol('execretrieval');
  const content: RecordContent = {
    schema: RECORD_SCHEMA,
    createdAt: '2026-11-30T12:00:00.000Z',
    assayVersion: '0.1.0',
    benchmark: {
      id: 'fixture',
      name: 'Fixture',
      digest: await digest('benchmark'),
      parts: {
        documents: await digest('documents'),
        queries: await digest('queries'),
        qrels: await digest('qrels'),
      },
      counts: { documents: documents.length, queries, judgements: queries },
      source: 'made in a test',
    },
    model: {
      id: `system-${seed}`,
      revision: 'r1',
      fileDigests: { 'model.onnx': await digest(`model ${seed}`) },
      dtype: 'q8',
      pooling: 'mean',
      normalised: true,
      dimensions: 384,
      maxTokens: 256,
      batchTokens: 1_024,
      dependsOnBatch: false,
      prompts: { query: { text: '', rule: 'default' }, document: { text: '', rule: 'default' } },
    },
    protocol: {
      id: protocol.id,
      digest: await digestOfJson(protocol.settings),
      settings: JSON.parse(JSON.stringify(protocol.settings)) as RecordContent['protocol']['settings'],
    },
    device: {
      backend: 'wasm',
      requested: 'wasm',
      reason: 'named',
      threads: 2,
      threadsReason: 'two cores',
      trials: [],
      userAgent: 'a browser',
    },
    runtime: { kernel: '1' },
    numerics: {
      verdict: 'right',
      against: 'stored reference',
      probes: 8,
      deviceError: { largestMarginChange: 1e-7, largestComponentChange: 1e-7, meanCosine: 1, minCosine: 1 },
      limit: 1e-4,
      faults: [],
    },
    oracle: { python: '3.14' },
    seed: 20_260_510,
    depth: 1_000,
    timings: [{ phase: 'search', ms: 12 }],
    counts: {
      'documents truncated': 0,
      ...Object.fromEntries(
        VERDICTS.map((verdict) => [
          `verdict ${verdict}`,
          verdict === 'pass' ? queries : failures.filter((failure) => failure.verdict === verdict).length,
        ]),
      ),
    },
    warnings: [],
    digests: {
      documentVectors: await digest('document vectors'),
      queryVectors: await digest('query vectors'),
      rankings: await digestOfRankings(run.values()),
      verdicts: await digest('verdicts'),
    },
    report: JSON.parse(JSON.stringify(report)) as RecordContent['report'],
    failures,
    ...change,
  };
  return { record: await sealRecord(content), run, tables: { queries: benchmark, snippets } };
}
