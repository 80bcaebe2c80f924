import type { Intent } from '../../analyses/core-bench/queries.ts';
import { AppError } from '../../domain/app-error.ts';
import type { SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { hunksBetween, similarity, touchedPieces, type Hunk } from './change.ts';
import { linesOf } from './chunk-file.ts';
import type { Commit, PathChange, Repository } from './repository.ts';
import {
  intentOf,
  judgeQuery,
  queryText,
  requestOf,
  type ChangeRequest,
  type QueryVerdict,
} from './request-text.ts';
import { SnapshotCorpus, type CorpusPiece, type LeftOut } from './snapshot-corpus.ts';

/** How a repository becomes a benchmark. */
export interface RepoBuildSettings {
  /** Branch, tag or commit whose first-parent history is read. */
  readonly ref: string;
  /** Commits looked at, newest first. */
  readonly mostCommits: number;
  /** Queries wanted. */
  readonly mostQueries: number;
  /** A change that touches more pieces is a sweep, not a request. */
  readonly mostGold: number;
  /** Lines in common from which a deleted and an added file are one that was renamed. */
  readonly renameSimilarity: number;
  /** Only these commits, by full id, with their descriptions from a forge; absent: every commit with its message. */
  readonly requests?: ReadonlyMap<string, ChangeRequest>;
  /** Verdicts of a model or a person on queries, by full commit id: they replace the mechanical filter's. */
  readonly answers?: ReadonlyMap<string, Omit<QueryVerdict, 'by'>>;
}

/** One query of the benchmark. */
export interface RepoQuery {
  readonly id: string;
  readonly text: string;
  readonly commit: string;
  readonly base: string;
  readonly intent: Intent;
  /** Numbers of the visible pieces, ascending. */
  readonly visible: Int32Array;
  /** Numbers of the gold pieces, ascending. */
  readonly gold: readonly number[];
}

/** Why a commit gave no query. */
export type DropReason =
  | 'no-parent'
  | 'parent-missing'
  | 'no-change'
  | 'no-gold'
  | 'sweeping'
  | 'leak'
  | 'meaningless'
  | 'too-different';

/** A commit that gave no query, with why. */
export interface DroppedCommit {
  readonly commit: string;
  readonly title: string;
  readonly why: DropReason;
  readonly reason: string;
}

/** A finished build. */
export interface RepoBuild {
  readonly head: string;
  readonly pieces: readonly CorpusPiece[];
  readonly queries: readonly RepoQuery[];
  readonly dropped: readonly DroppedCommit[];
  readonly commitsRead: number;
  readonly shallow: boolean;
  readonly renames: readonly {
    readonly commit: string;
    readonly from: string;
    readonly to: string;
    readonly similarity: number;
  }[];
  /** Lines replaced or removed in files that are cut, and how many of them lie in a gold piece. */
  readonly editedLines: { readonly all: number; readonly covered: number };
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Turns a repository's history into a benchmark by the five steps of CORE-Bench: requests, the tree before each change,
 * pieces, alignment of the change to the pieces, query and gold. Reads only. The same repository gives the same build.
 */
export async function buildRepoBenchmark(
  repository: Repository,
  parsers: SyntaxParsers,
  settings: RepoBuildSettings,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<RepoBuild> {
  const head = await repository.resolve(settings.ref);
  const { commits, shallow } = await repository.history(head, settings.mostCommits);
  const corpus = new SnapshotCorpus(repository, parsers);
  const queries: RepoQuery[] = [];
  const dropped: DroppedCommit[] = [];
  const renames: RepoBuild['renames'][number][] = [];
  const editedLines = { all: 0, covered: 0 };
  for (const [index, commit] of commits.entries()) {
    if (queries.length >= settings.mostQueries) break;
    if (settings.requests !== undefined && !settings.requests.has(commit.id)) continue;
    const request = settings.requests?.get(commit.id) ?? requestOf(commit.message);
    const drop = (why: DropReason, reason: string): void => {
      dropped.push({ commit: commit.id, title: request.title.slice(0, 120), why, reason });
    };
    const [parentId] = commit.parents;
    if (parentId === undefined) {
      drop('no-parent', 'the first commit has nothing before it');
      continue;
    }
    const base = commits[index + 1]?.id === parentId ? commits[index + 1] : await repository.commit(parentId);
    if (base === undefined) {
      drop('parent-missing', `its parent ${parentId} is not in this clone`);
      continue;
    }
    const changed = await repository.changes(base.tree, commit.tree);
    if (changed.length === 0) {
      drop('no-change', 'it changes no file');
      continue;
    }
    const text = queryText(request);
    // Settled without reading any file, so that releases and bots cost nothing.
    const early = verdictOf(commit, text, { goldPaths: [], addedLines: new Set() }, settings);
    if (early.verdict !== 'keep') {
      drop(early.verdict, early.reason);
      continue;
    }
    const aligned = await alignChange(changed, base, corpus, settings.renameSimilarity);
    if (typeof aligned === 'string') {
      drop('too-different', `the two versions of ${aligned} cannot be compared`);
      continue;
    }
    if (aligned.gold.length === 0) {
      drop('no-gold', 'it only adds files or code between pieces, or edits files that are left out');
      continue;
    }
    if (aligned.gold.length > settings.mostGold) {
      drop('sweeping', `it touches ${aligned.gold.length} pieces, more than ${settings.mostGold}`);
      continue;
    }
    const goldPaths = aligned.gold.map((piece) => (corpus.pieces[piece] as CorpusPiece).path);
    const verdict = verdictOf(commit, text, { goldPaths, addedLines: aligned.addedLines }, settings);
    if (verdict.verdict !== 'keep') {
      drop(verdict.verdict, verdict.reason);
      continue;
    }
    renames.push(...aligned.renames.map((rename) => ({ commit: commit.id, ...rename })));
    editedLines.all += aligned.editedLines.all;
    editedLines.covered += aligned.editedLines.covered;
    const visible = await corpus.snapshot(await repository.files(base.tree), base.id);
    queries.push({
      id: `q_${String(queries.length + 1).padStart(4, '0')}`,
      text,
      commit: commit.id,
      base: base.id,
      intent: intentOf(text, goldPaths),
      visible,
      gold: aligned.gold,
    });
    onProgress(queries.length, settings.mostQueries);
  }
  if (queries.length === 0)
    throw new AppError(
      'construct',
      'no-queries',
      `None of ${commits.length} commits gives a query: ${countsOf(dropped)}. Try more commits (--commits) or another --ref.`,
    );
  return {
    head,
    pieces: corpus.pieces,
    queries,
    dropped,
    commitsRead: commits.length,
    shallow,
    renames,
    editedLines,
    leftOut: Object.fromEntries([...corpus.leftOut].sort(([a], [b]) => (a < b ? -1 : 1))),
    skipped: [...repository.skipped]
      .map(([path, why]) => ({ path, why }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The pieces that a change touches, with what the filter and the report need. A text names the file that cannot be compared. */
interface AlignedChange {
  readonly gold: readonly number[];
  readonly addedLines: ReadonlySet<string>;
  readonly renames: readonly { readonly from: string; readonly to: string; readonly similarity: number }[];
  readonly editedLines: { readonly all: number; readonly covered: number };
}

/** Aligns a change with the pieces of the tree before it. New files never have gold; a deleted file is gold as a whole. */
export async function alignChange(
  changed: readonly PathChange[],
  base: Commit,
  corpus: SnapshotCorpus,
  renameSimilarity: number,
): Promise<AlignedChange | string> {
  const gold = new Set<number>();
  const addedLines = new Set<string>();
  const editedLines = { all: 0, covered: 0 };
  const renames = await findRenames(changed, corpus, renameSimilarity);
  const targetOf = new Map(renames.map((rename) => [rename.from, rename.after]));
  const targets = new Set(renames.map(({ to }) => to));
  for (const { path, before, after } of changed) {
    if (before === undefined) {
      const read = after === undefined || targets.has(path) ? undefined : await corpus.text(path, after);
      if (typeof read === 'object') for (const line of linesOf(read.text)) addedLines.add(line.trim());
      continue;
    }
    const file = await corpus.file({ path, blob: before }, base.id);
    const old = await corpus.text(path, before);
    if (file === undefined || typeof old === 'string') continue;
    const next = after ?? targetOf.get(path);
    const read = next === undefined ? undefined : await corpus.text(path, next);
    const lineCount = linesOf(old.text).length;
    const hunks: Hunk[] | undefined =
      typeof read === 'object'
        ? hunksBetween(old.text, read.text)
        : [{ kind: 'edit', base: { first: 1, last: lineCount }, added: 0 }];
    if (hunks === undefined) return path;
    if (typeof read === 'object') {
      const oldLines = new Set(linesOf(old.text));
      for (const line of linesOf(read.text)) if (!oldLines.has(line)) addedLines.add(line.trim());
    }
    const places = touchedPieces(file.spans, hunks);
    for (const place of places) gold.add(file.pieces[place] as number);
    const lines = linesOf(old.text);
    for (const hunk of hunks) {
      if (hunk.kind !== 'edit') continue;
      for (let line = hunk.base.first; line <= hunk.base.last; line++) {
        if (lines[line - 1]?.trim() === '') continue;
        editedLines.all += 1;
        if (places.some((place) => holds(file.spans[place], line))) editedLines.covered += 1;
      }
    }
  }
  return {
    gold: [...gold].sort((a, b) => a - b),
    addedLines,
    renames: renames.map(({ from, to, similarity: share }) => ({ from, to, similarity: share })),
    editedLines,
  };
}

interface Rename {
  readonly from: string;
  readonly to: string;
  readonly after: string;
  readonly similarity: number;
}

/** Deleted and added files that are one: equal content first, then the most similar pairs from the threshold on. */
async function findRenames(
  changed: readonly PathChange[],
  corpus: SnapshotCorpus,
  threshold: number,
): Promise<Rename[]> {
  const deleted = changed.filter(({ before, after }) => before !== undefined && after === undefined);
  const added = changed.filter(({ before, after }) => before === undefined && after !== undefined);
  // Beyond this every pair would be compared with every other for long; git gives up there too.
  if (deleted.length === 0 || added.length === 0 || deleted.length * added.length > 10_000) return [];
  const textOf = async (path: string, blob: string): Promise<string | undefined> => {
    const read = await corpus.text(path, blob);
    return typeof read === 'string' ? undefined : read.text;
  };
  const pairs: Rename[] = [];
  for (const gone of deleted) {
    const before = await textOf(gone.path, gone.before as string);
    for (const fresh of added) {
      const after = fresh.after as string;
      const isSame = gone.before === after;
      const text = isSame || before === undefined ? undefined : await textOf(fresh.path, after);
      const share = isSame ? 1 : text === undefined || before === undefined ? 0 : similarity(before, text);
      if (share >= threshold) pairs.push({ from: gone.path, to: fresh.path, after, similarity: share });
    }
  }
  pairs.sort((a, b) => b.similarity - a.similarity || (a.from + a.to < b.from + b.to ? -1 : 1));
  const used = new Set<string>();
  return pairs.filter(({ from, to }) => {
    const isFree = !used.has(`-${from}`) && !used.has(`+${to}`);
    if (isFree) used.add(`-${from}`).add(`+${to}`);
    return isFree;
  });
}

function verdictOf(
  commit: Commit,
  text: string,
  facts: { readonly goldPaths: readonly string[]; readonly addedLines: ReadonlySet<string> },
  settings: RepoBuildSettings,
): QueryVerdict {
  const answer = settings.answers?.get(commit.id);
  if (answer !== undefined) return { ...answer, by: 'answers' };
  return judgeQuery(text, { ...facts, author: commit.author });
}

function holds(span: { readonly first: number; readonly last: number } | undefined, line: number): boolean {
  return span !== undefined && span.first <= line && line <= span.last;
}

function countsOf(dropped: readonly DroppedCommit[]): string {
  const counts = new Map<string, number>();
  for (const { why } of dropped) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => `${count} ${why}`).join(', ') || 'nothing to read';
}
