import { benchmarkById } from '../../src/benchmarks/list.ts';
import type { BenchmarkDefinition } from '../../src/benchmarks/definition.ts';
import type { ByteSource } from '../../src/codecs/byte-source.ts';
import type { BenchmarkRef, DataSettings, NamedFile } from '../../src/contracts/data.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { BlobSource } from '../../src/sources/blob-source.ts';
import { HttpSource } from '../../src/sources/http-source.ts';
import { execRetrievalLayout } from '../../src/sources/layouts/exec-retrieval.ts';
import type { FileSet, LayoutReader } from '../../src/sources/layouts/layout.ts';
import type { OpenedSource } from './load-benchmark.ts';

/** The hub unless the settings name another one. */
export const DEFAULT_HUB_URL = 'https://huggingface.co';

/** Finds the files that a reference names and their layout. Errors: `unknown-benchmark`, `missing-file`, `unknown-layout`. */
export async function openSource(ref: BenchmarkRef, settings: DataSettings): Promise<OpenedSource> {
  switch (ref.kind) {
    case 'declared':
      return openDeclared(benchmarkById(ref.id), settings);
    case 'files': {
      const set: FileSet = { name: ref.name, files: withoutCommonFolder(ref.files) };
      return opened(`files:${ref.name}`, ref.name, ref.name, `folder ${ref.name}`, execRetrievalLayout(set));
    }
    case 'hub':
    case 'url':
      throw new AppError(
        'input',
        'unsupported-source',
        `Loading from ${ref.kind === 'hub' ? ref.dataset : ref.url} is not possible yet.`,
      );
  }
}

/** The key under which a reference's source is remembered, known without touching the network. */
export function sourceKeyOf(ref: BenchmarkRef): string {
  switch (ref.kind) {
    case 'declared':
      return ref.part === undefined ? `declared:${ref.id}` : `declared:${ref.id}/${ref.part}`;
    case 'files':
      return `files:${ref.name}`;
    case 'hub':
      return `hub:${ref.dataset}@${ref.revision ?? ''}/${ref.part ?? ''}`;
    case 'url':
      return `url:${ref.url}`;
  }
}

function openDeclared(definition: BenchmarkDefinition, settings: DataSettings): OpenedSource {
  const { id, name, source, files = [] } = definition;
  const sources = new Map<string, ByteSource>();
  let description: string;
  if (source.kind === 'bundled') {
    description = `bundled with the app (${source.path})`;
    for (const path of files)
      sources.set(path, new HttpSource(new URL(source.path + path, settings.baseUrl).href, { name: path }));
  } else {
    const hub = (settings.hubUrl ?? DEFAULT_HUB_URL).replace(/\/$/, '');
    description = `${hub}/datasets/${source.dataset} at ${source.revision}`;
    for (const path of files)
      sources.set(
        path,
        new HttpSource(`${hub}/datasets/${source.dataset}/resolve/${source.revision}/${encodePath(path)}`, {
          name: path,
          fingerprint: source.revision,
          ...(settings.hubToken === undefined
            ? {}
            : { headers: { Authorization: `Bearer ${settings.hubToken}` } }),
        }),
      );
  }
  const set: FileSet = { name: description, files: sources };
  return opened(`declared:${id}`, id, name, description, execRetrievalLayout(set), definition.protocolId);
}

function opened(
  key: string,
  id: string,
  name: string,
  description: string,
  reader: LayoutReader,
  protocolId = reader.protocolId,
): OpenedSource {
  return { key, id, name, description, protocolId, reader };
}

/** Files by path; a folder that holds all of them (the dropped folder's own name) is left out of the paths. */
export function withoutCommonFolder(files: readonly NamedFile[]): Map<string, ByteSource> {
  const first = files[0]?.path.split('/')[0];
  const shared =
    first !== undefined && files.every(({ path }) => path.startsWith(`${first}/`)) && first !== 'data';
  const sources = new Map<string, ByteSource>();
  for (const { path, body } of files) {
    const name = shared ? path.slice(path.indexOf('/') + 1) : path;
    sources.set(
      name,
      body instanceof Blob
        ? new BlobSource(name, body)
        : new HttpSource(body.url, { name, ...(body.bytes === undefined ? {} : { size: body.bytes }) }),
    );
  }
  return sources;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
