// One build: kernel, oracle and runtime assets (each cached by the hash of its inputs), then the page and the command line.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './prepare.mjs';

const steps = ['build-search-kernel.mjs', 'build-judge.mjs', 'build-runtime-assets.mjs'];
for (const step of steps) {
  const script = path.join(root, 'scripts', step);
  if (existsSync(script)) run(process.execPath, [script]);
}
// A test runner sets NODE_ENV for its children; the build is the same whoever starts it.
const production = { env: { ...process.env, NODE_ENV: 'production' } };
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
run(process.execPath, [vite, 'build', '--logLevel', 'warn'], production);
run(process.execPath, [vite, 'build', '--config', 'vite.cli.config.ts', '--logLevel', 'warn'], production);
