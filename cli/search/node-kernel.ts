import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadKernel, type Kernel } from '../../workers/search/kernel-module.ts';
import { projectRoot } from '../project-root.ts';

/** Returns the best search kernel of this Node, from the committed modules. */
export async function loadNodeKernel(): Promise<Kernel> {
  const folder = path.join(projectRoot, 'workers', 'search', 'kernel');
  const [plain, relaxed] = await Promise.all([
    readFile(path.join(folder, 'search-plain.wasm')),
    readFile(path.join(folder, 'search-relaxed.wasm')),
  ]);
  return loadKernel({ plain, relaxed });
}
