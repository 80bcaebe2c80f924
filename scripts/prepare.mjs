// What every entry point does first on a machine with only Node and this folder: install, then build. No dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What the build reads. A change in any of them makes the build stale. */
const SOURCES = [
  'src',
  'workers',
  'cli',
  'public',
  'scripts',
  'tests/bench',
  'index.html',
  'vite.config.ts',
  'vite.cli.config.ts',
  'package-lock.json',
];

/**
 * Installs what package-lock.json names when it is missing or stale. All output goes to stderr: stdout belongs to results.
 */
export function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.assay-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  // A tree that npm itself made from this very lock needs no second install, only the stamp.
  const inner = path.join(root, 'node_modules', '.package-lock.json');
  const upToDate =
    existsSync(inner) && statSync(inner).mtimeMs >= statSync(path.join(root, 'package-lock.json')).mtimeMs;
  if (!upToDate) {
    console.error('Installing the packages that package-lock.json names (once) …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  writeFileSync(stamp, lock);
}

/** Builds page and command line when a source is newer than the build. */
export function buildWhenStale() {
  const stampFile = path.join(root, 'dist', '.sources');
  const stamp = sourcesStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  console.error('Building (sources are newer than the build) …');
  withLock(() => {
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
    rmSync(stampFile, { force: true });
    run(process.execPath, [path.join(root, 'scripts', 'build.mjs')]);
    writeFileSync(stampFile, stamp);
  });
}

/** Runs a command with its output on stderr; ends this process with the command's status when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (result.error) {
    console.error(`Could not start ${command}: ${result.error.message}`);
    process.exit(2);
  }
  if (result.status !== 0) {
    console.error(`${command} ${args.join(' ')} failed with status ${result.status ?? result.signal}.`);
    process.exit(result.status ?? 1);
  }
}

function sourcesStamp() {
  const hash = createHash('sha256');
  const visit = (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(file).sort()) visit(path.join(file, name));
    } else {
      hash.update(`${path.relative(root, file)}\0${stat.size}\0${stat.mtimeMs}\n`);
    }
  };
  for (const source of SOURCES) visit(path.join(root, source));
  return hash.digest('hex');
}

/** Two commands started together must not build into the same folder: the second waits for the first. */
function withLock(work) {
  const lock = path.join(root, 'dist.lock');
  const waitCell = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // A build takes well under ten minutes; an older lock was left by a process that was killed.
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 600_000) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(waitCell, 0, 0, 500);
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.on('exit', release);
  try {
    work();
  } finally {
    release();
    process.off('exit', release);
  }
}
