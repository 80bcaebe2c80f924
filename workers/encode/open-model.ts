import { AppError } from '../../src/domain/app-error.ts';
import { digestOfJson, type Digest } from '../../src/domain/digest.ts';
import type { AdapterReport, OpenEncoderRequest } from '../../src/contracts/encode.ts';
import type { CallOptions } from '../../src/contracts/calls.ts';
import {
  weightsPath,
  type Dtype,
  type ModelDefinition,
  type ModelFile,
} from '../../src/models/model-definition.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { ModelFiles, type LoadedModelFile, type ModelOrigin } from './model-files.ts';
import { KEEPS_NOTHING, storedModelFiles } from './stored-model-files.ts';

const DEFAULT_HUB = 'https://huggingface.co/';

/** A model's files in memory, checked, with what a record says of them. */
export interface FetchedModel {
  /** The hub's commit; for other sources the digest over the files' digests. */
  readonly revision: string;
  readonly files: Map<string, Uint8Array>;
  readonly digests: Readonly<Record<string, Digest>>;
  readonly weightsPath: string;
  readonly probesText?: string;
  readonly downloadedBytes: number;
  /** Drops the weights from the store, so that the next load fetches them again. */
  dropWeights(): Promise<void>;
}

/**
 * Returns the dtype to load on a device, and a notice when it is not the one asked for: half precision needs an adapter
 * with `shader-f16`, else the float32 file is used. Errors: `dtype-unavailable`.
 */
export function chooseDtype(
  model: ModelDefinition,
  wanted: Dtype,
  adapter: AdapterReport | undefined,
): { readonly dtype: Dtype; readonly notice?: string } {
  const known = Object.keys(model.dtypes) as Dtype[];
  if (!known.includes(wanted))
    throw new AppError(
      'model',
      'dtype-unavailable',
      `model ${model.id} has no ${wanted}; it has ${known.join(', ')}`,
    );
  const needsF16 = model.dtypes[wanted]?.needsShaderF16 ?? /f16|fp16/.test(wanted);
  if (!adapter || adapter.shaderF16 || !needsF16) return { dtype: wanted };
  if (!known.includes('fp32'))
    throw new AppError(
      'model',
      'dtype-unavailable',
      `this graphics adapter has no shader-f16, which ${wanted} needs; model ${model.id} has no fp32 to use instead (it has ${known.join(', ')})`,
    );
  return {
    dtype: 'fp32',
    notice: `This graphics adapter cannot compute in half precision (no shader-f16): fp32 is used instead of ${wanted}.`,
  };
}

/** Loads everything that the model needs in this dtype. Errors: those of {@link ModelFiles.load}. */
export async function fetchModel(
  store: BlockStore,
  request: OpenEncoderRequest,
  dtype: Dtype,
  { signal, onProgress }: CallOptions,
): Promise<FetchedModel> {
  const { model } = request;
  const place = await originOf(request, signal);
  const loader = new ModelFiles({
    modelId: model.id,
    origin: place.origin,
    keep: place.keepAs === undefined ? KEEPS_NOTHING : storedModelFiles(store, model.id, place.keepAs),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const files = new Map<string, Uint8Array>();
  const digests: Record<string, Digest> = {};
  let downloadedBytes = 0;
  const take = ({ path }: ModelFile, { bytes, digest, fromStore }: LoadedModelFile): void => {
    files.set(path, bytes);
    digests[path] = digest;
    if (!fromStore) downloadedBytes += bytes.byteLength;
  };
  const declared = new Map((model.files ?? []).map((file) => [file.path, file]));
  for (const path of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    const file = declared.get(path) ?? { path };
    take(file, await loader.load(file));
  }
  const graph = weightsPath(model, dtype);
  const weights = model.dtypes[dtype]?.files ?? [
    { path: graph },
    ...externalData(files.get('config.json'), graph).map((path) => ({ path })),
  ];
  for (const file of weights) take(file, await loader.load(file));
  const probes = model.probes && (await loader.loadIfPresent(model.probes));
  return {
    revision: place.revision ?? (await digestOfJson(digests)),
    files,
    digests,
    weightsPath: graph,
    downloadedBytes,
    ...(probes && { probesText: new TextDecoder().decode(probes.bytes) }),
    dropWeights: async () => {
      for (const { path } of weights) await loader.drop(path);
    },
  };
}

interface ModelPlace {
  readonly origin: ModelOrigin;
  /** Names the drawer in the store; absent where nothing is kept. */
  readonly keepAs?: string;
  readonly revision?: string;
}

async function originOf(request: OpenEncoderRequest, signal: AbortSignal | undefined): Promise<ModelPlace> {
  const { model, appBaseUrl, files } = request;
  const { source } = model;
  switch (source.kind) {
    case 'bundled':
      return { origin: { kind: 'url', baseUrl: `${appBaseUrl}${source.folder}/` }, keepAs: 'bundled' };
    case 'url':
      return { origin: { kind: 'url', baseUrl: source.url.replace(/\/?$/, '/') }, keepAs: source.url };
    case 'folder':
      return { origin: { kind: 'files', files: files ?? [] } };
    case 'hub': {
      const hub = (request.hubUrl ?? DEFAULT_HUB).replace(/\/?$/, '/');
      const revision = await commitOf(hub, source.repository, source.revision, signal);
      const baseUrl = `${hub}${source.repository}/resolve/${encodeURIComponent(revision)}/`;
      return { origin: { kind: 'url', baseUrl }, keepAs: revision, revision };
    }
  }
}

/** Returns the commit that a revision names; a commit names itself and nothing is asked. Errors: `model-download-failed`. */
async function commitOf(
  hub: string,
  repository: string,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  const url = `${hub}api/models/${repository}/revision/${encodeURIComponent(revision)}`;
  const response = await fetch(url, signal ? { signal } : {}).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new AppError('model', 'model-download-failed', `${url} could not be reached`, { cause });
  });
  const answer: unknown = response.ok ? await response.json() : undefined;
  const sha = (answer as { sha?: unknown } | undefined)?.sha;
  if (typeof sha !== 'string')
    throw new AppError(
      'model',
      'model-download-failed',
      `the hub does not say which commit "${revision}" of ${repository} is: ${url} answers ${response.status}`,
    );
  return sha;
}

/** The files in which a big graph keeps its weights, as config.json declares them to transformers.js. */
function externalData(config: Uint8Array | undefined, graph: string): string[] {
  const parsed = JSON.parse(new TextDecoder().decode(config)) as {
    'transformers.js_config'?: {
      use_external_data_format?: boolean | number | Record<string, boolean | number>;
    };
  };
  const declared = parsed['transformers.js_config']?.use_external_data_format ?? false;
  const fileName = graph.slice(graph.lastIndexOf('/') + 1);
  const parts = Number(
    typeof declared === 'object' ? (declared[fileName] ?? declared['model'] ?? 0) : declared,
  );
  return Array.from({ length: parts }, (_, i) => `${graph}_data${i === 0 ? '' : `_${i}`}`);
}
