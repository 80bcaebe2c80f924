import { canonicalJson, digestOf, type Digest } from './digest.ts';
import type { Ranking } from './ranking.ts';

/**
 * SHA-256 of rankings: one line `["query","document",score]` of canonical JSON a document, joined by LF, in the order of
 * the rankings. A query without documents adds nothing. The scores are in it, so equal digests mean equal numbers.
 */
export function digestOfRankings(rankings: Iterable<Ranking>): Promise<Digest> {
  const lines: string[] = [];
  for (const { queryId, documentIds, scores } of rankings) {
    documentIds.forEach((documentId, i) => lines.push(canonicalJson([queryId, documentId, scores[i]])));
  }
  return digestOf(lines.join('\n'));
}
