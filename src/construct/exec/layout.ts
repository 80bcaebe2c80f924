import { digestOf } from '../../domain/digest.ts';
import { editedSpan } from '../../analyses/execretrieval/edited-span.ts';
import { placeOf } from './edit.ts';
import { bugTypeOf, type BuiltTask } from './task.ts';

/**
 * The files of ExecRetrieval's layout by path, each a text of JSON Lines. The corpus is shuffled by the seed: were a
 * canonical to stand beside its distractors, a rule for ties on ids or positions would favour one side.
 */
export async function execRetrievalFiles(
  built: readonly BuiltTask[],
  seed: number,
): Promise<ReadonlyMap<string, string>> {
  const snippets = built.flatMap(({ task, distractors }, entry) =>
    [task.code, ...distractors.map(({ code }) => code)].map((code, index) => ({ entry, index, code })),
  );
  shuffle(snippets, seed);
  const width = Math.max(4, String(snippets.length).length);
  const idOf = new Map<string, string>();
  const corpus = snippets.map(({ entry, index, code }, position) => {
    const corpusId = `c_${String(position + 1).padStart(width, '0')}`;
    idOf.set(`${entry}/${index}`, corpusId);
    const { task, distractors } = built[entry] as BuiltTask;
    const distractor = distractors[index - 1];
    return distractor === undefined
      ? { corpus_id: corpusId, code, label: 'correct', source_entry_id: task.entryId }
      : {
          corpus_id: corpusId,
          code,
          label: 'incorrect',
          bug_type: bugTypeOf(distractor),
          source_entry_id: task.entryId,
        };
  });
  const corpusId = (entry: number, index: number): string => idOf.get(`${entry}/${index}`) as string;
  const queryId = (entry: number): string => `q_${String(entry + 1).padStart(4, '0')}`;
  const queries = built.map(({ task, distractors }, entry) => ({
    query_id: queryId(entry),
    query: task.query,
    test_suite: task.tests,
    correct_corpus_ids: [corpusId(entry, 0)],
    paired_distractor_corpus_ids: distractors.map((_, index) => corpusId(entry, index + 1)),
    entry_id: task.entryId,
    metadata: { domain: task.domain, name: task.name },
  }));
  const metadata = built.flatMap(({ task, distractors }, entry) =>
    distractors.map((distractor, index) => {
      const edits = distractor.edits.map((edit) => {
        const place = placeOf(task.code, edit);
        return {
          bug_type: edit.bugType,
          start_code_point: place.startCodePoint,
          end_code_point: place.endCodePoint,
          start_byte: place.startByte,
          end_byte: place.endByte,
          first_line: place.firstLine,
          last_line: place.lastLine,
          before: edit.before,
          after: edit.after,
        };
      });
      const base = {
        corpus_id: corpusId(entry, index + 1),
        canonical_corpus_id: corpusId(entry, 0),
        query_id: queryId(entry),
        entry_id: task.entryId,
      };
      const span = { span_code_points: editedSpan(task.code, distractor.code) };
      return edits.length === 1
        ? { ...base, ...edits[0], ...span }
        : { ...base, bug_type: bugTypeOf(distractor), edits, ...span };
    }),
  );
  const cache: unknown[] = [];
  for (const [entry, { task, outcomes, distractors }] of built.entries()) {
    // The canonical spelling of a suite for its digest: the tests joined by line breaks.
    const testsDigest = await digestOf(task.tests.join('\n'));
    const all = [{ code: task.code, outcomes }, ...distractors];
    for (const [index, snippet] of all.entries())
      cache.push({
        code_sha256: await digestOf(snippet.code),
        tests_sha256: testsDigest,
        corpus_id: corpusId(entry, index),
        query_id: queryId(entry),
        outcomes: snippet.outcomes,
      });
  }
  return new Map([
    ['data/corpus.jsonl', jsonLines(corpus)],
    ['data/queries.jsonl', jsonLines(queries)],
    ['data/distractor_metadata.jsonl', jsonLines(metadata)],
    ['data/execution_cache.jsonl', jsonLines(cache)],
  ]);
}

/** Rows as JSON Lines, each line ended. */
export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Fisher-Yates in place, driven by mulberry32, so that the order depends on the seed alone. */
export function shuffle<T>(items: T[], seed: number): void {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
}
