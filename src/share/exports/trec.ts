import { trecRunLines } from '../../codecs/write-trec-run.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Qrels } from '../../domain/qrels.ts';
import type { Run } from '../../domain/ranking.ts';

/**
 * `exact`: scores with 17 digits, as they are. `from-ranks`: falling whole numbers that keep the order in tools which cast
 * scores to float32 and would tie neighbours or order them anew.
 */
export type RunScores = 'exact' | 'from-ranks';

/** Returns rankings as a TREC run. Errors: those of trecRunLines for ids with blanks. */
export function trecRunText(run: Run, tag: string, scores: RunScores): string {
  if (!/^\S+$/u.test(tag))
    throw new AppError('record', 'bad-tag', `A run's tag holds no blanks: ${JSON.stringify(tag)}.`);
  return [...run.values()]
    .map((ranking) =>
      trecRunLines(
        scores === 'exact'
          ? ranking
          : {
              ...ranking,
              scores: Float64Array.from(ranking.documentIds, (_, i) => ranking.documentIds.length - i),
            },
        tag,
      ),
    )
    .join('');
}

/** Returns judgements as TREC qrels, `query 0 document grade`, in their own order. Grades are whole numbers there. */
export function trecQrelsText(qrels: Qrels): string {
  const lines: string[] = [];
  for (const [queryId, judgements] of qrels) {
    for (const [documentId, grade] of judgements) {
      for (const id of [queryId, documentId])
        if (id === '' || /\s/u.test(id))
          throw new AppError(
            'codec',
            'run-id-blank',
            `The id ${JSON.stringify(id)} is empty or holds blanks, which TREC qrels cannot show. Use other ids.`,
          );
      if (!Number.isInteger(grade))
        throw new AppError(
          'codec',
          'grade-not-whole',
          `Document ${documentId} of query ${queryId} has grade ${grade}; TREC qrels hold whole numbers.`,
        );
      lines.push(`${queryId} 0 ${documentId} ${grade}\n`);
    }
  }
  return lines.join('');
}
