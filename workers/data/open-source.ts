import type { BenchmarkDefinition } from '../../src/benchmarks/definition.ts';
import { benchmarkById } from '../../src/benchmarks/list.ts';
import type { BenchmarkPart } from '../../src/benchmarks/sample-parts.ts';
import type { ByteSource } from '../../src/codecs/byte-source.ts';
import { readZip } from '../../src/codecs/zip.ts';
import type { BenchmarkRef, DataSettings, NamedFile } from '../../src/contracts/data.ts';
import { canonicalJson } from '../../src/domain/digest.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { BlobSource } from '../../src/sources/blob-source.ts';
import { HttpSource } from '../../src/sources/http-source.ts';
import { openHubDataset, type HubAccess } from '../../src/sources/hub.ts';
import {
  coreBenchLayout,
  coreBenchParts,
  type CoreBenchLevel,
} from '../../src/sources/layouts/core-bench.ts';
import { corebLayout, type CorebTask } from '../../src/sources/layouts/coreb.ts';
import { detectLayout } from '../../src/sources/layouts/detect.ts';
import { execRetrievalLayout } from '../../src/sources/layouts/exec-retrieval.ts';
import type { FileSet, LayoutReader } from '../../src/sources/layouts/layout.ts';
import { assignedLayout } from './inspect-files.ts';
import type { OpenedSource } from './load-benchmark.ts';

/** A reference that names a source outside the store. */
export type SourceRef = Exclude<BenchmarkRef, { kind: 'stored' }>;

/** Files that a folder on a web server may hold; such a server lists nothing, so each is asked for. */
const KNOWN_PATHS = [
  'corpus.jsonl',
  'queries.jsonl',
  'qrels.jsonl',
  'qrels/test.tsv',
  'distractor_metadata.jsonl',
  'execution_cache.jsonl',
] as const;

/** Finds the files that a reference names and their layout. Errors: `unknown-benchmark`, `missing-file`, `unknown-part` … */
export async function openSource(
  ref: SourceRef,
  settings: DataSettings,
  signal?: AbortSignal,
): Promise<OpenedSource> {
  const key = sourceKeyOf(ref);
  switch (ref.kind) {
    case 'declared': {
      const { definition, part } = declared(ref);
      const { description, reader } = await openDeclared(definition, part, settings, signal);
      const id = part === undefined ? definition.id : `${definition.id}/${part}`;
      const name = part === undefined ? definition.name : `${definition.name}: ${part}`;
      return { key, id, name, description, reader, protocolId: definition.protocolId };
    }
    case 'files': {
      const set = await filesOf(ref.name, ref.files, signal);
      const reader = ref.columns
        ? assignedLayout(set, ref.columns)
        : await detectLayout(set, partOf(ref, signal));
      return named(key, ref.name, `folder ${ref.name}`, reader);
    }
    case 'hub': {
      const { revision, set } = await openHubDataset(
        ref.dataset,
        optional('revision', ref.revision),
        access(settings, signal),
      );
      const reader = await detectLayout(set, partOf(ref, signal));
      const id = ref.part === undefined ? ref.dataset : `${ref.dataset}/${ref.part}`;
      return named(key, id, `${set.name} (${revision})`, reader);
    }
    case 'url': {
      const set = await urlSet(ref.url, signal);
      return named(key, ref.url, ref.url, await detectLayout(set, { signal }));
    }
  }
}

/** The key under which a reference's source is remembered, known without touching the network. */
export function sourceKeyOf(ref: SourceRef): string {
  switch (ref.kind) {
    case 'declared': {
      const { definition, part } = declared(ref);
      const { source } = definition;
      const at = source.kind === 'hub' ? `@${source.revision}` : '';
      return `declared:${definition.id}${at}${part === undefined ? '' : `/${part}`}`;
    }
    case 'files':
      return `files:${ref.name}/${ref.part ?? ''}${ref.columns ? canonicalJson(ref.columns) : ''}`;
    case 'hub':
      return `hub:${ref.dataset}@${ref.revision ?? ''}/${ref.part ?? ''}`;
    case 'url':
      return `url:${ref.url}`;
  }
}

/** Whether a reference always means the same bytes, so that what is stored needs no look at the network. */
export function isPinned(ref: SourceRef): boolean {
  if (ref.kind === 'declared') return declared(ref).definition.source.kind === 'hub';
  return ref.kind === 'hub' && ref.revision !== undefined && /^[0-9a-f]{40}$/.test(ref.revision);
}

/** `core-bench-l2/django` is the benchmark `core-bench-l2` and its part `django`. */
function declared(ref: BenchmarkRef & { kind: 'declared' }): {
  definition: BenchmarkDefinition;
  part: string | undefined;
} {
  const slash = ref.part === undefined ? ref.id.indexOf('/') : -1;
  if (slash === -1) return { definition: benchmarkById(ref.id), part: ref.part };
  return { definition: benchmarkById(ref.id.slice(0, slash)), part: ref.id.slice(slash + 1) };
}

async function openDeclared(
  definition: BenchmarkDefinition,
  part: string | undefined,
  settings: DataSettings,
  signal: AbortSignal | undefined,
): Promise<{ description: string; reader: LayoutReader }> {
  const { source, files = [], layout } = definition;
  if (source.kind === 'bundled') {
    if (part !== undefined)
      throw new AppError(
        'input',
        'no-such-part',
        `${definition.id} has no parts, so there is no "${definition.id}/${part}". Its name alone is the whole.`,
      );
    const description = `bundled with the app (${source.path})`;
    const base = new URL(source.path, settings.baseUrl);
    const sources = files.map((path): [string, ByteSource] => [
      path,
      new HttpSource(new URL(path, base).href, { name: path }),
    ]);
    const set: FileSet = { name: description, files: new Map(sources) };
    return {
      description,
      reader: layout === 'exec-retrieval' ? execRetrievalLayout(set) : await detectLayout(set, { signal }),
    };
  }
  if (layout === 'core-bench' && part === undefined)
    throw new AppError(
      'input',
      'part-needed',
      `${definition.name} is too large for a tab as a whole. Name a repository: ${definition.id}/<repository>.`,
    );
  const { set } = await openHubDataset(
    source.dataset,
    { revision: source.revision },
    access(settings, signal),
  );
  return { description: set.name, reader: await readerOf(definition, set, part, signal) };
}

