import { AppError } from '../domain/app-error.ts';
import { compareUtf8 } from '../domain/ids.ts';
import type { Judgements, Qrels } from '../domain/qrels.ts';
import type { Ranking, Run } from '../domain/ranking.ts';
import type { FileOf } from './file-ranking.ts';
import { parseMeasure } from './grammar.ts';
import { JudgedRanking, type JudgedRankingExtras } from './judged-ranking.ts';
import type { Measure, MetricNeed, QueryMetric, RunMetric } from './metric.ts';

/**
 * Over which judged queries a mean is taken. `evaluated`: those that the run has, an empty ranking included (pytrec_eval,
 * MTEB). `allJudged`: all, with 0 for queries that the run lacks (trec_eval -c). `withRelevant`: those with a document at
 * the relevance level, 0 where the run lacks them.
 */
export type Denominator = 'evaluated' | 'allJudged' | 'withRelevant';

/** What an evaluation may need beside run and qrels. */
export interface EvaluationOptions {
  /** Lowest relevant grade, for the counts and for `withRelevant`; 1 if absent. Measures carry their own. */
  readonly relevanceLevel?: number;
  /** Per query, the documents that pass every test; a query that is absent has none. Needed by the exec measures. */
  readonly passing?: ReadonlyMap<string, ReadonlySet<string>>;
  /** From a document (a chunk) to its file. Needed by the File measures. */
  readonly fileOf?: FileOf;
}

/** What became of the queries. `judged` = `evaluated` + `withoutResults`. */
export interface EvaluationCounts {
  /** Queries with at least one judgement. */
  readonly judged: number;
  /** Judged queries that the run has, empty rankings included. */
  readonly evaluated: number;
  /** Judged queries that the run lacks. */
  readonly withoutResults: number;
  /** Queries of the qrels without a document at the relevance level, those without any judgement included. */
  readonly withoutRelevant: number;
  /** Queries of the run that nobody judged. */
  readonly ignored: number;
}

/** A mean (or, for counts, a sum) of each measure over one denominator. */
export interface MeanOverQueries {
  readonly queries: number;
  /** In the order of the measures; null where there is no query, or the measure is not defined. */
  readonly values: readonly (number | null)[];
}

/** The result of {@link evaluateRun}, column by column. */
export interface RunEvaluation {
  readonly measures: readonly Measure[];
  /** Every judged query, in the order of the ids' UTF-8 bytes. */
  readonly queryIds: readonly string[];
  /** 1 where the run has the query, else 0; parallel to `queryIds`. */
  readonly evaluated: Uint8Array;
  /** 1 where the query has a document at the relevance level, else 0; parallel to `queryIds`. */
  readonly withRelevant: Uint8Array;
  /** By measure, then parallel to `queryIds`; 0 for queries that the run lacks. Empty for measures of a whole run (nAUC). */
  readonly values: readonly Float64Array[];
  /** By measure: the value of a measure of the whole run, null for all others and where it is not defined. */
  readonly wholeRun: readonly (number | null)[];
  readonly means: Readonly<Record<Denominator, MeanOverQueries>>;
  readonly counts: EvaluationCounts;
}

/** The columns of a {@link RunEvaluation}, from which means over any queries are taken. */
export type EvaluationColumns = Omit<RunEvaluation, 'means' | 'counts'>;

/**
 * Evaluates a run: every measure of every judged query in one pass over each ranking, and the means in three denominators.
 * Sums run in the order of the queries' ids, so the order of the input changes no bit. Throws AppError `missing-need` when
 * a measure lacks its verdicts or files.
 */
export function evaluateRun(
  run: Run,
  qrels: Qrels,
  measures: readonly Measure[],
  options: EvaluationOptions = {},
): RunEvaluation {
  checkNeeds(measures, options);
  const level = options.relevanceLevel ?? 1;
  const queryIds = [...qrels].filter(([, judgements]) => judgements.size > 0).map(([queryId]) => queryId);
  queryIds.sort(compareUtf8);
  const evaluated = new Uint8Array(queryIds.length);
  const withRelevant = new Uint8Array(queryIds.length);
  const values = measures.map(
    (measure) => new Float64Array(measure.metric.scope === 'query' ? queryIds.length : 0),
  );
  const judgedAnywhere = needs(measures, 'judged-anywhere') ? everyJudgedDocument(qrels) : undefined;

  queryIds.forEach((queryId, q) => {
    const judgements = qrels.get(queryId) as Judgements;
    if (hasRelevant(judgements, level)) withRelevant[q] = 1;
    const ranking = run.get(queryId);
    if (ranking === undefined) return;
    evaluated[q] = 1;
    const query = new JudgedRanking(ranking, judgements, extrasOf(queryId, options, judgedAnywhere));
    measures.forEach((measure, m) => {
      if (measure.metric.scope === 'query')
        (values[m] as Float64Array)[q] = measure.metric.evaluate(query, measure);
    });
  });

  const columns = {
    measures,
    queryIds,
    evaluated,
    withRelevant,
    values,
    wholeRun: measures.map((measure) =>
      measure.metric.scope === 'run' ? evaluateWholeRun(measure, measure.metric, run, qrels, options) : null,
    ),
  };
  const evaluatedCount = evaluated.reduce((sum, flag) => sum + flag, 0);
  return {
    ...columns,
    means: {
      evaluated: meanOverQueries(columns, (q) => evaluated[q] === 1),
      allJudged: meanOverQueries(columns, () => true),
      withRelevant: meanOverQueries(columns, (q) => withRelevant[q] === 1),
    },
    counts: {
      judged: queryIds.length,
      evaluated: evaluatedCount,
      withoutResults: queryIds.length - evaluatedCount,
      withoutRelevant: qrels.size - withRelevant.reduce((sum, flag) => sum + flag, 0),
      ignored: [...run.keys()].filter((queryId) => (qrels.get(queryId)?.size ?? 0) === 0).length,
    },
  };
}

