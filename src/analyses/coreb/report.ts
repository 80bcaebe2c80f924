import type { Qrels } from '../../domain/qrels.ts';
import type { Run } from '../../domain/ranking.ts';
import {
  findProtocol,
  prepareRanking,
  scoreRun,
  type IdSet,
  type Protocol,
  type Scoring,
} from '../../protocols/index.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import type { Estimate } from '../estimate.ts';
import {
  cellsOf,
  curveOf,
  languageSlices,
  slicesBy,
  taskCells,
  type CorebCell,
  type CorebCurvePoint,
  type CorebLanguageSlice,
  type CorebSlice,
  type CorebTaskCell,
  type ScoredQuery,
} from './cells.ts';
import { intrusion, queryIntrusion, type Intrusion, type QueryIntrusion } from './intrusion.ts';
import { estimateOverall, OVERALL_READINGS, type OverallReading } from './overall.ts';
import { COREB_TASKS, type CorebQuery, type CorebTask } from './queries.ts';

/** Everything that one system's CoREB report is made from: the queries of one release, all tasks together. */
export interface CorebReportInput extends BootstrapOptions {
  readonly queries: readonly CorebQuery[];
  readonly qrels: Qrels;
  readonly run: Run;
  /** Query id -> what is removed from its ranking before the cut: the anchor of a code-to-code query. */
  readonly excluded?: ReadonlyMap<string, IdSet>;
  /** Default `coreb-paper`. */
  readonly protocol?: Protocol;
}

export interface CorebTaskReport {
  readonly task: CorebTask;
  /** Judged queries, those without a positive included. */
  readonly queries: number;
  readonly queriesWithPositive: number;
  /** Over the queries that the protocol counts. */
  readonly cells: readonly CorebTaskCell[];
  readonly intrusion: Intrusion;
  /** Where the protocol differs, by name: means over all judged queries and over those with a positive. */
  readonly otherDenominators: {
    readonly allJudged: readonly CorebCell[];
    readonly withPositive: readonly CorebCell[];
  };
  /** nDCG@k beside Recall@k and their gap (Recall less nDCG) at the cutoffs that the protocol measures both at. */
  readonly curve: readonly CorebCurvePoint[];
}

export interface CorebQueryRow {
  readonly queryId: string;
  readonly task: CorebTask;
  readonly subtask: string;
  readonly language: string | null;
  readonly positives: number;
  /** In the order of the report's `measures`. */
  readonly values: readonly number[];
}

/** One system on one release of CoREB. Plain data. */
export interface CorebReport {
  readonly kind: 'coreb-report';
  readonly protocolId: string;
  readonly measures: readonly string[];
  /** The measure of overall, slices and languages: nDCG@10 where the protocol has it, else its first. */
  readonly headline: string;
  readonly tasks: readonly CorebTaskReport[];
  /** By reading, on the headline measure. */
  readonly overall: readonly ({ readonly reading: OverallReading } & Estimate)[];
  /** Subtask by language. */
  readonly subtasks: readonly CorebSlice[];
  /** Each subtask over its languages. */
  readonly bySubtask: readonly CorebSlice[];
  /** Each language over the task's subtasks; search queries, which score near 0 everywhere, apart as the paper does. */
  readonly byLanguage: readonly CorebSlice[];
  readonly c2cByAnchor: readonly CorebLanguageSlice[];
  /** A query with several target languages stands in each of them. */
  readonly c2cByTarget: readonly CorebLanguageSlice[];
  readonly perQuery: readonly CorebQueryRow[];
  /** What the scoring noted about the data, in words. */
  readonly notes: readonly string[];
}

/**
 * Returns one system's report on a release of CoREB: everything of A.6 by the given protocol, intrusion, slices and curves,
 * each with n and interval. Source: CoREB, sections 4.2, A.6, B.6, B.7 and B.10.
 */
