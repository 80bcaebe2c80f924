import git, { type FsClient } from 'isomorphic-git';
import { AppError, messageOf } from '../../domain/app-error.ts';

/** A commit as far as construction needs it. */
export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly tree: string;
  readonly message: string;
  readonly author: string;
}

/** One file of a tree. */
export interface TreeFile {
  readonly path: string;
  readonly blob: string;
}

/** One path that two trees hold differently; an absent side does not have it. */
export interface PathChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

interface TreeEntry {
  readonly mode: string;
  readonly path: string;
  readonly oid: string;
  readonly type: string;
}

/** Read-only access to a git repository through isomorphic-git: commits along first parents, trees, blobs. Nothing is ever written. */
export class Repository {
  readonly #at: { readonly fs: FsClient; readonly gitdir: string; readonly cache: object };
  readonly #trees = new Map<string, readonly TreeEntry[]>();
  /** Entries passed over because they are no files: submodules and symbolic links, by path. */
  readonly skipped = new Map<string, 'submodule' | 'symlink' | 'non-utf8-path'>();

  constructor(fs: FsClient, gitdir: string) {
    this.#at = { fs, gitdir, cache: {} };
  }

  /** The id of the commit that a branch, tag or abbreviation names. Throws `unknown-ref`. */
  async resolve(ref: string): Promise<string> {
    try {
      return await git.resolveRef({ ...this.#at, ref });
    } catch (first) {
      try {
        return await git.expandOid({ ...this.#at, oid: ref });
      } catch {
        throw new AppError(
          'construct',
          'unknown-ref',
          `The repository has no commit "${ref}": ${messageOf(first)} Name a branch, tag or commit with --ref.`,
          { cause: first },
        );
      }
    }
  }

  /** A commit, or undefined where it is not there (the edge of a shallow clone). */
  async commit(id: string): Promise<Commit | undefined> {
    try {
      const { commit } = await git.readCommit({ ...this.#at, oid: id });
      return {
        id,
        parents: commit.parent,
        tree: commit.tree,
        message: commit.message,
        author: `${commit.author.name} <${commit.author.email}>`,
      };
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw corrupt(`commit ${id}`, thrown);
    }
  }

  /** Commits from `head` along first parents, newest first, at most `most`; ends at the root or where a shallow clone does. */
  async history(head: string, most: number): Promise<{ commits: Commit[]; shallow: boolean }> {
    const commits: Commit[] = [];
    let next: string | undefined = head;
    while (next !== undefined && commits.length < most) {
      const commit: Commit | undefined = await this.commit(next);
      if (commit === undefined) {
        if (commits.length === 0) throw corrupt(`commit ${next}`, new Error('it is missing'));
        return { commits, shallow: true };
      }
      commits.push(commit);
      next = commit.parents[0];
    }
    return { commits, shallow: false };
  }

  /** All files of a tree, in git's order. */
  async files(tree: string): Promise<TreeFile[]> {
    const files: TreeFile[] = [];
    const walk = async (oid: string, prefix: string): Promise<void> => {
      for (const entry of await this.#entries(oid)) {
        const path = prefix + entry.path;
        if (entry.type === 'tree') await walk(entry.oid, `${path}/`);
        else if (this.#isFile(entry, path)) files.push({ path, blob: entry.oid });
      }
    };
    await walk(tree, '');
    return files;
  }

  /** What differs between two trees; subtrees with equal ids are not entered. */
  async changes(before: string, after: string): Promise<PathChange[]> {
    const changes: PathChange[] = [];
    const compare = async (a: string | undefined, b: string | undefined, prefix: string): Promise<void> => {
      if (a === b) return;
      const left = new Map(
        (a === undefined ? [] : await this.#entries(a)).map((entry) => [entry.path, entry]),
      );
      const right = new Map(
        (b === undefined ? [] : await this.#entries(b)).map((entry) => [entry.path, entry]),
      );
      for (const name of new Set([...left.keys(), ...right.keys()])) {
        const one = left.get(name);
        const two = right.get(name);
        if (one?.oid === two?.oid && one?.type === two?.type) continue;
        const path = prefix + name;
        const treeOf = (entry: TreeEntry | undefined): string | undefined =>
          entry?.type === 'tree' ? entry.oid : undefined;
        if (treeOf(one) !== undefined || treeOf(two) !== undefined)
          await compare(treeOf(one), treeOf(two), `${path}/`);
        const fileOf = (entry: TreeEntry | undefined): string | undefined =>
          entry !== undefined && entry.type !== 'tree' && this.#isFile(entry, path) ? entry.oid : undefined;
        const beforeBlob = fileOf(one);
        const afterBlob = fileOf(two);
        if (beforeBlob !== undefined || afterBlob !== undefined)
          changes.push({
            path,
            ...(beforeBlob === undefined ? {} : { before: beforeBlob }),
            ...(afterBlob === undefined ? {} : { after: afterBlob }),
          });
      }
    };
    await compare(before, after, '');
    return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  /** A file's bytes. Throws `repository-corrupt`. */
  async blob(id: string): Promise<Uint8Array> {
    try {
      return (await git.readBlob({ ...this.#at, oid: id })).blob;
    } catch (thrown) {
      throw corrupt(`blob ${id}`, thrown);
    }
  }

  async #entries(oid: string): Promise<readonly TreeEntry[]> {
    const known = this.#trees.get(oid);
    if (known !== undefined) return known;
    try {
      const { tree } = await git.readTree({ ...this.#at, oid });
      this.#trees.set(oid, tree);
      return tree;
    } catch (thrown) {
      throw corrupt(`tree ${oid}`, thrown);
    }
  }

  #isFile(entry: TreeEntry, path: string): boolean {
    const why =
      entry.type === 'commit'
        ? 'submodule'
        : entry.mode === '120000'
          ? 'symlink'
          : path.includes('\ufffd')
            ? 'non-utf8-path'
            : undefined;
    if (why !== undefined) this.skipped.set(path, why);
    return why === undefined;
  }
}

function isMissing(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | null)?.code === 'NotFoundError';
}

function corrupt(what: string, cause: unknown): AppError {
  return new AppError(
    'construct',
    'repository-corrupt',
    `The repository's ${what} cannot be read: ${messageOf(cause)} Check it with "git fsck"; of a partial or shallow clone fetch the rest.`,
    { cause },
  );
}
