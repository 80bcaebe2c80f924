/**
 * Where the outcomes of exec-mini come from: the judge's command executes them, the built execution cache keeps them.
 * Keys are the digests of code and tests, so an outcome outlives every change that leaves both alone.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { snippetsOf } from './exec-mini-gates.mjs';

/** Outcomes of the execution cache at `path` by suite key; empty where there is no such file yet. */
export function readStoredOutcomes(path) {
  if (!existsSync(path)) return new Map();
  const rows = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return new Map(rows.map((row) => [`${row.code_sha256}/${row.tests_sha256}`, row.outcomes]));
}

/**
 * Runs every snippet against its tests through the judge's command. Returns the outcomes by suite key, one sentence for
 * each suite whose stored outcomes differ, and how many suites had none. Throws when the command fails or leaves suites out.
 */
export function executeAll(entries, command, stored) {
  const suites = entries.flatMap((entry) =>
    snippetsOf(entry).map(({ label, code }) => ({ id: label, code, tests: entry.tests })),
  );
  const folder = mkdtempSync(join(tmpdir(), 'exec-mini-'));
  let run;
  try {
    const path = join(folder, 'suites.jsonl');
    writeFileSync(path, suites.map((suite) => JSON.stringify(suite) + '\n').join(''));
    run = spawnSync(`${command} "${path}"`, {
      shell: true,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (run.status !== 0) throw new Error(`${command} ended with ${run.status ?? run.signal}`);
  const results = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (results.length !== suites.length)
    throw new Error(`${command} answered ${results.length} of ${suites.length} suites`);
  const executed = new Map();
  const differing = [];
  suites.forEach((suite, index) => {
    const result = results[index];
    if (result.id !== suite.id)
      throw new Error(`result ${index + 1} is for ${result.id}, not for ${suite.id}`);
    const key = suiteKey(suite.code, suite.tests);
    executed.set(key, result.tests.map(outcomeText));
    const before = stored.get(key);
    if (before !== undefined && before.join('\n') !== executed.get(key).join('\n'))
      differing.push(`${suite.id}: stored ${before.join(' ')}, executed ${executed.get(key).join(' ')}`);
  });
  const fresh = [...executed.keys()].filter((key) => !stored.has(key)).length;
  return { executed, differing, fresh };
}

/** ExecRetrieval's spelling of an outcome. Of an exception only the class is kept: its text differs between Python versions. */
function outcomeText({ verdict, message, errorType }) {
  if (verdict === 'pass') return 'pass';
  if (verdict === 'wrong') return 'FAIL:AssertionError';
  if (verdict === 'timeout') return 'TIMEOUT';
  return `ERROR:${errorType ?? /^\w*/.exec(message)?.[0] ?? verdict}`;
}

/** The key of a snippet's outcomes against a suite. */
export function suiteKey(code, tests) {
  return `${sha256(code)}/${testsDigest(tests)}`;
}

/** SHA-256 of a suite: its tests joined by line feeds. */
export function testsDigest(tests) {
  return sha256(tests.join('\n'));
}

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function sha256(text) {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
