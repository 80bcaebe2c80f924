import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../src/domain/app-error.ts';

/** The file that marks a folder as made by `assay construct`. */
export const REPORT_FILE = 'build-report.json';

/** The absolute path of a folder that may be written to: new, empty, or made by an earlier build. Throws `folder-not-empty`. */
export function checkOutputFolder(folder: string): string {
  const absolute = path.resolve(folder);
  if (
    existsSync(absolute) &&
    readdirSync(absolute).length > 0 &&
    !existsSync(path.join(absolute, REPORT_FILE))
  )
    throw new AppError(
      'construct',
      'folder-not-empty',
      `${absolute} holds files that are not a build of assay construct. Name a new or empty folder with --out.`,
    );
  return absolute;
}

/** Writes files by their paths inside the folder. Throws `outside-folder` for a path that leaves it. */
export function writeInside(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [name, content] of files) {
    const file = path.resolve(folder, name);
    if (!file.startsWith(folder + path.sep))
      throw new AppError('construct', 'outside-folder', `${name} lies outside ${folder}.`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
