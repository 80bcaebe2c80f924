import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../src/domain/app-error.ts';

/**
 * Locks a browser profile against a second command: two browsers on one profile would damage what it keeps.
 *
 * @returns unlocks it again
 * @throws AppError when a living process holds it
 */
export function lockProfile(profileFolder: string): () => void {
  mkdirSync(profileFolder, { recursive: true });
  const file = path.join(profileFolder, 'assay.lock');
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(file, 'utf8'));
    if (attempt > 0 || isAlive(holder)) {
      throw new AppError(
        'browser',
        'folder-in-use',
        `${profileFolder} is in use by process ${holder}. Wait for it, or choose another folder with --out.`,
      );
    }
    // Left by a process that was killed.
    rmSync(file, { force: true });
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
