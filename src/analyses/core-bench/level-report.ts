import { AppError } from '../../domain/app-error.ts';
import { compareUtf8 } from '../../domain/ids.ts';
import type { Qrels } from '../../domain/qrels.ts';
import type { Run } from '../../domain/ranking.ts';
import type { FileOf } from '../../metrics/index.ts';
import { findProtocol, scoreRun, type IdSet, type Protocol, type Scoring } from '../../protocols/index.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { clustersOf } from '../../stats/cluster.ts';
import { mean } from '../../stats/summation.ts';
import { estimateClusters, estimateMeans, widthRemark, type Estimate } from '../estimate.ts';
import { LEVEL_AVERAGES, macroAverages, type LevelEstimate } from './averages.ts';
import { INTENTS, majorityLanguage, type CoreBenchQuery } from './queries.ts';
import { REGIMES, regimesOf, type RegimeThresholds, type RepositorySize } from './regimes.ts';

/** Everything that one system's report on one level of CORE-Bench (code retrieval) is made from. */
export interface CoreBenchReportInput extends BootstrapOptions {
  readonly queries: readonly CoreBenchQuery[];
  readonly qrels: Qrels;
  readonly run: Run;
  /** Query id -> the chunks that exist at its commit; a query that is absent sees all. */
  readonly visible?: ReadonlyMap<string, IdSet>;
  /** Default `core-bench`. */
  readonly protocol?: Protocol;
  /** Chunks in the merged corpus of each repository, by repository key (see {@link repositoryKey}); without it no regimes. */
  readonly repositoryChunks?: ReadonlyMap<string, number>;
  /** Thresholds of the regimes instead of medians. */
  readonly regimeThresholds?: { readonly chunks?: number; readonly relevantPerQuery?: number };
  /** The file of a chunk, for the language of queries that declare none. */
  readonly fileOf?: FileOf;
}

/** A slice: one estimate a measure. Every slice shows its n, since some rest on a handful of queries. */
export interface CoreBenchSlice {
  readonly name: string;
  readonly n: number;
  readonly repositories: number;
  readonly cells: readonly {
    readonly measure: string;
    readonly byQuery: Estimate;
    /** Whole repositories resampled; null where queries have none. */
    readonly byRepository: Estimate | null;
    readonly remark: string | null;
  }[];
}

/** One system on one level. Plain data. */
export interface CoreBenchReport {
  readonly kind: 'core-bench-report';
  readonly protocolId: string;
  readonly measures: readonly string[];
  /** One list a measure: three averages by name, the default first. */
  readonly averages: readonly { readonly measure: string; readonly estimates: readonly LevelEstimate[] }[];
  readonly subDatasets: readonly CoreBenchSlice[];
  readonly languages: readonly CoreBenchSlice[];
  readonly intents: readonly CoreBenchSlice[];
  /** Null without corpus sizes. */
  readonly regimes: {
    readonly thresholds: RegimeThresholds;
    readonly slices: readonly CoreBenchSlice[];
  } | null;
  readonly perQuery: readonly {
    readonly queryId: string;
    readonly subDataset: string;
    readonly repository: string | null;
    readonly language: string | null;
    readonly values: readonly number[];
  }[];
  /** Queries left out because none of their judged chunks is visible. */
  readonly leftWithoutJudgements: number;
  readonly notes: readonly string[];
}

interface ScoredQuery {
  readonly query: CoreBenchQuery;
  readonly values: readonly number[];
  readonly language: string | null;
  readonly relevant: number;
}

/** Returns the key of a query's repository: sub-dataset and repository as a JSON pair, never joined text. */
export function repositoryKey(subDataset: string, repository: string): string {
  return JSON.stringify([subDataset, repository]);
}

/**
 * Returns one system's report on a level: nDCG@10 and Recall@100 over visible chunks, in three averages, by sub-dataset,
 * language, intent and regime, each with n and intervals by query and by repository. Source: CORE-Bench (code retrieval),
 * sections 3.1 and 4. Throws AppError `visible-excludes-gold` when most gold chunks lie outside the visibility lists.
 */
export function coreBenchReport(input: CoreBenchReportInput): CoreBenchReport {
  refuseExclusionLists(input);
  const protocol = input.protocol ?? findProtocol('core-bench');
  const { qrels, run, visible, fileOf } = input;
  const scoring = scoreRun(protocol, { qrels, run, visible, fileOf });
  const measures = scoring.evaluation.measures.map(({ name }) => name);
  const scored = scoredQueries(input, scoring);
  const slices = (names: readonly string[], nameOf: (one: ScoredQuery) => string | null): CoreBenchSlice[] =>
    names.flatMap((name) => {
      const members = scored.filter((one) => nameOf(one) === name);
      return members.length === 0 ? [] : [sliceOf(name, members, measures, input)];
    });
  const namesOf = (nameOf: (one: ScoredQuery) => string | null): string[] =>
    [...new Set(scored.map(nameOf))].filter((name) => name !== null).sort(compareUtf8);
  const subDataset = ({ query }: ScoredQuery): string => query.subDataset;
  const language = (one: ScoredQuery): string | null => one.language;
  return {
    kind: 'core-bench-report',
    protocolId: protocol.id,
    measures,
    averages: averagesOf(scored, measures, input),
    subDatasets: slices(namesOf(subDataset), subDataset),
    languages: slices(namesOf(language), language),
    intents: slices(INTENTS, ({ query }) => query.intent),
    regimes: regimeSlices(scored, slices, input),
    perQuery: scored.map(({ query, values, language: named }) => ({
      queryId: query.id,
      subDataset: query.subDataset,
      repository: query.repository,
      language: named,
      values,
    })),
    leftWithoutJudgements: scoring.leftWithoutJudgements.length,
    notes: scoring.notes.map(({ words }) => words),
  };
}

