import type { Qrels } from '../domain/qrels.ts';
import type { IdSet } from './prepare.ts';

/** What judgements say about a corpus that a reader of the number should know. */
export interface CorpusNote {
  readonly code: 'judged-outside-corpus' | 'judged-with-duplicates';
  readonly words: string;
}

/**
 * Counts the relevant-or-not judged documents that the corpus lacks (another version, other chunks): they stay in every
 * denominator and can never be found. Null when there are none.
 */
export function judgedOutsideCorpus(qrels: Qrels, corpus: IdSet): CorpusNote | null {
  const judged = new Set<string>();
  for (const judgements of qrels.values()) for (const id of judgements.keys()) judged.add(id);
  const missing = [...judged].filter((id) => !corpus.has(id));
  if (missing.length === 0) return null;
  const shown = missing
    .slice(0, 3)
    .map((id) => JSON.stringify(id))
    .join(', ');
  return {
    code: 'judged-outside-corpus',
    words: `${missing.length} of ${judged.size} judged documents are not in the corpus (${shown}${missing.length > 3 ? ', …' : ''}); they stay in the denominator`,
  };
}

/**
 * Counts the queries with a relevant document whose text stands in the corpus under other ids, not all of them relevant: a
 * hit on the wrong copy counts as a miss, and ids alone decide. `groups` are the ids that share one text. Null when there are none.
 */
export function judgedWithDuplicates(
  qrels: Qrels,
  groups: Iterable<readonly string[]>,
  relevanceLevel = 1,
): CorpusNote | null {
  const groupOf = new Map<string, readonly string[]>();
  for (const group of groups) if (group.length > 1) for (const id of group) groupOf.set(id, group);
  let queries = 0;
  let copies = 0;
  for (const judgements of qrels.values()) {
    const unjudgedCopies = new Set<string>();
    for (const [id, grade] of judgements)
      if (grade >= relevanceLevel)
        for (const copy of groupOf.get(id) ?? [])
          if ((judgements.get(copy) ?? 0) < relevanceLevel) unjudgedCopies.add(copy);
    if (unjudgedCopies.size > 0) queries++;
    copies += unjudgedCopies.size;
  }
  if (queries === 0) return null;
  return {
    code: 'judged-with-duplicates',
    words:
      queries === 1
        ? `1 query: judged document has ${copies} exact ${copies === 1 ? 'duplicate' : 'duplicates'}`
        : `${queries} queries: judged documents have ${copies} exact duplicates`,
  };
}
