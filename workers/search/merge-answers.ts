import type { SearchAnswer } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { compareRanked, type Ranking } from '../../src/domain/ranking.ts';

/** Returns the rankings of all shares merged by the total order and cut to k: the answer of one search over all. */
export function mergeAnswers(answers: readonly SearchAnswer[], k: number): SearchAnswer {
  const [first, ...others] = answers;
  if (first === undefined) throw new AppError('internal', 'no-answers', 'There is nothing to merge.');
  if (others.length === 0) return first;
  const rankings = first.rankings.map((ranking, query) =>
    others.reduce((merged, answer) => mergeRankings(merged, answer.rankings[query] as Ranking, k), ranking),
  );
  const sum = (key: 'documents' | 'blocks' | 'rescored'): number =>
    answers.reduce((total, answer) => total + answer.counts[key], 0);
  return {
    rankings,
    refused: answers.flatMap((answer) => answer.refused).sort((a, b) => a.row - b.row),
    counts: {
      ...first.counts,
      documents: sum('documents'),
      blocks: sum('blocks'),
      rescored: sum('rescored'),
      emptyRankings: rankings.filter((ranking) => ranking.documentIds.length === 0).length,
      threads: answers.length,
    },
  };
}

/** Merges two rankings of different documents in one walk along both. */
function mergeRankings(a: Ranking, b: Ranking, k: number): Ranking {
  const length = Math.min(k, a.documentIds.length + b.documentIds.length);
  const documentIds = new Array<string>(length);
  const scores = new Float64Array(length);
  let i = 0;
  let j = 0;
  for (let at = 0; at < length; at++) {
    const idA = a.documentIds[i];
    const idB = b.documentIds[j];
    const takeA =
      idB === undefined ||
      (idA !== undefined && compareRanked(a.scores[i] as number, idA, b.scores[j] as number, idB) < 0);
    documentIds[at] = (takeA ? idA : idB) as string;
    scores[at] = (takeA ? a.scores[i++] : b.scores[j++]) as number;
  }
  return { queryId: a.queryId, documentIds, scores };
}
