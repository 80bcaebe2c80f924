import { execRetrievalReport } from '../../../src/analyses/execretrieval/report.ts';
import type { ExecQuery } from '../../../src/analyses/execretrieval/report-types.ts';
import { rank, type Ranking } from '../../../src/domain/ranking.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import type { RecordFailure, ResultRecord } from '../../../src/share/record.ts';
import type { OpenedResult, ResultTexts } from '../../../src/ui/opened-result.ts';

const DOMAINS = [
  'bit_manipulation',
  'collections',
  'data_transformation',
  'date_time',
  'geometry',
  'math_numerical',
  'sorting_searching',
  'state_machines',
  'string_processing',
  'validation',
] as const;
const BUGS = [
  'off_by_one',
  'off_by_one_boundary',
  'swap_arguments',
  'remove_edge_case_check',
  'wrong_comparison',
  'wrong_operator',
] as const;
const DIGEST = '3f1a'.repeat(16);

/** A number in 0..1 that depends on nothing but its arguments. */
function noise(...parts: readonly number[]): number {
  const x = Math.sin(parts.reduce((sum, part, i) => sum + part * (12.9898 + 65.233 * i), 1.7)) * 43_758.5453;
  return x - Math.floor(x);
}

const canonicalCode = (i: number): string => `def is_leap_year_${i}(year: int) -> bool:
    """Return whether the Gregorian calendar gives this year 366 days."""
    if not isinstance(year, int):
        raise TypeError("year must be an int")
    if year % 400 == 0:
        return True
    return year % 4 == 0 and year % 100 != 0
`;

/** Returns a made-up result of so many queries, with the texts behind it; another salt is another system. */
export function fixtureResult(count: number, salt = 0): { result: OpenedResult; texts: ResultTexts } {
  const queries: ExecQuery[] = [];
  const run = new Map<string, Ranking>();
  const verdicts = new Map<string, Map<string, Verdict>>();
  const snippets = new Map<string, { bugType?: string; code: string }>();
  const failures: RecordFailure[] = [];
  for (let i = 0; i < count; i++) {
    const id = `q_${String(i + 1).padStart(4, '0')}`;
    const canonical = `c_${i}_0`;
    const distractors = [1, 2, 3, 4].map((n) => `c_${i}_${n}`);
    snippets.set(canonical, { code: canonicalCode(i) });
    distractors.forEach((distractor, n) =>
      snippets.set(distractor, {
        bugType: BUGS[(i + n) % BUGS.length] as string,
        code: canonicalCode(i).replace(
          'year % 100 != 0',
          ['year % 100 == 0', 'year % 101 != 0', 'year % 10 != 0', 'not year % 100 != 0'][n] as string,
        ),
      }),
    );
    queries.push({
      id,
      domain: DOMAINS[i % DOMAINS.length] as string,
      canonicalIds: [canonical],
      distractorIds: distractors,
    });
  }
  queries.forEach((query, i) => {
    const others = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `c_${(i + n * 7) % count}_${n % 5}`);
    const ids = [...new Set([...query.canonicalIds, ...query.distractorIds, ...others])];
    const scores = ids.map((id, n) => (n < 5 ? 0.7 : 0.35) + 0.04 * noise(i, n, id.length + salt));
    run.set(query.id, rank(query.id, ids, scores));
    verdicts.set(
      query.id,
      new Map(
        ids.map((id, n): [string, Verdict] => [
          id,
          n === 0 ? 'pass' : n < 5 ? (noise(i, n, 3) > 0.08 ? 'wrong' : 'timeout') : 'error',
        ]),
      ),
    );
    for (const documentId of query.distractorIds)
      failures.push({
        queryId: query.id,
        documentId,
        verdict: 'wrong',
        test: 2,
        message: 'assert is_leap_year(1900) == False',
        expected: 'False',
        got: 'True',
      });
  });
  const report = execRetrievalReport({
    queries,
    snippets,
    run,
    verdicts,
    resamples: count > 1_000 ? 200 : 5_000,
  });
  const record: ResultRecord = {
    id: DIGEST,
    schema: 'assay-record/1',
    createdAt: '2026-11-30T15:12:00.000Z',
    assayVersion: '0.1.0',
    benchmark: {
      id: 'exec-mini',
      name: 'exec-mini',
      digest: count < 10 ? DIGEST.replace('3', '4') : DIGEST,
      parts: { documents: DIGEST, queries: DIGEST, qrels: DIGEST, execution: DIGEST },
      counts: { documents: count * 5, queries: count, judgements: count },
      source: 'benchmarks/exec-mini',
    },
    model: {
      id: salt === 0 ? 'all-MiniLM-L6-v2' : `model-${salt}`,
      revision: DIGEST,
      fileDigests: { 'onnx/model_quantized.onnx': DIGEST, 'tokenizer.json': DIGEST },
      dtype: 'q8',
      pooling: 'mean',
      normalised: true,
      dimensions: 384,
      maxTokens: 256,
      batchTokens: 4_096,
      dependsOnBatch: false,
      prompts: { query: { text: '', rule: 'default' }, document: { text: '', rule: 'default' } },
    },
    protocol: { id: 'execretrieval', digest: DIGEST, settings: { similarity: 'model', depth: 1_000 } },
    device: {
      backend: 'wasm',
      requested: 'auto',
      reason: 'WebGPU is software here',
      threads: 2,
      threadsReason: 'two cores',
      trials: [],
      userAgent: navigator.userAgent,
    },
    runtime: { 'transformers.js': '4.3.1', pyodide: '314.0.7' },
    numerics: {
      verdict: 'right',
      against: 'stored reference',
      probes: 24,
      deviceError: {
        largestMarginChange: 2.1e-7,
        largestComponentChange: 1e-7,
        meanCosine: 1,
        minCosine: 0.999_999_9,
      },
      quantisationError: {
        largestMarginChange: 0.0041,
        largestComponentChange: 0.01,
        meanCosine: 0.999,
        minCosine: 0.998,
      },
      limit: 0.0001,
      faults: [],
    },
    oracle: { python: '3.14.2', timeFactor: 1.7 },
    seed: 20_260_510,
    depth: 1_000,
    timings: [
      { phase: 'encode documents', ms: 8_120 },
      { phase: 'judge', ms: 10_400 },
    ],
    counts: { 'truncated documents': 12 },
    warnings: [{ code: 'truncated-documents', count: 12, message: '12 documents cut at 256 tokens' }],
    digests: { documentVectors: DIGEST, queryVectors: DIGEST, rankings: DIGEST, verdicts: DIGEST },
    report: report as ResultRecord['report'],
    failures,
  };
  return {
    result: { origin: 'own', record, report, link: 'https://assay.example/#/result?r=made-up' },
    texts: {
      queries: new Map(
        queries.map(({ id }, i) => [
          id,
          `Decide whether a year is a leap year in the Gregorian calendar, variant ${i}`,
        ]),
      ),
      codeOf: async (ids) =>
        new Map(ids.flatMap((id) => (snippets.has(id) ? [[id, snippets.get(id)?.code ?? '']] : []))),
      canonicalsOf: async (queryId) => queries.find(({ id }) => id === queryId)?.canonicalIds ?? [],
      testsOf: async () => [
        'assert is_leap_year(2000) == True',
        'assert is_leap_year(2004) == True',
        'assert is_leap_year(1900) == False',
        'assert is_leap_year(2001) == False',
      ],
    },
  };
}
