import type { RunMetric, RunMetricInput } from './metric.ts';

const RATES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Whether a system knows when it does not know: the gain from leaving out the queries of which it is least sure.
 *
 * @formula nAUC = (area of the system's abstention curve - flat area) / (oracle's area - flat area). The curve is the mean
 *   of the measure after leaving out the 0, 10, … 90 % of queries with the lowest confidence; the oracle leaves out those with
 *   the lowest value. Confidence `max` = the highest score, `std` = population standard deviation of the ranking's
 *   scores, `diff1` = highest minus second highest. Trapezoids between the ten rates; the number left out is rounded
 *   half to even and leaves at least one query.
 * @edgeCases Over the queries that are judged and have a non-empty ranking. Not defined (null) without any, or when all
 *   have the same value (MTEB gives NaN). `diff1` is 0 for a ranking of one. `std` moves with the depth of the run.
 * @ties Equal confidences keep the order of the queries' ids by UTF-8 bytes; MTEB keeps the order of its result dictionary.
 * @source Gisserot-Boukhlef and others, arXiv 2402.12997; MTEB `nAUC_*`.
 */
export const abstentionNauc: RunMetric = {
  scope: 'run',
  name: 'nAUC',
  title: 'Normalised area under the abstention curve',
  definition:
    'How much of the possible gain abstaining by confidence achieves: 1 like an oracle, 0 like chance.',
  cutoff: 'none',
  parameters: [
    { kind: 'measure', name: 'of', meaning: 'the measure whose mean the curve follows', fallback: 'nDCG@10' },
    {
      kind: 'choice',
      name: 'by',
      meaning:
        'confidence: highest score, standard deviation of the scores, or lead of the first over the second',
      fallback: 'max',
      choices: ['max', 'std', 'diff1'],
    },
  ],
  range: [-Infinity, 1],
  alsoCalled: ['nauc', 'abstention'],
  needs: [],
  aggregate: 'mean',
  evaluate: ({ scores, values }, { parameters }) => {
    const count = values.length;
    const first = values[0];
    if (first === undefined || values.every((value) => value === first)) return null;
    const by = parameters.get('by') as string;
    const confidence = Float64Array.from(scores, (ranking) => confidenceOf(ranking, by));
    const curve = abstentionCurve(confidence, values);
    const oracle = abstentionCurve(values, values);
    const flat = (oracle[0] as number) * ((RATES[RATES.length - 1] as number) - (RATES[0] as number));
    const room = area(oracle) - flat;
    // Fewer than two queries to leave out at any rate: the oracle gains nothing either.
    return count < 2 || room === 0 ? null : (area(curve) - flat) / room;
  },
};

/** Confidence in a ranking from its scores (never increasing, at least one). */
function confidenceOf(scores: RunMetricInput['scores'][number], by: string): number {
  const highest = scores[0] as number;
  if (by === 'max') return highest;
  if (by === 'diff1') return scores.length < 2 ? 0 : highest - (scores[1] as number);
  let sum = 0;
  for (const score of scores) sum += score;
  const mean = sum / scores.length;
  let squares = 0;
  for (const score of scores) squares += (score - mean) * (score - mean);
  return Math.sqrt(squares / scores.length);
}

/** Mean of `values` after leaving out, at each rate, the entries of lowest confidence. */
function abstentionCurve(confidence: Float64Array, values: Float64Array): number[] {
  const order = Array.from(confidence, (_, i) => i);
  order.sort((i, j) => (confidence[i] as number) - (confidence[j] as number) || i - j);
  return RATES.map((rate) => {
    const leftOut = Math.min(roundHalfToEven(rate * order.length), order.length - 1);
    let sum = 0;
    for (let i = leftOut; i < order.length; i++) sum += values[order[i] as number] as number;
    return sum / (order.length - leftOut);
  });
}

function area(curve: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i < curve.length; i++) {
    const width = (RATES[i] as number) - (RATES[i - 1] as number);
    sum += (width * ((curve[i] as number) + (curve[i - 1] as number))) / 2;
  }
  return sum;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
