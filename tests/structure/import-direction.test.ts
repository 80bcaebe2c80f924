import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Left never imports right; folders in one row do not import each other. See docs/decisions/0001. */
const ROWS: readonly (readonly string[])[] = [
  ['domain'],
  ['metrics', 'stats'],
  ['protocols', 'benchmarks', 'models', 'codecs'],
  ['analyses'],
  ['contracts'],
  ['sources', 'store'],
  ['clients', 'share'],
  ['run'],
  ['construct', 'verify'],
  ['ui'],
  ['demos'],
];
const SIDEWAYS_ALLOWED = new Set<string>();
/** Folders whose code may use what only a bundler or a page has. */
const PAGE_ONLY = /^(src\/ui\/|src\/clients\/|src\/main\.ts$|.*\.worker\.ts$|workers\/offline\/)/;

interface Import {
  readonly from: string;
  /** Project path of what is imported, or the package's name. */
  readonly to: string;
  readonly specifier: string;
}

function filesUnder(folder: string): string[] {
  const absolute = path.join(root, folder);
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(absolute, name))
    .filter(
      (file) =>
        statSync(file).isFile() &&
        /\.(ts|svelte)$/.test(file) &&
        !file.includes(`${path.sep}kernel${path.sep}`),
    );
}

function scriptOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.svelte')) return text;
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n');
}

function importsOf(file: string): Import[] {
  const from = path.relative(root, file);
  return ts.preProcessFile(scriptOf(file), true, true).importedFiles.map(({ fileName }) => ({
    from,
    specifier: fileName,
    to: fileName.startsWith('.')
      ? path.relative(root, path.resolve(path.dirname(file), fileName.replace(/\?.*$/, '')))
      : fileName,
  }));
}

const rowOf = (folder: string) => ROWS.findIndex((row) => row.includes(folder));

/** Why an import is not allowed, or undefined. */
function breach({ from, to }: Import): string | undefined {
  const [fromTop = '', fromFolder = ''] = from.split('/');
  const [toTop = '', toFolder = ''] = to.split('/');
  if (fromTop === 'src') {
    if (toTop === 'workers' && fromFolder !== 'clients') return 'only src/clients reaches workers';
    if (toTop === 'cli' || toTop === 'tests') return 'src never imports the command line or tests';
    if (toTop !== 'src' || from === 'src/main.ts') return undefined;
    const fromRow = rowOf(fromFolder);
    const toRow = rowOf(toFolder);
    if (fromRow < 0) return `src/${fromFolder} has no place in the order`;
    if (toRow < 0) return `src/${toFolder} has no place in the order`;
    if (toRow > fromRow) return `${toFolder} stands right of ${fromFolder}`;
    if (toRow === fromRow && toFolder !== fromFolder && !SIDEWAYS_ALLOWED.has(`${fromFolder}->${toFolder}`)) {
      return `${fromFolder} and ${toFolder} stand side by side`;
    }
    return undefined;
  }
  if (fromTop === 'workers') {
    if (toTop === 'src' && rowOf(toFolder) > rowOf('store')) return 'workers import nothing right of store';
    if (toTop === 'cli' || toTop === 'tests') return 'workers never import the command line or tests';
  }
  return undefined;
}

const sourceFiles = [...filesUnder('src'), ...filesUnder('workers')];

describe('the direction of imports', () => {
  it('is kept by every file', () => {
    const breaches = sourceFiles.flatMap((file) =>
      importsOf(file).flatMap((entry) => {
        const why = breach(entry);
        return why === undefined ? [] : [`${entry.from} imports ${entry.to}: ${why}`];
      }),
    );
    expect(sourceFiles.length).toBeGreaterThan(30);
    expect(breaches).toEqual([]);
  });

  it('recognises breaches', () => {
    const refused = (from: string, to: string) => breach({ from, to, specifier: to }) !== undefined;
    expect(refused('src/domain/ids.ts', 'src/metrics/ap.ts')).toBe(true);
    expect(refused('src/metrics/ap.ts', 'src/stats/sign.ts')).toBe(true);
    expect(refused('src/run/evaluation.ts', 'workers/encode/encode.ts')).toBe(true);
    expect(refused('workers/encode/encode.ts', 'src/clients/encode.ts')).toBe(true);
    expect(refused('src/ui/App.svelte', 'src/run/evaluation.ts')).toBe(false);
    expect(refused('workers/encode/encode.ts', 'src/store/store.ts')).toBe(false);
  });

  it('leaves page-only means to the page', () => {
    const offenders = sourceFiles
      .map((file) => ({ name: path.relative(root, file), text: scriptOf(file) }))
      .filter(({ name }) => !PAGE_ONLY.test(name))
      .filter(({ text }) => /from '[^']*\?(url|raw|worker)|import\.meta\.env|\bwindow\./.test(text))
      .map(({ name }) => name);
    expect(offenders).toEqual([]);
  });
});
