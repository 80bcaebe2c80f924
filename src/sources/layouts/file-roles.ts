import { tableFormatOf } from '../../codecs/table.ts';

/** What a file of a retrieval benchmark holds. */
export type FileRole = 'corpus' | 'queries' | 'qrels';

/** A file's place among the others, read from its path. */
export interface RoledFile {
  readonly path: string;
  readonly role: FileRole;
  /** `test`, `dev`, `train` …, or empty where the path names none. */
  readonly split: string;
  /** For data sets with several parts side by side: a language, a name; empty where there is only one. */
  readonly subset: string;
}

const ROLE_NAMES: Readonly<Record<string, FileRole>> = {
  corpus: 'corpus',
  documents: 'corpus',
  docs: 'corpus',
  queries: 'queries',
  query: 'queries',
  qrels: 'qrels',
  qrel: 'qrels',
  default: 'qrels',
};
const SPLITS = new Set(['test', 'dev', 'validation', 'valid', 'train']);
/** Which split is evaluated when there are several. */
const SPLIT_ORDER = ['test', 'dev', 'validation', 'valid', '', 'train'];

/**
 * Reads the role of a file from its path, as BEIR (`corpus.jsonl`, `qrels/test.tsv`), MTEB (`corpus/…parquet`,
 * `python-queries/…`, `default/test-…`) and CoIR (`x-queries-corpus/…`, `x-qrels/…`) name them. Undefined for others.
 */
export function roleOf(path: string): RoledFile | undefined {
  if (tableFormatOf(path) === undefined) return undefined;
  const parts = path.toLowerCase().split('/');
  const stem = (parts.pop() ?? '')
    .replace(/\.(gz|gzip|zst|zstd)$/, '')
    .replace(/\.[a-z]+$/, '')
    .replace(/-\d{5}-of-\d{5}.*$/, '');
  const folders = parts.filter((part) => part !== 'data');
  const own = ROLE_NAMES[stem];
  const folder = folders.at(-1) ?? '';
  // MTEB's parts are `python-corpus`; the older CoIR form has `x-queries-corpus` with a split for each, and `x-qrels`.
  const pair = /^(.*?)(?:-queries)?-(qrels|corpus|queries)$/.exec(folder);
  if (own !== undefined) return { path, role: own, split: '', subset: pair?.[1] ?? subsetOf(folders) };
  const role = ROLE_NAMES[folder] ?? (pair === null ? undefined : ROLE_NAMES[pair[2] ?? '']);
  if (role !== undefined && (SPLITS.has(stem) || role !== 'qrels')) {
    const subset = pair?.[1] ?? subsetOf(folders.slice(0, -1));
    return { path, role, split: SPLITS.has(stem) ? stem : '', subset };
  }
  const prefixed = /^(.+)[-_](corpus|queries|qrels)$/.exec(stem);
  if (prefixed !== null) {
    const named = ROLE_NAMES[prefixed[2] ?? ''];
    if (named !== undefined) return { path, role: named, split: '', subset: prefixed[1] ?? '' };
  }
  return undefined;
}

/** The files to evaluate: of one subset and, where judgements come in splits, of one split. */
export interface ChosenFiles {
  readonly corpus: readonly string[];
  readonly queries: readonly string[];
  readonly qrels: readonly string[];
  readonly split: string;
}

/** Names of the subsets that hold judgements, in order of path. */
export function subsetsOf(paths: Iterable<string>): string[] {
  const files = roled(paths);
  return [...new Set(files.filter((file) => file.role === 'qrels').map((file) => file.subset))];
}

/** Chooses the files of a subset (default: the only one, or the one without a name), the test split first. */
export function chooseFiles(paths: Iterable<string>, subset?: string): ChosenFiles {
  const files = roled(paths);
  const subsets = subsetsOf(files.map((file) => file.path));
  const wanted = subset ?? (subsets.includes('') ? '' : (subsets[0] ?? ''));
  // A corpus that several subsets share stands beside them without a name.
  const of = (role: FileRole): RoledFile[] => {
    const own = files.filter((file) => file.role === role && file.subset === wanted);
    return own.length > 0 ? own : files.filter((file) => file.role === role && file.subset === '');
  };
  const qrels = of('qrels');
  const split = SPLIT_ORDER.find((name) => qrels.some((file) => file.split === name)) ?? '';
  const inSplit = (list: RoledFile[]): string[] => {
    const same = list.filter((file) => file.split === split || file.split === '');
    return (same.length > 0 ? same : list).map((file) => file.path);
  };
  return {
    corpus: of('corpus').map((file) => file.path),
    queries: inSplit(of('queries')),
    qrels: qrels.filter((file) => file.split === split).map((file) => file.path),
    split,
  };
}

function roled(paths: Iterable<string>): RoledFile[] {
  return [...paths].sort().flatMap((path) => roleOf(path) ?? []);
}

function subsetOf(folders: readonly string[]): string {
  return (
    folders.findLast((name) => ROLE_NAMES[name] === undefined && !/-(qrels|corpus|queries)$/.test(name)) ?? ''
  );
}
