// `npm run evaluate`, `npm start` and `npm run assay -- …`: set up what is missing, then hand over to the built command line.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildWhenStale, installDependencies, root } from './prepare.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Assay needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(2);
}
installDependencies();
buildWhenStale();

const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to the whole group; the command itself decides how to end, and its status is ours.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`Could not start the command line: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