export function corebReport(input: CorebReportInput): CorebReport {
  const protocol = input.protocol ?? findProtocol('coreb-paper');
  const scoring = scoreRun(protocol, { run: input.run, qrels: input.qrels, excluded: input.excluded });
  const measures = scoring.evaluation.measures.map(({ name }) => name);
  const headlineAt = Math.max(0, measures.indexOf('nDCG@10'));
  const scored = scoredQueries(input, scoring);
  const headline = (one: ScoredQuery): number => one.values[headlineAt] as number;
  const tasks = COREB_TASKS.filter((task) => scored.some(({ query }) => query.task === task));
  const c2c = scored.filter(({ query, counted }) => counted && query.task === 'c2c');
  return {
    kind: 'coreb-report',
    protocolId: protocol.id,
    measures,
    headline: measures[headlineAt] as string,
    tasks: tasks.map((task) =>
      taskReport(
        task,
        scored.filter(({ query }) => query.task === task),
        measures,
        { ...input, protocol },
      ),
    ),
    overall: OVERALL_READINGS.map((reading) => ({
      reading,
      ...estimateOverall(
        tasks.map((task) => {
          const ofTask = scored.filter(({ query }) => query.task === task);
          return {
            values: ofTask.filter(({ counted }) => counted).map(headline),
            queries: ofTask.length,
            queriesWithRelevant: ofTask.filter(({ positives }) => positives > 0).length,
          };
        }),
        reading,
        input,
      ),
    })),
    subtasks: slicesBy(scored, ({ query }) => query, headline, input),
    bySubtask: slicesBy(scored, ({ query }) => ({ ...query, language: null }), headline, input),
    byLanguage: slicesBy(
      scored.filter(({ query }) => query.language !== null),
      ({ query }) => ({ ...query, subtask: query.subtask === 'search' ? 'search' : 'all but search' }),
      headline,
      input,
    ),
    c2cByAnchor: languageSlices(
      c2c,
      ({ query }) => (query.anchorLanguage === null ? [] : [query.anchorLanguage]),
      headline,
      input,
    ),
    c2cByTarget: languageSlices(c2c, ({ query }) => query.targetLanguages, headline, input),
    perQuery: scored.map(({ query, values, positives }) => ({
      queryId: query.id,
      task: query.task,
      subtask: query.subtask,
      language: query.language,
      positives,
      values,
    })),
    notes: scoring.notes.map(({ words }) => words),
  };
}

function scoredQueries(input: CorebReportInput, { evaluation, counted, protocol }: Scoring): ScoredQuery[] {
  const queryOf = new Map(input.queries.map((query) => [query.id, query]));
  const level = protocol.settings.relevanceLevel;
  return evaluation.queryIds.flatMap((id, q) => {
    const query = queryOf.get(id);
    if (query === undefined) return [];
    const grades = [...(input.qrels.get(id)?.values() ?? [])];
    return [
      {
        query,
        values: evaluation.values.map((values) => values[q] as number),
        counted: counted[q] === 1,
        positives: grades.filter((grade) => grade >= level).length,
      },
    ];
  });
}

function taskReport(
  task: CorebTask,
  scored: readonly ScoredQuery[],
  measures: readonly string[],
  input: CorebReportInput & { readonly protocol: Protocol },
): CorebTaskReport {
  const counted = scored.filter((one) => one.counted);
  const withPositive = scored.filter(({ positives }) => positives > 0);
  return {
    task,
    queries: scored.length,
    queriesWithPositive: withPositive.length,
    cells: taskCells(counted, measures, input),
    intrusion: intrusion(intrusionsOf(scored, input)),
    otherDenominators: {
      allJudged: cellsOf(scored, measures, input),
      withPositive: cellsOf(withPositive, measures, input),
    },
    curve: curveOf(counted, measures, input),
  };
}

function intrusionsOf(
  scored: readonly ScoredQuery[],
  { run, qrels, excluded, protocol }: CorebReportInput & { readonly protocol: Protocol },
): QueryIntrusion[] {
  return scored.flatMap(({ query }) => {
    const ranking = run.get(query.id);
    const judgements = qrels.get(query.id);
    if (ranking === undefined || judgements === undefined) return [];
    // Exclusions as the protocol has them, but never its cut: intrusion looks at the first ten only.
    const prepared = prepareRanking(ranking, protocol.settings, { excluded });
    return [queryIntrusion(prepared, judgements)];
  });
}
