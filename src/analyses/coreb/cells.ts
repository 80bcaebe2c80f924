import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { clustersOf } from '../../stats/cluster.ts';
import { mean } from '../../stats/summation.ts';
import {
  estimateClusters,
  estimateMean,
  estimateMeans,
  orNull,
  widthRemark,
  type Estimate,
} from '../estimate.ts';
import type { CorebQuery, CorebTask } from './queries.ts';

/** A query with its values and whether the protocol counts it. */
export interface ScoredQuery {
  readonly query: CorebQuery;
  readonly values: readonly number[];
  readonly counted: boolean;
  readonly positives: number;
}

/** A measure's mean over some queries. */
export interface CorebCell extends Estimate {
  readonly measure: string;
}

/** A cell that also says what happens when whole problems are resampled. */
export interface CorebTaskCell extends CorebCell {
  /** Null where the queries' problems are not known. */
  readonly byProblem: Estimate | null;
  readonly remark: string | null;
}

/** One cutoff of a curve. */
export interface CorebCurvePoint {
  readonly k: number;
  readonly nDCG: Estimate;
  readonly recall: Estimate;
  /** Recall less nDCG: how much is found but stands low. */
  readonly gap: Estimate;
}

/** A slice of the subtask and language tables, on the headline measure. */
export interface CorebSlice extends Estimate {
  readonly task: CorebTask;
  readonly subtask: string;
  readonly language: string | null;
  /** Mean number of positives a query: `any` queries have more, which raises their scores. */
  readonly meanPositives: number | null;
}

/** A code-to-code slice by language. */
export interface CorebLanguageSlice extends Estimate {
  readonly language: string;
  readonly meanPositives: number | null;
}

function columns(scored: readonly ScoredQuery[], measures: readonly string[]): Float64Array[] {
  return measures.map((_, m) => Float64Array.from(scored, ({ values }) => values[m] as number));
}

/** Returns the means of some queries, one a measure, all from the same resamples. */
export function cellsOf(
  scored: readonly ScoredQuery[],
  measures: readonly string[],
  options: BootstrapOptions,
): CorebCell[] {
  return estimateMeans(columns(scored, measures), options).map((estimate, m) => ({
    measure: measures[m] as string,
    ...estimate,
  }));
}

/** Returns {@link cellsOf} with whole problems resampled beside. */
export function taskCells(
  scored: readonly ScoredQuery[],
  measures: readonly string[],
  options: BootstrapOptions,
): CorebTaskCell[] {
  const cells = cellsOf(scored, measures, options);
  const problems = scored.map(({ query }) => query.problemId);
  if (scored.length === 0 || problems.includes(null))
    return cells.map((cell) => ({ ...cell, byProblem: null, remark: null }));
  const clusters = columns(scored, measures).map((values) => clustersOf(values, problems));
  const byProblem = estimateClusters(
    clusters.map(({ sums }) => sums),
    clusters[0]?.sizes ?? new Float64Array(0),
    options,
  );
  return cells.map((cell, m) => {
    const clustered = byProblem[m] as Estimate;
    return { ...cell, byProblem: clustered, remark: widthRemark(clustered, cell, 'query', 'problem') };
  });
}

/** Returns nDCG@k, Recall@k and their gap at the cutoffs that both are measured at, lowest first. */
export function curveOf(
  scored: readonly ScoredQuery[],
  measures: readonly string[],
  options: BootstrapOptions,
): CorebCurvePoint[] {
  return measures
    .flatMap((name, m) => {
      const k = Number(/^nDCG@(\d+)$/.exec(name)?.[1]);
      const r = measures.findIndex((other) => new RegExp(`^R(\\(rel=\\d+\\))?@${k}$`).test(other));
      if (Number.isNaN(k) || r < 0) return [];
      const nDCG = scored.map(({ values }) => values[m] as number);
      const recall = scored.map(({ values }) => values[r] as number);
      const gap = recall.map((value, i) => value - (nDCG[i] as number));
      const estimates = estimateMeans([nDCG, recall, gap], options) as [Estimate, Estimate, Estimate];
      return [{ k, nDCG: estimates[0], recall: estimates[1], gap: estimates[2] }];
    })
    .sort((a, b) => a.k - b.k);
}

function meanPositives(scored: readonly ScoredQuery[]): number | null {
  return orNull(mean(scored.map(({ positives }) => positives)));
}

/** Returns one slice for each place that counted queries have, in the order of task, subtask and language. */
export function slicesBy(
  scored: readonly ScoredQuery[],
  placeOf: (one: ScoredQuery) => Pick<CorebQuery, 'task' | 'subtask' | 'language'>,
  headline: (one: ScoredQuery) => number,
  options: BootstrapOptions,
): CorebSlice[] {
  const groups = new Map<string, ScoredQuery[]>();
  for (const one of scored) {
    if (!one.counted) continue;
    const { task, subtask, language } = placeOf(one);
    const key = JSON.stringify([task, subtask, language]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([, group]) => {
      const { task, subtask, language } = placeOf(group[0] as ScoredQuery);
      return {
        task,
        subtask,
        language,
        ...estimateMean(group.map(headline), options),
        meanPositives: meanPositives(group),
      };
    });
}

/** Returns one slice for each language; a query counts in every language that it has. */
export function languageSlices(
  scored: readonly ScoredQuery[],
  languagesOf: (one: ScoredQuery) => readonly string[],
  headline: (one: ScoredQuery) => number,
  options: BootstrapOptions,
): CorebLanguageSlice[] {
  const languages = [...new Set(scored.flatMap(languagesOf))].sort(compareUtf8);
  return languages.map((language) => {
    const group = scored.filter((one) => languagesOf(one).includes(language));
    return { language, ...estimateMean(group.map(headline), options), meanPositives: meanPositives(group) };
  });
}
