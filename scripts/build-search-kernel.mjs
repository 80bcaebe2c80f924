// Builds the search kernel: workers/search/kernel/{core.ts, tiles.mjs} -> search-plain.wasm, search-relaxed.wasm and
// their sha256. The compiler is pinned by the lock file and the output is the same byte for byte, so the built files
// are committed and a clean clone builds nothing: it only happens when the source has changed. `--check` always builds and
// fails when a committed file differs.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { plainTiles, relaxedTiles } from '../workers/search/kernel/tiles.mjs';

const folder = fileURLToPath(new URL('../workers/search/kernel/', import.meta.url));

/** Returns the bytes of one module. */
async function compile(source, features) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '--outFile',
      'kernel.wasm',
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--use',
      'abort=',
      '--initialMemory',
      '1',
      ...features.flatMap((feature) => ['--enable', feature]),
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, data) => {
        if (name === 'kernel.wasm') binary = data;
      },
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(`the search kernel does not compile:\n${stderr.toString()}`);
  return binary;
}

/** Returns the two modules by file name. */
export async function buildKernels() {
  const core = await readFile(`${folder}core.ts`, 'utf8');
  const plain = `${core}\n${plainTiles()}`;
  return {
    'search-plain.wasm': await compile(plain, ['simd']),
    'search-relaxed.wasm': await compile(`${plain}\n${relaxedTiles()}`, ['simd', 'relaxed-simd']),
  };
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the lines of sha256.txt that name the source: what was compiled, by which compiler. */
async function sourceLines() {
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  const names = ['core.ts', 'tiles.mjs'];
  const lines = await Promise.all(
    names.map(async (name) => `${sha256(await readFile(folder + name))}  ${name}\n`),
  );
  return `${lines.join('')}${sha256(`assemblyscript ${version}`)}  assemblyscript ${version}\n`;
}

/** Whether the built files are there and belong to the source as it stands. */
async function isCurrent(committed, source) {
  if (!committed.startsWith(source)) return false;
  for (const name of ['search-plain.wasm', 'search-relaxed.wasm']) {
    const bytes = await readFile(folder + name).catch(() => undefined);
    if (bytes === undefined || !committed.includes(`${sha256(bytes)}  ${name}\n`)) return false;
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const committed = await readFile(`${folder}sha256.txt`, 'utf8').catch(() => '');
  const source = await sourceLines();
  const check = process.argv.includes('--check');
  if (check || !(await isCurrent(committed, source))) {
    const built = await buildKernels();
    const digests =
      source +
      Object.entries(built)
        .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`)
        .join('');
    if (!check) {
      for (const [name, bytes] of Object.entries(built)) await writeFile(folder + name, bytes);
      await writeFile(`${folder}sha256.txt`, digests);
      console.log(`Built the search kernel:\n${digests}`);
    } else if (committed !== digests) {
      console.error(
        `The search kernel differs from what its source gives.\nbuilt:\n${digests}committed:\n${committed}`,
      );
      process.exit(1);
    } else {
      console.log('The search kernel equals its source.');
    }
  }
}
