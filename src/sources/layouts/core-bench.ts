import { KNOWN_COLUMNS } from '../../benchmarks/rows/columns.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import { AppError } from '../../domain/app-error.ts';
import { nearNames } from '../../domain/near-names.ts';
import { roleOf, type RoledFile } from './file-roles.ts';
import type { FileSet, LayoutReader } from './layout.ts';
import { tableLayout } from './table-layout.ts';

/** CORE-Bench's levels; a rewrite has queries of its own and takes corpus and judgements from its base. */
export type CoreBenchLevel = 'L1' | 'L2' | 'L3' | 'L2-rewrite' | 'L3-rewrite';

/** One repository (or, in Level 1, one data set) of a level. */
export interface CoreBenchPart {
  /** `subdataset/repository`, or the data set's name. */
  readonly part: string;
  readonly subdataset: string;
}

/** The repositories of a level, found in a listing of the data set's files. */
export function coreBenchParts(paths: Iterable<string>, level: CoreBenchLevel): CoreBenchPart[] {
  const parts = new Map<string, CoreBenchPart>();
  for (const file of filesOf(paths, level)) {
    const part = partOf(file.path, level);
    parts.set(part, { part, subdataset: part.split('/')[0] ?? part });
  }
  return [...parts.values()];
}

/**
 * Reads one repository of a level. `part` is its folder (`subdataset/repository`) or its last name alone.
 * Errors: `unknown-part` with near names, `missing-file`.
 */
export function coreBenchLayout(set: FileSet, level: CoreBenchLevel, part: string): LayoutReader {
  const own = inPart(set, level, part);
  const base = level.endsWith('-rewrite') ? inPart(set, level.slice(0, 2) as CoreBenchLevel, part) : own;
  const pick = (files: readonly RoledFile[], role: RoledFile['role']): ByteSource[] => {
    const found = files
      .filter((file) => file.role === role)
      .map((file) => set.files.get(file.path) as ByteSource);
    if (found.length === 0)
      throw new AppError('input', 'missing-file', `${set.name} has no ${role} for "${part}" in ${level}.`);
    return found;
  };
  const pickOwnFirst = (role: RoledFile['role']): ByteSource[] =>
    pick(own.some((file) => file.role === role) ? own : base, role);
  return tableLayout({
    layout: 'core-bench',
    protocolId: 'core-bench',
    documents: pickOwnFirst('corpus'),
    queries: pick(own, 'queries'),
    qrels: pickOwnFirst('qrels'),
    columns: KNOWN_COLUMNS,
  });
}

function inPart(set: FileSet, level: CoreBenchLevel, part: string): RoledFile[] {
  const files = filesOf(set.files.keys(), level);
  const wanted = part.toLowerCase();
  const found = files.filter((file) => {
    const name = partOf(file.path, level).toLowerCase();
    return name === wanted || name.endsWith(`/${wanted}`);
  });
  if (found.length > 0) {
    const names = new Set(found.map((file) => partOf(file.path, level)));
    if (names.size === 1) return found;
    throw new AppError(
      'input',
      'unknown-part',
      `"${part}" names several repositories of ${level}: ${[...names].join(', ')}.`,
    );
  }
  const all = coreBenchParts(set.files.keys(), level).map((one) => one.part);
  const near = nearNames(part, all);
  throw new AppError(
    'input',
    'unknown-part',
    `${set.name} has no "${part}" in ${level}. ${near.length > 0 ? `Near: ${near.join(', ')}.` : `It has ${all.length} parts, e.g. ${all.slice(0, 3).join(', ')}.`}`,
  );
}

function filesOf(paths: Iterable<string>, level: CoreBenchLevel): RoledFile[] {
  const number = level.charAt(1);
  const rewrite = level.endsWith('-rewrite');
  return [...paths].sort().flatMap((path) => {
    const lower = path.toLowerCase();
    // The layout of the rewrites is not documented: their folders are known by their name and the level in it.
    const isLevel = new RegExp(`(^|[/_-])(level[-_ ]?${number}|l${number})([/_-]|$)`).test(lower);
    if (!isLevel || /rewrite|[-_]rw([/_-]|$)/.test(lower) !== rewrite) return [];
    return roleOf(path) ?? [];
  });
}

/** The folders between the level and the role: `data/LEVEL-2/sub/repo/qrels/test.tsv` belongs to `sub/repo`. */
function partOf(path: string, level: CoreBenchLevel): string {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findLastIndex((name) =>
    new RegExp(`level[-_ ]?${level.charAt(1)}|rewrite`, 'i').test(name),
  );
  return folders
    .slice(at + 1)
    .filter((name) => !/^(corpus|queries|qrels|default)$/i.test(name))
    .join('/');
}
