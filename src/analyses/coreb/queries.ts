/** The three retrieval directions of CoREB. */
export const COREB_TASKS = ['t2c', 'c2c', 'c2t'] as const;
export type CorebTask = (typeof COREB_TASKS)[number];

/** What the analyses need to know of one query. */
export interface CorebQuery {
  readonly id: string;
  readonly task: CorebTask;
  /** Without the language suffix: `canonical_retro`, `full_retro`, `search`, `cross_lang`, `match`. */
  readonly subtask: string;
  /** The language constraint of text-to-code and the anchor language of code-to-text: `any` or a language; null where the subtask has none. */
  readonly language: string | null;
  /** Code-to-code only. */
  readonly anchorLanguage: string | null;
  readonly targetLanguages: readonly string[];
  /** The seed problem, by which queries hang together; null where unknown. */
  readonly problemId: string | null;
}

const LANGUAGES = new Set(['any', 'python', 'java', 'cpp', 'ruby', 'go']);

/**
 * Splits a subtask name as the files have it: `t2c_canonical_retro_python` -> task `t2c`, subtask `canonical_retro`, language
 * `python`; `c2c_cross_lang` and `c2t_match` have no language. Null for a name of another form.
 */
export function parseSubtask(
  name: string,
): { task: CorebTask; subtask: string; language: string | null } | null {
  const [task, ...rest] = name.split('_');
  if (task === undefined || !(COREB_TASKS as readonly string[]).includes(task) || rest.length === 0)
    return null;
  const last = rest.at(-1) as string;
  const hasLanguage = rest.length > 1 && LANGUAGES.has(last);
  return {
    task: task as CorebTask,
    subtask: (hasLanguage ? rest.slice(0, -1) : rest).join('_'),
    language: hasLanguage ? last : null,
  };
}