function scoredQueries(input: CoreBenchReportInput, { evaluation, counted }: Scoring): ScoredQuery[] {
  const queryOf = new Map(input.queries.map((query) => [query.id, query]));
  const fileOf = input.fileOf ?? ((id: string): string => id);
  return evaluation.queryIds.flatMap((id, q) => {
    const query = queryOf.get(id);
    if (query === undefined || counted[q] !== 1) return [];
    const gold = [...(input.qrels.get(id) ?? [])].filter(([, grade]) => grade > 0).map(([chunk]) => chunk);
    return [
      {
        query,
        values: evaluation.values.map((values) => values[q] as number),
        language: query.language ?? majorityLanguage(gold.map(fileOf)),
        relevant: gold.length,
      },
    ];
  });
}

function keyOf({ query }: ScoredQuery): string | null {
  return query.repository === null ? null : repositoryKey(query.subDataset, query.repository);
}

function averagesOf(
  scored: readonly ScoredQuery[],
  measures: readonly string[],
  options: BootstrapOptions,
): CoreBenchReport['averages'] {
  const columns = measures.map((_, m) => Float64Array.from(scored, ({ values }) => values[m] as number));
  const byAverage = LEVEL_AVERAGES.map((average) => {
    const groups = scored.map((one) => {
      if (average === 'sub-datasets') return one.query.subDataset;
      return average === 'repositories' ? (keyOf(one) ?? one.query.subDataset) : 'all';
    });
    const count = average === 'queries' ? scored.length : new Set(groups).size;
    return { average, groups: count, estimates: macroAverages(columns, groups, options) };
  });
  return measures.map((measure, m) => ({
    measure,
    estimates: byAverage.map(({ average, groups, estimates }) => ({
      average,
      groups,
      ...(estimates[m] as Estimate),
    })),
  }));
}

function sliceOf(
  name: string,
  members: readonly ScoredQuery[],
  measures: readonly string[],
  options: BootstrapOptions,
): CoreBenchSlice {
  const columns = measures.map((_, m) => Float64Array.from(members, ({ values }) => values[m] as number));
  const byQuery = estimateMeans(columns, options);
  const keys = members.map(keyOf);
  const clusters = keys.includes(null) ? null : columns.map((values) => clustersOf(values, keys));
  const byRepository =
    clusters === null
      ? null
      : estimateClusters(
          clusters.map(({ sums }) => sums),
          clusters[0]?.sizes ?? new Float64Array(0),
          options,
        );
  return {
    name,
    n: members.length,
    repositories: new Set(keys.filter((key) => key !== null)).size,
    cells: measures.map((measure, m) => {
      const plain = byQuery[m] as Estimate;
      const clustered = byRepository?.[m] ?? null;
      const remark = clustered === null ? null : widthRemark(clustered, plain, 'query', 'repository');
      return { measure, byQuery: plain, byRepository: clustered, remark };
    }),
  };
}

function regimeSlices(
  scored: readonly ScoredQuery[],
  slices: (names: readonly string[], nameOf: (one: ScoredQuery) => string | null) => CoreBenchSlice[],
  { repositoryChunks, regimeThresholds }: CoreBenchReportInput,
): CoreBenchReport['regimes'] {
  if (repositoryChunks === undefined) return null;
  const relevant = new Map<string, number[]>();
  for (const one of scored) {
    const key = keyOf(one);
    if (key === null || !repositoryChunks.has(key)) continue;
    const list = relevant.get(key);
    if (list === undefined) relevant.set(key, [one.relevant]);
    else list.push(one.relevant);
  }
  const sizes = [...relevant].map(([repository, counts]): RepositorySize => ({
    repository,
    chunks: repositoryChunks.get(repository) as number,
    relevantPerQuery: mean(counts),
  }));
  const { thresholds, regimes } = regimesOf(sizes, regimeThresholds);
  return { thresholds, slices: slices(REGIMES, (one) => regimes.get(keyOf(one) ?? '') ?? null) };
}

/** `filtered_corpus_id` must list what is visible; if most gold lies outside it, it lists what is not. */
function refuseExclusionLists({ qrels, visible }: CoreBenchReportInput): void {
  if (visible === undefined) return;
  let gold = 0;
  let outside = 0;
  for (const [queryId, judgements] of qrels) {
    const seen = visible.get(queryId);
    if (seen === undefined) continue;
    for (const [chunk, grade] of judgements) {
      if (grade <= 0) continue;
      gold++;
      if (!seen.has(chunk)) outside++;
    }
  }
  if (outside * 2 > gold)
    throw new AppError(
      'benchmark',
      'visible-excludes-gold',
      `${outside} of ${gold} relevant chunks lie outside their queries' visibility lists: these look like lists of what is excluded. Give lists of what is visible.`,
    );
}
