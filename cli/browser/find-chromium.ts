import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../src/domain/app-error.ts';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  '/snap/bin/chromium',
];

/**
 * Returns the path of a Chromium: ASSAY_BROWSER, then the usual names and places, then, as root on Debian, one that it
 * installs. Else an AppError that names the one command to run.
 */
export function findChromium(): string {
  const chosen = process.env['ASSAY_BROWSER'];
  if (chosen !== undefined && chosen !== '') {
    if (isExecutable(chosen)) return chosen;
    throw new AppError(
      'browser',
      'browser-not-found',
      `ASSAY_BROWSER names ${chosen}, which is not a program that can be run.`,
    );
  }
  const found = lookUp();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.error('No Chromium found: installing the Debian package (once) …');
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
      const result = spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 2],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      if (result.status !== 0) break;
    }
    const installed = lookUp();
    if (installed !== undefined) return installed;
  }
  const command = existsSync('/etc/debian_version')
    ? 'sudo apt-get install chromium'
    : 'install Chromium or Chrome';
  throw new AppError(
    'browser',
    'browser-not-found',
    `No Chromium or Chrome found. Run: ${command} (or set ASSAY_BROWSER to its path).`,
  );
}

function lookUp(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const onPath = NAMES.flatMap((name) =>
    folders.map((folder) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
  );
  return [...onPath, ...PLACES].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there or not runnable: the next candidate is tried.
    return false;
  }
}
