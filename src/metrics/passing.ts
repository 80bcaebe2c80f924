import type { JudgedRanking } from './judged-ranking.ts';

/** Number of documents among the first `cutoff` that pass every test of the query. */
export function passingWithin({ ranking, extras }: JudgedRanking, cutoff: number): number {
  const { passing } = extras;
  if (passing === undefined || passing.size === 0) return 0;
  const { documentIds } = ranking;
  const length = Math.min(cutoff, documentIds.length);
  let count = 0;
  for (let i = 0; i < length; i++) if (passing.has(documentIds[i] as string)) count++;
  return count;
}
