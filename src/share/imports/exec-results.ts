import * as v from 'valibot';
import { execRetrievalReport } from '../../analyses/execretrieval/report.ts';
import type { ExecQuery, ExecReport, ExecSnippet } from '../../analyses/execretrieval/report-types.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Ranking } from '../../domain/ranking.ts';
import type { Verdict } from '../../domain/verdict.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(500));
const finite = v.pipe(v.number(), v.finite());
const topResult = v.looseObject({
  rank: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  corpus_id: id,
  label: v.optional(v.nullable(v.string())),
  bug_type: v.optional(v.nullable(v.string())),
  similarity: finite,
  passes_all_tests: v.boolean(),
});
const resultsSchema = v.looseObject({
  model: v.pipe(v.string(), v.maxLength(500)),
  n_queries: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  ks: v.optional(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(1)))),
  metrics: v.optional(v.record(v.string(), v.record(v.string(), finite))),
  per_query: v.pipe(
    v.array(
      v.looseObject({
        query_id: id,
        correct_corpus_ids: v.array(id),
        top_results: v.array(topResult),
      }),
    ),
    v.maxLength(100_000),
  ),
});

/** A released results/<model>.json of ExecRetrieval, computed again from its own outcomes. */
export interface ImportedExecResults {
  readonly system: string;
  readonly report: ExecReport;
  /** Each metric of the file beside what its outcomes give. */
  readonly checks: readonly {
    readonly name: string;
    readonly claimed: number;
    readonly recomputed: number | null;
  }[];
}

/** The file's names of measures and the report's. */
const MEASURES: readonly (readonly [file: string, own: string])[] = [
  ['exec', 'exec'],
  ['precision', 'execution_precision'],
  ['execution_precision', 'execution_precision'],
  ['ndcg', 'nDCG'],
  ['exec_ndcg_gap', 'exec_ndcg_gap'],
];

/**
 * Reads results/<model>.json: each query's top results with similarity and outcome. A distractor of the query itself is one
 * that the benchmark pairs with it, where `paired` says so; without it near-clones are unknown and count as other misses.
 *
 * @param paired distractors by query id, from queries.jsonl
 * @throws AppError `not-exec-results` naming the member
 */
export function readExecResults(
  text: string,
  name: string,
  paired: ReadonlyMap<string, readonly string[]> = new Map(),
  options: {
    readonly resamples?: number;
    readonly seed?: number;
    readonly domains?: ReadonlyMap<string, string | null>;
  } = {},
): ImportedExecResults {
  const parsed = v.safeParse(resultsSchema, jsonOf(text, name));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new AppError(
      'input',
      'not-exec-results',
      `${name} is not a results file of ExecRetrieval: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`,
    );
  }
  const { domains: _domains, ...resampling } = options;
  const { model, per_query, metrics = {}, ks = [1, 3, 5, 10] } = parsed.output;
  const queries: ExecQuery[] = [];
  const run = new Map<string, Ranking>();
  const snippets = new Map<string, ExecSnippet>();
  const verdicts = new Map<string, Map<string, Verdict>>();
  for (const { query_id, correct_corpus_ids, top_results } of per_query) {
    // The file's own ranks are the order: how it broke ties is not stated.
    const ranked = [...top_results].sort((a, b) => a.rank - b.rank);
    queries.push({
      id: query_id,
      domain: options.domains?.get(query_id) ?? null,
      canonicalIds: correct_corpus_ids,
      distractorIds: paired.get(query_id) ?? [],
    });
    run.set(query_id, {
      queryId: query_id,
      documentIds: ranked.map(({ corpus_id }) => corpus_id),
      scores: Float64Array.from(ranked, (_, i) => -i),
    });
    verdicts.set(
      query_id,
      new Map(ranked.map((one) => [one.corpus_id, one.passes_all_tests ? 'pass' : 'wrong'])),
    );
    for (const { corpus_id, bug_type } of ranked)
      snippets.set(corpus_id, bug_type ? { bugType: bug_type } : {});
  }
  const report = execRetrievalReport({ queries, snippets, run, verdicts, cutoffs: ks, ...resampling });
  return { system: model, report, checks: checksOf(metrics, report) };
}

/** Metrics come as `{"exec@k": {"1": …}}` or `{"exec@1": {…}}`: the first is what the release holds. */
function checksOf(
  metrics: Readonly<Record<string, Readonly<Record<string, number>>>>,
  report: ExecReport,
): ImportedExecResults['checks'] {
  return Object.entries(metrics).flatMap(([key, byCutoff]) => {
    const own = MEASURES.find(([file]) => `${file}@k` === key)?.[1];
    if (own === undefined) return [];
    return Object.entries(byCutoff).map(([k, claimed]) => ({
      name: `${own}@${k}`,
      claimed,
      recomputed: report.cells[report.columns.indexOf(`${own}@${k}`)]?.value ?? null,
    }));
  });
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('input', 'not-json', `${name} is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
