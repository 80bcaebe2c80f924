import type { Qrels } from '../../domain/qrels.ts';
import { rank, type Run } from '../../domain/ranking.ts';
import { evaluateRun, parseMeasures } from '../../metrics/index.ts';
import { findProtocol, scoreRun } from '../../protocols/index.ts';

/** One query's scored documents in the order in which a search gave them: the order that the package keeps on ties. */
export interface ScoredList {
  readonly documentIds: readonly string[];
  readonly scores: ArrayLike<number>;
}

/** What CoREB's released package is given. Not a {@link Run}: its lists are not in the total order. */
export interface ReleasedEvaluatorInput {
  readonly lists: ReadonlyMap<string, ScoredList>;
  readonly qrels: Qrels;
  /** Query id -> the code that the query was made from; only the second pass removes it. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Default 1, 3, 5, 10, 100. */
  readonly cutoffs?: readonly number[];
}

/** By the package's own key, such as `NDCG@10` or `mrr_at_5`. */
export type ReleasedValues = Readonly<Record<string, number>>;

/** The package's figures, in its own readings, each beside what differs from the protocol `coreb-runner`. */
export interface ReleasedEvaluation {
  /** pytrec_eval over the queries in both qrels and run, rounded to 5 digits; anchors stay. As `coreb-runner`, rounded. */
  readonly ndcg: ReleasedValues;
  readonly map: ReleasedValues;
  readonly recall: ReleasedValues;
  readonly precision: ReleasedValues;
  /** Ties in list order, divided by all queries of the qrels, rounded to 5 digits; anchors stay. */
  readonly mrr: ReleasedValues;
  readonly recallCap: ReleasedValues;
  readonly accuracy: ReleasedValues;
  /** Code-to-code's second pass: anchors removed, ties in list order, over the queries of the run, not rounded; at 1, 5, 10, 20. */
  readonly withoutAnchor: ReleasedValues;
}

const LEVEL = 2;
const SECOND_PASS_CUTOFFS = [1, 5, 10, 20] as const;

/**
 * Returns what CoREB's released evaluator (package coreb 0.1.0) gives, its roundings, denominators and ties in list order
 * included: for comparing with numbers that were made by it. Everything else in Assay settles ties by id. Source: the
 * package, `benchmark/evaluation.py` and the second pass of its runner.
 */
export function releasedCorebEvaluation(input: ReleasedEvaluatorInput): ReleasedEvaluation {
  const { lists, qrels, anchors, cutoffs = [1, 3, 5, 10, 100] } = input;
  const ranked: Run = new Map(
    [...lists].map(([query, { documentIds, scores }]) => [query, rank(query, documentIds, scores)]),
  );
  const at = (name: string): string[] => cutoffs.map((k) => `${name}@${k}`);
  const { mean, evaluation } = scoreRun(findProtocol('coreb-runner'), {
    run: ranked,
    qrels,
    measures: ['nDCG', 'AP', 'R', 'P'].flatMap(at),
  });
  const valueOf = new Map(evaluation.measures.map(({ name }, m) => [name, mean.values[m] ?? 0]));
  const byKey = (key: string, nameAt: (k: number) => string): ReleasedValues =>
    Object.fromEntries(cutoffs.map((k) => [`${key}@${k}`, fiveDigits(valueOf.get(nameAt(k)) ?? 0)]));
  return {
    ndcg: byKey('NDCG', (k) => `nDCG@${k}`),
    map: byKey('MAP', (k) => `AP(rel=2)@${k}`),
    recall: byKey('Recall', (k) => `R(rel=2)@${k}`),
    precision: byKey('P', (k) => `P(rel=2)@${k}`),
    ...overAllJudged(inListOrder(lists, new Map()), qrels, cutoffs),
    withoutAnchor: secondPass(inListOrder(lists, anchors), qrels),
  };
}

/** Best scores first, equal ones as they stood, without the anchors. Breaks the total order on purpose; never leaves this file. */
function inListOrder(lists: ReleasedEvaluatorInput['lists'], anchors: ReadonlyMap<string, string>): Run {
  return new Map(
    [...lists].map(([queryId, { documentIds, scores }]) => {
      const order = documentIds
        .map((_, i) => i)
        .filter((i) => documentIds[i] !== anchors.get(queryId))
        // Array.sort is stable, as Python's sorted is.
        .sort((a, b) => (scores[b] as number) - (scores[a] as number));
      return [
        queryId,
        {
          queryId,
          documentIds: order.map((i) => documentIds[i] as string),
          scores: Float64Array.from(order, (i) => scores[i] as number),
        },
      ];
    }),
  );
}

function overAllJudged(
  run: Run,
  qrels: Qrels,
  cutoffs: readonly number[],
): Pick<ReleasedEvaluation, 'mrr' | 'recallCap' | 'accuracy'> {
  const sums = (base: string): Map<number, number> => {
    const names = cutoffs.map((k) => `${base}@${k}`).join(',');
    const { values } = evaluateRun(run, qrels, parseMeasures(names, { relevanceLevel: LEVEL }));
    return new Map(cutoffs.map((k, m) => [k, sum(values[m] as Float64Array)]));
  };
  const over = (key: string, base: string): ReleasedValues =>
    Object.fromEntries(
      [...sums(base)].map(([k, total]) => [
        `${key}@${k}`,
        qrels.size === 0 ? 0 : fiveDigits(total / qrels.size),
      ]),
    );
  return {
    mrr: over('MRR', 'RR'),
    recallCap: over('R_cap', 'R_cap'),
    accuracy: over('Accuracy', 'Success'),
  };
}

function secondPass(run: Run, qrels: Qrels): ReleasedValues {
  const zeroed: Qrels = new Map(
    [...qrels].map(([query, grades]) => [
      query,
      new Map([...grades].map(([id, grade]) => [id, grade >= LEVEL ? grade : 0])),
    ]),
  );
  const entries = SECOND_PASS_CUTOFFS.flatMap((k) =>
    (
      [
        ['ndcg', `nDCG@${k}`],
        ['recall', `R@${k}`],
        ['mrr', `RR@${k}`],
      ] as const
    ).map(([key, name]): [string, number] => {
      const { values } = evaluateRun(run, zeroed, parseMeasures(name, { relevanceLevel: LEVEL }));
      return [`${key}_at_${k}`, run.size === 0 ? 0 : sum(values[0] as Float64Array) / run.size];
    }),
  );
  return Object.fromEntries(entries);
}

/** Queries that the run lacks hold 0, so this is the sum over the run's judged queries. */
function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function fiveDigits(value: number): number {
  return Number(value.toFixed(5));
}