/** Returns the means (sums for counts) over the queries whose index `keep` accepts; measures of a whole run keep their value. */
export function meanOverQueries(columns: EvaluationColumns, keep: (q: number) => boolean): MeanOverQueries {
  const rows = columns.queryIds.map((_, q) => q).filter(keep);
  return {
    queries: rows.length,
    values: columns.measures.map(({ metric }, m) =>
      metric.scope === 'run'
        ? (columns.wholeRun[m] as number | null)
        : aggregate(metric, columns.values[m] as Float64Array, rows),
    ),
  };
}

/** Evaluates one ranking: the values of the measures, in their order; for partial results while a run is going on. Throws for measures of a whole run. */
export function evaluateQuery(
  ranking: Ranking,
  judgements: Judgements,
  measures: readonly Measure[],
  extras: JudgedRankingExtras = {},
): Float64Array {
  const query = new JudgedRanking(ranking, judgements, extras);
  return Float64Array.from(measures, (measure) => {
    if (measure.metric.scope === 'run')
      throw new AppError(
        'score',
        'bad-measure',
        `${measure.name} exists for a whole run only, not for one query.`,
      );
    return measure.metric.evaluate(query, measure);
  });
}

function evaluateWholeRun(
  measure: Measure,
  metric: RunMetric,
  run: Run,
  qrels: Qrels,
  options: EvaluationOptions,
): number | null {
  const inner = parseMeasure(measure.parameters.get('of') as string);
  const { queryIds, values } = evaluateRun(run, qrels, [inner], options);
  const scores: Float64Array[] = [];
  const kept: number[] = [];
  queryIds.forEach((queryId, q) => {
    const ranking = run.get(queryId);
    if (ranking === undefined || ranking.scores.length === 0) return;
    scores.push(ranking.scores);
    kept.push((values[0] as Float64Array)[q] as number);
  });
  return metric.evaluate({ scores, values: Float64Array.from(kept) }, measure);
}

function aggregate(metric: QueryMetric, values: Float64Array, rows: readonly number[]): number | null {
  if (rows.length === 0) return null;
  let sum = 0;
  for (const q of rows) sum += values[q] as number;
  return metric.aggregate === 'sum' ? sum : sum / rows.length;
}

function needs(measures: readonly Measure[], need: MetricNeed): boolean {
  return measures.some((measure) => {
    if (measure.metric.needs.includes(need)) return true;
    const inner = measure.parameters.get('of');
    return measure.metric.scope === 'run' && typeof inner === 'string' && needs([parseMeasure(inner)], need);
  });
}

function checkNeeds(measures: readonly Measure[], options: EvaluationOptions): void {
  if (options.passing === undefined && needs(measures, 'verdicts'))
    throw missing(measures, 'verdicts', 'verdicts');
  if (options.fileOf === undefined && needs(measures, 'files'))
    throw missing(measures, 'files', 'the file of each document');
}

function missing(measures: readonly Measure[], need: MetricNeed, what: string): AppError {
  const names = measures.filter((measure) => needs([measure], need)).map((measure) => measure.name);
  return new AppError(
    'score',
    'missing-need',
    `${names.join(', ')} cannot be computed without ${what}; give them or leave the measure out.`,
  );
}

function extrasOf(
  queryId: string,
  { passing, fileOf }: EvaluationOptions,
  judgedAnywhere: ReadonlySet<string> | undefined,
): JudgedRankingExtras {
  return {
    ...(passing === undefined ? {} : { passing: passing.get(queryId) ?? new Set<string>() }),
    ...(fileOf === undefined ? {} : { fileOf }),
    ...(judgedAnywhere === undefined ? {} : { judgedAnywhere }),
  };
}

function hasRelevant(judgements: Judgements, level: number): boolean {
  for (const grade of judgements.values()) if (grade >= level) return true;
  return false;
}

function everyJudgedDocument(qrels: Qrels): Set<string> {
  const all = new Set<string>();
  for (const judgements of qrels.values()) for (const documentId of judgements.keys()) all.add(documentId);
  return all;
}
