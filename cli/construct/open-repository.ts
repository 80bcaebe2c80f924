import fs from 'node:fs';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { unpackBundle } from '../../src/construct/repo/bundle.ts';
import { Repository } from '../../src/construct/repo/repository.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';

/** A repository opened for reading; `close` removes what an archive was unpacked to. */
export interface OpenedRepository {
  readonly repository: Repository;
  readonly name: string;
  close(): void;
}

/** Opens a folder with a work tree, a bare repository, a zip of either, or a git bundle. Throws `no-repository`. */
export async function openRepository(place: string): Promise<OpenedRepository> {
  if (!fs.existsSync(place))
    throw new AppError('input', 'file-missing', `There is no folder or file ${place}.`);
  const name = path.basename(path.resolve(place)).replace(/\.(git|zip|bundle)$/, '') || 'repository';
  if (statSync(place).isDirectory())
    return { repository: new Repository(fs, gitFolder(path.resolve(place))), name, close: () => undefined };
  const bytes = new Uint8Array(readFileSync(place));
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-repository-'));
  const close = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
      unzip(bytes, scratch);
      return { repository: new Repository(fs, gitFolder(scratch)), name, close };
    }
    await unpackBundle(fs, scratch, bytes);
    return { repository: new Repository(fs, scratch), name, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** The git directory of a folder: itself when bare, its `.git`, where a `.git` file points, or that of the only folder inside. */
function gitFolder(folder: string): string {
  if (isGitFolder(folder)) return folder;
  const inside = path.join(folder, '.git');
  if (fs.existsSync(inside)) {
    if (statSync(inside).isDirectory()) return inside;
    const target = /^gitdir: (.*)$/m.exec(readFileSync(inside, 'utf8'))?.[1]?.trim();
    if (target !== undefined) {
      const own = path.resolve(folder, target);
      // A linked work tree keeps its objects in the main repository.
      const common = path.join(own, 'commondir');
      return fs.existsSync(common) ? path.resolve(own, readFileSync(common, 'utf8').trim()) : own;
    }
  }
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const [only] = folders;
  if (folders.length === 1 && only !== undefined) {
    const nested = path.join(folder, only.name);
    if (isGitFolder(nested) || fs.existsSync(path.join(nested, '.git'))) return gitFolder(nested);
  }
  throw new AppError(
    'construct',
    'no-repository',
    `${folder} is no git repository: it has neither .git nor HEAD with objects. Name a work tree, a bare repository, a zip of one, or a git bundle.`,
  );
}

function isGitFolder(folder: string): boolean {
  return ['HEAD', 'objects'].every((name) => fs.existsSync(path.join(folder, name)));
}

function unzip(bytes: Uint8Array, folder: string): void {
  let entries: Record<string, Uint8Array>;
  try {
    // Only the repository itself is wanted: a work tree's files are in it.
    entries = unzipSync(bytes, {
      filter: ({ name }) =>
        /(^|\/)\.git(\/|$)/.test(name) || !/\.[^/]+$/.test(name) || /\.(pack|idx|rev)$/.test(name),
    });
  } catch (cause) {
    throw new AppError('construct', 'no-repository', `The zip cannot be read: ${messageOf(cause)}.`, {
      cause,
    });
  }
  for (const [name, content] of Object.entries(entries)) {
    const file = path.resolve(folder, name);
    if (!file.startsWith(folder + path.sep))
      throw new AppError(
        'construct',
        'outside-folder',
        `The zip holds "${name}", which leads out of its folder.`,
      );
    if (name.endsWith('/')) {
      mkdirSync(file, { recursive: true });
      continue;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
