import type { FakeDataset } from './fake-hub.ts';

/** Rows as a JSON Lines file. */
export function jsonLines(rows: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const DOMAINS = ['geometry', 'collections', 'date_time', 'validation'];

/** Tasks in ExecRetrieval's layout: `queries` of them, each with a canonical and four distractors. */
export function execFiles(queries: number): Map<string, Uint8Array> {
  const corpus: object[] = [];
  const tasks: object[] = [];
  for (let q = 0; q < queries; q++) {
    const entry = `exec_${DOMAINS[q % DOMAINS.length]}_${q}`;
    const ids = Array.from({ length: 5 }, (_, i) => `c_${String(q * 5 + i).padStart(5, '0')}`);
    for (const [i, id] of ids.entries())
      corpus.push({
        corpus_id: id,
        code: `def task_${q}(x):\n    """Adds ${q} to a number, told in ${'many '.repeat(20)}words."""\n    return x + ${q + i}\n`,
        label: i === 0 ? 'correct' : 'incorrect',
        ...(i === 0 ? {} : { bug_type: 'off_by_one' }),
        source_entry_id: entry,
      });
    tasks.push({
      query_id: `q_${q}`,
      query: `add ${q} to a number`,
      test_suite: [`assert task_${q}(0) == ${q}`, `assert task_${q}(1) == ${q + 1}`],
      correct_corpus_ids: ids.slice(0, 1),
      paired_distractor_corpus_ids: ids.slice(1),
      entry_id: entry,
    });
  }
  return new Map([
    ['data/corpus.jsonl', jsonLines(corpus)],
    ['data/queries.jsonl', jsonLines(tasks)],
  ]);
}

/** The declared ExecRetrieval, smaller unless asked for at its true size (939 queries). */
export function execDataset(queries = 60): FakeDataset {
  return {
    id: 'anonpapersubmission01/execretrieval',
    revision: `ace5c3f${'0'.repeat(33)}`,
    files: execFiles(queries),
  };
}