/** The repositories of a CORE-Bench level, from a listing; empty for benchmarks that are loaded whole. */
export async function partsOf(
  benchmarkId: string,
  settings: DataSettings,
  signal?: AbortSignal,
): Promise<readonly BenchmarkPart[]> {
  const { layout, source, part } = benchmarkById(benchmarkId);
  if (layout !== 'core-bench' || source.kind !== 'hub') return [];
  const { set } = await openHubDataset(
    source.dataset,
    { revision: source.revision },
    access(settings, signal),
  );
  return coreBenchParts(set.files.keys(), (part?.['level'] ?? 'L2') as CoreBenchLevel);
}

async function readerOf(
  definition: BenchmarkDefinition,
  set: FileSet,
  part: string | undefined,
  signal: AbortSignal | undefined,
): Promise<LayoutReader> {
  switch (definition.layout) {
    case 'exec-retrieval':
      return execRetrievalLayout(set);
    case 'coreb':
      return corebLayout(
        set,
        (definition.part?.['task'] ?? 'text2code') as CorebTask,
        definition.part?.['release'],
      );
    case 'core-bench':
      return coreBenchLayout(set, (definition.part?.['level'] ?? 'L2') as CoreBenchLevel, part ?? '');
    default:
      return detectLayout(set, { signal, ...optional('part', part) });
  }
}

/** Files by path, as they lie in the folder or the zip that was dropped. */
export async function filesOf(
  name: string,
  files: readonly NamedFile[],
  signal: AbortSignal | undefined,
): Promise<FileSet> {
  const sources = sourcesOf(files);
  const [only] = sources;
  if (sources.size === 1 && only !== undefined && only[0].toLowerCase().endsWith('.zip'))
    return zipSet(name, only[1], signal);
  return { name, files: withoutCommonFolder(sources) };
}

async function zipSet(name: string, archive: ByteSource, signal: AbortSignal | undefined): Promise<FileSet> {
  const members = await readZip(archive, signal);
  return { name, files: withoutCommonFolder(new Map(members.map(({ path, source }) => [path, source]))) };
}

async function urlSet(url: string, signal: AbortSignal | undefined): Promise<FileSet> {
  if (!URL.canParse(url))
    throw new AppError('input', 'bad-address', `"${url}" is not an address. It must begin with https://.`);
  const { pathname } = new URL(url);
  if (pathname.toLowerCase().endsWith('.zip')) return zipSet(url, new HttpSource(url), signal);
  if (!pathname.endsWith('/'))
    throw new AppError(
      'input',
      'bad-address',
      `${url} is neither a .zip nor a folder (ending in /) with the files of a benchmark.`,
    );
  const files = new Map<string, ByteSource>();
  for (const path of KNOWN_PATHS) {
    const source = new HttpSource(new URL(path, url).href, { name: path });
    try {
      await source.size(signal);
      files.set(path, source);
    } catch (error) {
      // What a folder does not have is looked for only to know that.
      if (
        !(error instanceof AppError) ||
        !['not-found', 'forbidden', 'html-instead-of-data'].includes(error.code)
      )
        throw error;
    }
  }
  return { name: url, files };
}

function sourcesOf(files: readonly NamedFile[]): Map<string, ByteSource> {
  return new Map(
    files.map(({ path, body }): [string, ByteSource] => [
      path,
      body instanceof Blob
        ? new BlobSource(path, body)
        : new HttpSource(body.url, { name: path, ...optional('size', body.bytes) }),
    ]),
  );
}

/** A folder that holds all files (the dropped folder's own name) says nothing and is left out of the paths. */
export function withoutCommonFolder(files: ReadonlyMap<string, ByteSource>): ReadonlyMap<string, ByteSource> {
  const paths = [...files.keys()];
  const first = paths[0]?.split('/')[0] ?? '';
  const shared = first !== 'data' && paths.every((path) => path.startsWith(`${first}/`));
  if (!shared) return files;
  return new Map(
    [...files].map(([path, source]) => [
      path.slice(first.length + 1),
      renamed(source, path.slice(first.length + 1)),
    ]),
  );
}

/** Messages name a file as the user sees it inside the folder. */
function renamed(source: ByteSource, name: string): ByteSource {
  return {
    name,
    size: (signal) => source.size(signal),
    fingerprint: (signal) => source.fingerprint(signal),
    stream: (from, signal) => source.stream(from, signal),
    slice: (from, to, signal) => source.slice(from, to, signal),
  };
}

function access(settings: DataSettings, signal: AbortSignal | undefined): HubAccess {
  return { ...optional('hubUrl', settings.hubUrl), ...optional('token', settings.hubToken), signal };
}

function partOf(
  ref: { readonly part?: string },
  signal: AbortSignal | undefined,
): { part?: string; signal: AbortSignal | undefined } {
  return { ...optional('part', ref.part), signal };
}

function named(key: string, id: string, description: string, reader: LayoutReader): OpenedSource {
  return { key, id, name: id, description, reader, protocolId: reader.protocolId };
}

function optional<N extends string, V>(name: N, value: V | undefined): { [key in N]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [key in N]?: V };
}
