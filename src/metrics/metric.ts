import type { JudgedRanking } from './judged-ranking.ts';

/** A parameter between the parentheses of a metric's name, as in `P(rel=2)@10`. */
export type MetricParameter =
  | {
      readonly kind: 'level';
      readonly name: 'rel';
      /** Lowest grade that counts as relevant; its default is the relevance level of the evaluation. */
      readonly meaning: string;
    }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly meaning: string;
      readonly fallback: number;
      /** Both bounds are allowed values. */
      readonly from: number;
      readonly to: number;
      readonly whole: boolean;
    }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly meaning: string;
      readonly fallback: string;
      readonly choices: readonly string[];
    }
  | {
      /** The name of another measure in quotes, as in `nAUC(of='nDCG@10')`. */
      readonly kind: 'measure';
      readonly name: string;
      readonly meaning: string;
      readonly fallback: string;
    };

/** What a metric must be given beside the ranking and the grades. */
export type MetricNeed = 'verdicts' | 'files' | 'judged-anywhere';

interface MetricBase {
  /** The base name, as printed: `nDCG` in `nDCG@10`. */
  readonly name: string;
  /** The name in words. */
  readonly title: string;
  /** One sentence for a table's tool tip; formula, edge cases and source stand in the doc comment and docs/metrics.md. */
  readonly definition: string;
  /** Whether `@k` must, may or must not follow the name. */
  readonly cutoff: 'required' | 'optional' | 'none';
  readonly parameters: readonly MetricParameter[];
  /** Lowest and highest possible value. */
  readonly range: readonly [number, number];
  /** Names that other programs use; not accepted, but answered with this one. */
  readonly alsoCalled: readonly string[];
  readonly needs: readonly MetricNeed[];
  /** How the values of queries become one number. Counts are summed. */
  readonly aggregate: 'mean' | 'sum';
}

/** A metric that gives a value for each query. */
export interface QueryMetric extends MetricBase {
  readonly scope: 'query';
  /** The value for one query; finite, within `range`. Called once for each query, never for queries without a ranking: those get 0. */
  readonly evaluate: (query: JudgedRanking, measure: Measure) => number;
}

/** A metric that only a whole run has, computed from another measure's values. */
export interface RunMetric extends MetricBase {
  readonly scope: 'run';
  /** The value, or null where it is not defined. */
  readonly evaluate: (input: RunMetricInput, measure: Measure) => number | null;
}

/** What a {@link RunMetric} sees: the evaluated queries that have a non-empty ranking, in the order of their ids' UTF-8 bytes. */
export interface RunMetricInput {
  /** The scores of each query's ranking, never increasing. */
  readonly scores: readonly Float64Array[];
  /** The other measure's value for each query. */
  readonly values: Float64Array;
}

/** One file declares one metric; `index.ts` lists them. */
export type Metric = QueryMetric | RunMetric;

/** A metric with its parameters and cutoff settled: what a name such as `P(rel=2)@10` means. */
export interface Measure {
  /** The one spelling of this measure. */
  readonly name: string;
  readonly metric: Metric;
  /** Infinity where there is no cutoff, so that `rank <= cutoff` always reads right. */
  readonly cutoff: number;
  /** The lowest relevant grade; 1 for metrics that have no level. */
  readonly level: number;
  /** Every other parameter of the metric, defaults filled in. */
  readonly parameters: ReadonlyMap<string, number | string>;
}
