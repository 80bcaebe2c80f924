import type { Judgements } from '../domain/qrels.ts';
import type { Ranking } from '../domain/ranking.ts';

/** Returns the file that a document (a chunk) belongs to. */
export type FileOf = (documentId: string) => string;

/**
 * Turns a ranking of chunks into one of files: a file scores its best chunk and therefore stands where that chunk stood,
 * and has the highest grade that one of its judged chunks has. Chunks that are not visible must be gone beforehand.
 * Files whose best chunks tie keep the order of those chunks, which the total order has settled.
 */
export function collapseToFiles(
  ranking: Ranking,
  judgements: Judgements,
  fileOf: FileOf,
): { ranking: Ranking; judgements: Judgements } {
  const seen = new Set<string>();
  const scores: number[] = [];
  ranking.documentIds.forEach((documentId, i) => {
    const file = fileOf(documentId);
    if (seen.has(file)) return;
    seen.add(file);
    scores.push(ranking.scores[i] as number);
  });
  const grades = new Map<string, number>();
  for (const [documentId, grade] of judgements) {
    const file = fileOf(documentId);
    grades.set(file, Math.max(grade, grades.get(file) ?? -Infinity));
  }
  return {
    ranking: { queryId: ranking.queryId, documentIds: [...seen], scores: Float64Array.from(scores) },
    judgements: grades,
  };
}
