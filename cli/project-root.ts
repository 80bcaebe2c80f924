import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. The command runs as dist/cli.mjs or, in tests, from cli/: both lie one level below it. */
export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
