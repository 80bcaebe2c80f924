import { rank, type Ranking, type Run } from '../domain/ranking.ts';

/** What a numerics error can do to the mean of a metric over a run. */
export interface NumericsInterval {
  /** The mean as measured. */
  readonly value: number;
  /** The mean with every query's relevant documents at a disadvantage of the error, and at an advantage. */
  readonly low: number;
  readonly high: number;
  readonly queries: number;
  /** Queries whose value differs between the two ends. */
  readonly affectedQueries: number;
  /**
   * Queries whose ranking is cut so near the cutoff that documents beyond it could have moved in: their ends are then too
   * narrow. A deeper ranking makes it 0.
   */
  readonly cutTooNear: number;
}

/**
 * Returns the two extreme rankings of a query under an error of its margins: relevant documents up by half of it and all
 * others down, and the reverse. Ties and order as everywhere.
 *
 * @param marginError largest change of a difference of two scores, as the numerics check measured it
 */
export function shiftedRankings(
  ranking: Ranking,
  isRelevant: (documentId: string) => boolean,
  marginError: number,
): { readonly favourable: Ranking; readonly unfavourable: Ranking } {
  const { queryId, documentIds, scores } = ranking;
  const shifted = (sign: 1 | -1): Ranking =>
    rank(
      queryId,
      documentIds,
      scores.map(
        (score, i) => score + ((isRelevant(documentIds[i] as string) ? sign : -sign) * marginError) / 2,
      ),
    );
  return { favourable: shifted(1), unfavourable: shifted(-1) };
}

/**
 * Returns the interval that a measured numerics error gives the mean of a metric. Exact for metrics that rise when a
 * relevant document rises (precision, recall, MRR, exec@k with passing as relevant); an outer bound for graded ones and gaps.
 * The error is an estimate over the probes, so the interval is one too.
 *
 * @param measure the metric of one query's ranking; called three times a query
 * @param cutoff the metric's k, to see whether the stored rankings reach deep enough
 */
export function numericsInterval(
  run: Run,
  isRelevant: (queryId: string, documentId: string) => boolean,
  marginError: number,
  measure: (ranking: Ranking) => number,
  cutoff: number,
): NumericsInterval {
  let [value, low, high, affectedQueries, cutTooNear] = [0, 0, 0, 0, 0];
  for (const ranking of run.values()) {
    const { favourable, unfavourable } = shiftedRankings(
      ranking,
      (documentId) => isRelevant(ranking.queryId, documentId),
      marginError,
    );
    const ends = [measure(favourable), measure(unfavourable)] as const;
    value += measure(ranking);
    low += Math.min(...ends);
    high += Math.max(...ends);
    if (ends[0] !== ends[1]) affectedQueries++;
    if (reachesBeyond(ranking, cutoff, marginError)) cutTooNear++;
  }
  const queries = run.size;
  const mean = (sum: number): number => (queries === 0 ? 0 : sum / queries);
  return { value: mean(value), low: mean(low), high: mean(high), queries, affectedQueries, cutTooNear };
}

/** Whether a document below the last stored one could come above the cutoff: its score is at most the last one's. */
function reachesBeyond({ scores }: Ranking, cutoff: number, marginError: number): boolean {
  const last = scores.at(-1);
  const atCutoff = scores[cutoff - 1];
  return last !== undefined && atCutoff !== undefined && marginError > 0 && atCutoff - last <= marginError;
}
