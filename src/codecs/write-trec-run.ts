import { AppError } from '../domain/app-error.ts';
import type { Ranking } from '../domain/ranking.ts';

/**
 * Returns one ranking as lines of a TREC run, `query Q0 document rank score tag`, each ended by LF: rank from 1, score
 * with 17 significant digits, so that reading it back gives the same float64 and the same order. A ranking without
 * documents gives no line. Ids that hold blanks cannot be written in this format (`run-id-blank`).
 */
export function trecRunLines(ranking: Ranking, tag: string): string {
  checkId(ranking.queryId, 'Query');
  return ranking.documentIds
    .map((id, i) => {
      checkId(id, 'Document');
      return `${ranking.queryId} Q0 ${id} ${i + 1} ${scoreText(ranking.scores[i] as number)} ${tag}\n`;
    })
    .join('');
}

/** A score with 17 significant digits: enough to tell any two float64 apart. */
export function scoreText(score: number): string {
  return score.toPrecision(17);
}

function checkId(id: string, what: string): void {
  if (id === '' || /\s/.test(id)) {
    throw new AppError(
      'codec',
      'run-id-blank',
      `${what} id ${JSON.stringify(id)} is empty or holds blanks, which a TREC run cannot show. Use other ids.`,
    );
  }
}
