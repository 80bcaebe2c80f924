import type { Qrels } from '../domain/qrels.ts';
import type { Run } from '../domain/ranking.ts';
import type { EvaluationCounts, RunEvaluation } from '../metrics/index.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { scoreRun, type ScoringInput, type ScoringNote } from '../protocols/score-run.ts';
import type { BootstrapOptions } from '../stats/bootstrap.ts';
import { estimateMeans, NO_ESTIMATE, type Estimate } from './estimate.ts';

/** What a graded report is made from: a run, its qrels, the lists that a protocol may ask for, and labels to slice by. */
export interface GradedReportInput extends Pick<ScoringInput, 'run' | 'qrels' | 'excluded' | 'visible'> {
  readonly protocol: Protocol;
  /** Per query, slice fields with their labels, e.g. `subtask` → `t2c_search_any`. */
  readonly labels?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Resamples and seed of the intervals. */
  readonly bootstrap?: Pick<BootstrapOptions, 'resamples'> & { readonly seed?: number };
}

/** One measure with its 95 % interval over the queries that the protocol counts. */
export interface GradedCell extends Estimate {
  readonly measure: string;
}

/** The queries that share a label. */
export interface GradedSlice {
  readonly field: string;
  readonly label: string;
  readonly cells: readonly GradedCell[];
}

/** One of the first ten documents of a query. */
export interface GradedHit {
  readonly documentId: string;
  readonly score: number;
  /** Null = not judged. */
  readonly grade: number | null;
}

/** One judged query. */
export interface GradedQueryRow {
  readonly queryId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the protocol counts the query in the means. */
  readonly counted: boolean;
  /** Values in the order of the report's `columns`. */
  readonly values: readonly number[];
  readonly hits: readonly GradedHit[];
  /** Documents ranked. */
  readonly retrieved: number;
  /** Documents at or above the relevance level: judged, and among the first 100. */
  readonly positives: number;
  readonly positivesInTop100: number;
}

/** One system on a graded benchmark: metrics with intervals, slices, one row a query. Plain data. */
export interface GradedReport {
  readonly kind: 'graded-report';
  readonly relevanceLevel: number;
  /** Names of the measures, the main one first. */
  readonly columns: readonly string[];
  /** One a column, in the same order. */
  readonly cells: readonly GradedCell[];
  readonly slices: readonly GradedSlice[];
  readonly counts: EvaluationCounts & { /** Queries in the means. */ readonly queries: number };
  readonly perQuery: readonly GradedQueryRow[];
  readonly notes: readonly ScoringNote[];
  readonly resamples: number;
  readonly seed: number;
}

/** A label that nearly every query has for itself slices nothing. */
const MOST_LABELS = 60;
const HITS = 10;
const FOUND_DEPTH = 100;

/** Reports a system on a graded benchmark under a protocol. Queries stand in the order of their ids' UTF-8 bytes. */
export function gradedReport({
  protocol,
  labels,
  bootstrap = {},
  ...input
}: GradedReportInput): GradedReport {
  const { resamples = 5_000, seed = 20_260_510 } = bootstrap;
  const { evaluation, counted, notes } = scoreRun(protocol, input);
  const { queryIds, measures } = evaluation;
  const columns = measures.map(({ name }) => name);
  const cellsOver = (rows: readonly number[]): GradedCell[] => cells(evaluation, rows, { resamples, seed });
  const all = queryIds.map((_, q) => q).filter((q) => counted[q] === 1);
  const level = protocol.settings.relevanceLevel;
  return {
    kind: 'graded-report',
    relevanceLevel: level,
    columns,
    cells: cellsOver(all),
    slices: slicesOf(queryIds, labels).map(({ field, label, members }) => ({
      field,
      label,
      cells: cellsOver(members.filter((q) => counted[q] === 1)),
    })),
    counts: { ...evaluation.counts, queries: all.length },
    perQuery: queryIds.map((queryId, q) => ({
      queryId,
      labels: labels?.get(queryId) ?? {},
      counted: counted[q] === 1,
      values: evaluation.values.map((column) => column[q] ?? 0),
      ...hitsOf(queryId, input.run, input.qrels, level),
    })),
    notes,
    resamples,
    seed,
  };
}

function cells(
  { measures, values }: RunEvaluation,
  rows: readonly number[],
  options: BootstrapOptions,
): GradedCell[] {
  if (rows.length === 0) return measures.map(({ name }) => ({ measure: name, ...NO_ESTIMATE }));
  const lists = values.map((column) => Float64Array.from(rows, (q) => column[q] ?? 0));
  const estimates = estimateMeans(lists, options);
  return measures.map(({ name }, m) => ({ measure: name, ...(estimates[m] as Estimate) }));
}

function slicesOf(
  queryIds: readonly string[],
  labels: GradedReportInput['labels'],
): { field: string; label: string; members: number[] }[] {
  const fields = new Map<string, Map<string, number[]>>();
  queryIds.forEach((queryId, q) => {
    for (const [field, label] of Object.entries(labels?.get(queryId) ?? {})) {
      const members = fields.get(field) ?? new Map<string, number[]>();
      fields.set(field, members.set(label, [...(members.get(label) ?? []), q]));
    }
  });
  return [...fields]
    .filter(([, members]) => members.size > 1 && members.size <= MOST_LABELS)
    .flatMap(([field, members]) => [...members].map(([label, rows]) => ({ field, label, members: rows })))
    .sort((a, b) => (a.field === b.field ? (a.label < b.label ? -1 : 1) : a.field < b.field ? -1 : 1));
}

function hitsOf(
  queryId: string,
  run: Run,
  qrels: Qrels,
  level: number,
): Omit<GradedQueryRow, 'queryId' | 'labels' | 'counted' | 'values'> {
  const ranking = run.get(queryId);
  const judgements = qrels.get(queryId);
  const ids = ranking?.documentIds ?? [];
  const isPositive = (grade: number | undefined): boolean => grade !== undefined && grade >= level;
  return {
    hits: ids.slice(0, HITS).map((documentId, i) => ({
      documentId,
      score: ranking?.scores[i] as number,
      grade: judgements?.get(documentId) ?? null,
    })),
    retrieved: ids.length,
    positives: [...(judgements?.values() ?? [])].filter(isPositive).length,
    positivesInTop100: ids.slice(0, FOUND_DEPTH).filter((id) => isPositive(judgements?.get(id))).length,
  };
}
