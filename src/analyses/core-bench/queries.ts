/** Why somebody asked: the intents of CORE-Bench (code retrieval)'s table 2. */
export const INTENTS = [
  'bug report',
  'feature request',
  'refactoring',
  'question',
  'documentation',
  'other',
] as const;
export type Intent = (typeof INTENTS)[number];

/** What the analyses need to know of one query. */
export interface CoreBenchQuery {
  readonly id: string;
  /** E.g. `SWE-bench Verified`; a subset's name for Level 1. */
  readonly subDataset: string;
  /** Repositories of equal name in two sub-datasets are two. Null for Level 1. */
  readonly repository: string | null;
  /** Declared language; null = taken from the gold chunks' file names. */
  readonly language: string | null;
  readonly intent: Intent | null;
}

/** File endings by language, lower case without the dot. `.h` counts as C: gold chunks of C++ also name other endings. */
const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Python: ['py', 'pyi', 'pyx'],
    Go: ['go'],
    JavaScript: ['js', 'jsx', 'mjs', 'cjs'],
    Rust: ['rs'],
    TypeScript: ['ts', 'tsx', 'mts', 'cts'],
    Java: ['java'],
    'C++': ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'ipp', 'tpp'],
    C: ['c', 'h'],
    Ruby: ['rb', 'rake'],
    PHP: ['php'],
    Swift: ['swift'],
  }).flatMap(([language, endings]) => endings.map((ending): [string, string] => [ending, language])),
);

/** Returns the language of a file by its ending; null for endings of no language here (documentation, configuration). */
export function languageOfFile(path: string): string | null {
  const ending = /\.([A-Za-z+]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending === undefined ? null : (ENDINGS.get(ending) ?? null);
}

/**
 * Returns the language that most of the files have; on a tie the one that comes first. Null when no file has one.
 */
export function majorityLanguage(paths: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languageOfFile(path);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let best: string | null = null;
  for (const [language, count] of counts)
    if (best === null || count > (counts.get(best) ?? 0)) best = language;
  return best;
}
