/**
 * A figure with its interval and the count behind it: what every cell of a table holds. Plain data, JSON-able:
 * `null` where there is nothing to average, never NaN. `low` and `high` are the ends of a 95 % interval.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** How many queries (or triples, where the table says so) the figure rests on. */
  readonly n: number;
}

/** A share with its counts and Wilson's 95 % interval. */
export interface Share extends Estimate {
  readonly count: number;
}
