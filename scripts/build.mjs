// One build: kernel, oracle and runtime assets (each cached by the hash of its inputs), then the page and the command line.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, run } from './prepare.mjs';

const steps = ['build-search-kernel.mjs', 'build-judge.mjs', 'build-runtime-assets.mjs'];
for (const step of steps) {
  const script = path.join(root, 'scripts', step);
  if (existsSync(script)) run(process.execPath, [script]);
}
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
run(process.execPath, [vite, 'build', '--logLevel', 'warn']);
run(process.execPath, [vite, 'build', '--config', 'vite.cli.config.ts', '--logLevel', 'warn']);
