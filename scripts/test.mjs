// `npm test`: sets up what is missing, then types, lint, unit tests, build and the built app in a real browser.
// `npm run test:long` runs the large seeded counts whole. Ends with a plain line "N passed, N failed".
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildWhenStale, installDependencies, root } from './prepare.mjs';

const long = process.argv.includes('--long');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
// Property tests take this seed; any run can be repeated with it.
const seed = process.env.ASSAY_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const environment = { ...process.env, ASSAY_SEED: seed, ...(long ? { ASSAY_LONG: '1' } : {}) };
const scratch = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

let passed = 0;
let failed = 0;
const slow = [];

timed('install', installDependencies);
console.log(
  `Seed of this run: ${seed} (ASSAY_SEED=${seed} npm test repeats it)${long ? '; whole counts' : ''}`,
);

const stages = {
  types: () =>
    commands('types', [
      ['svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings']],
      ['tsc', ['-p', 'tsconfig.workers.json']],
      ['tsc', ['-p', 'tsconfig.node.json']],
    ]),
  lint: () =>
    commands('lint', [
      ['eslint', ['.']],
      ['prettier', ['--check', '--log-level', 'warn', '.']],
    ]),
  build: () => timed('build', buildWhenStale),
  unit: () => vitest('unit', []),
  browser: () => vitest('browser', ['--config', 'vitest.e2e.config.ts']),
};
for (const [name, stage] of Object.entries(stages)) {
  if (only === undefined || only.split(',').includes(name)) await stage();
}

rmSync(scratch, { recursive: true, force: true });
slow.sort((a, b) => b.ms - a.ms);
console.log('\nThe ten slowest tests:');
for (const { name, ms } of slow.slice(0, 10))
  console.log(`  ${(ms / 1000).toFixed(2).padStart(7)} s  ${name}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Checks that count as one each: they run side by side, their output is shown when they fail. */
async function commands(stage, list) {
  const start = Date.now();
  await Promise.all(
    list.map(async ([name, args]) => {
      const { status, output } = await execute(bin(name), args);
      const label = `${name} ${args.join(' ')}`;
      if (status === 0) passed++;
      else {
        failed++;
        console.log(`FAILED ${label}\n${output}`);
      }
    }),
  );
  console.log(`${stage}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

async function vitest(stage, args) {
  const start = Date.now();
  const report = path.join(scratch, `${stage}.json`);
  const { status, output } = await execute(
    bin('vitest'),
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    true,
  );
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    failed++;
    console.log(
      `FAILED ${stage}: the test runner left no report (status ${status}).\n${output.slice(-4_000)}`,
    );
    return;
  }
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  // A file that could not be loaded, or an error outside any test, has no failed test of its own.
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  failed += brokenFiles.length;
  if (status !== 0 && result.numFailedTests === 0 && brokenFiles.length === 0) failed++;
  for (const file of result.testResults) {
    for (const test of file.assertionResults) {
      slow.push({ name: `${path.relative(root, file.name)} > ${test.fullName}`, ms: test.duration ?? 0 });
    }
  }
  console.log(`${stage}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

function timed(stage, work) {
  const start = Date.now();
  work();
  console.log(`${stage}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

function execute(command, args, echo = false) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (echo) process.stdout.write(chunk);
      });
    }
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
    child.on('close', (status) => resolve({ status, output }));
  });
}
