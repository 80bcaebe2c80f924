export { discountTable, log2Portable } from './discounts.ts';
export { evaluateQuery, evaluateRun, meanOverQueries } from './evaluate-run.ts';
export type {
  Denominator,
  EvaluationColumns,
  EvaluationCounts,
  EvaluationOptions,
  MeanOverQueries,
  RunEvaluation,
} from './evaluate-run.ts';
export { collapseToFiles } from './file-ranking.ts';
export type { FileOf } from './file-ranking.ts';
export { parseMeasure, parseMeasures, printMeasure } from './grammar.ts';
export type { MeasureDefaults } from './grammar.ts';
export { JudgedRanking } from './judged-ranking.ts';
export type { JudgedRankingExtras } from './judged-ranking.ts';
export { METRICS } from './list.ts';
export type { Measure, Metric, MetricNeed, MetricParameter, QueryMetric, RunMetric } from './metric.ts';
