import { AppError } from '../../domain/app-error.ts';
import { rank, type Ranking } from '../../domain/ranking.ts';

/**
 * Returns the documents that a reranker scores for a query: the first `depth` after excluded ones (the anchor) are removed.
 */
export function rerankCandidates(
  ranking: Ranking,
  depth: number,
  isExcluded: (documentId: string) => boolean = () => false,
): string[] {
  const candidates: string[] = [];
  for (const id of ranking.documentIds) {
    if (candidates.length === depth) break;
    if (!isExcluded(id)) candidates.push(id);
  }
  return candidates;
}

/**
 * Returns the ranking after reranking: candidates by the reranker's scores (ties by id, as everywhere), then the others in
 * the order of the first stage, with scores that fall by one from the least of the reranker. Excluded documents are gone.
 * Errors (`rerank-scores`): a score that is not finite, or not one a candidate.
 */
export function applyReranking(
  ranking: Ranking,
  candidates: readonly string[],
  scores: ArrayLike<number>,
  isExcluded: (documentId: string) => boolean = () => false,
): Ranking {
  const { queryId } = ranking;
  if (scores.length !== candidates.length)
    throw new AppError(
      'rerank',
      'rerank-scores',
      `query ${queryId}: ${scores.length} scores for ${candidates.length} documents`,
    );
  const bad = candidates.findIndex((_, i) => !Number.isFinite(scores[i]));
  if (bad >= 0)
    throw new AppError(
      'rerank',
      'rerank-scores',
      `query ${queryId}: document ${candidates[bad]} has the score ${scores[bad]}`,
    );
  const reranked = new Set(candidates);
  const others = ranking.documentIds.filter((id) => !reranked.has(id) && !isExcluded(id));
  const head = rank(queryId, candidates, scores);
  const least = head.scores.at(-1) ?? 0;
  return {
    queryId,
    documentIds: [...head.documentIds, ...others],
    scores: Float64Array.of(...head.scores, ...others.map((_, i) => least - 1 - i)),
  };
}
