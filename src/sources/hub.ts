import { datasetInfo, HubApiError, listFiles } from '@huggingface/hub';
import type { ByteSource } from '../codecs/byte-source.ts';
import { AppError, messageOf } from '../domain/app-error.ts';
import { abortedError } from '../contracts/calls.ts';
import { HttpSource, statusError } from './http-source.ts';
import type { FileSet } from './layouts/layout.ts';
import { attemptsOf, type RetryPolicy } from './retry.ts';

/** The hub unless the settings name another one. */
export const DEFAULT_HUB_URL = 'https://huggingface.co';

/** Which hub, and how to get in. */
export interface HubAccess {
  readonly hubUrl?: string;
  /** Sent to the hub's host only; browsers drop it when a redirect leaves the host. */
  readonly token?: string;
  readonly retry?: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** A data set at one revision, with the files that were asked for. */
export interface HubDataset {
  /** The full commit: a branch that moves between two reads changes nothing. */
  readonly revision: string;
  readonly set: FileSet;
}

/**
 * Lists a data set's files (under a folder, if given) at one fixed commit. Nothing is downloaded before it is read.
 * Errors: `not-found`, `forbidden` (gated), `rate-limited`, `unreachable`.
 */
export async function openHubDataset(
  dataset: string,
  options: { readonly revision?: string; readonly under?: string },
  access: HubAccess,
): Promise<HubDataset> {
  const { under } = options;
  const hubUrl = (access.hubUrl ?? DEFAULT_HUB_URL).replace(/\/$/, '');
  const name = `${hubUrl}/datasets/${dataset}`;
  const common = {
    hubUrl,
    fetch: patientFetch(name, access),
    // The library insists on the hub's own form of token; a lab's mirror may use another one, so the header is set here.
  };
  const revision = await commitOf(dataset, options.revision, name, common);
  const files = new Map<string, ByteSource>();
  try {
    for await (const entry of listFiles({
      ...common,
      repo: { type: 'dataset', name: dataset },
      revision,
      recursive: true,
      ...(under === undefined ? {} : { path: under }),
    })) {
      if (entry.type !== 'file') continue;
      files.set(entry.path, hubFile(hubUrl, dataset, revision, entry, access));
    }
  } catch (error) {
    throw explained(name, error, access.signal);
  }
  return { revision, set: { name: `${name} at ${revision}`, files } };
}

/** The address of a file of a data set. Each segment of the path is encoded on its own. */
export function resolveUrl(hubUrl: string, dataset: string, revision: string, path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${hubUrl}/datasets/${dataset}/resolve/${encodeURIComponent(revision)}/${encoded}`;
}

function hubFile(
  hubUrl: string,
  dataset: string,
  revision: string,
  entry: {
    readonly path: string;
    readonly size: number;
    readonly oid?: string;
    readonly lfs?: { readonly oid: string; readonly size: number };
  },
  access: HubAccess,
): ByteSource {
  const hex = entry.lfs?.oid ?? entry.oid;
  const digest = hex === undefined ? undefined : ({ kind: entry.lfs ? 'sha256' : 'git-blob', hex } as const);
  return new HttpSource(resolveUrl(hubUrl, dataset, revision, entry.path), {
    name: entry.path,
    size: entry.lfs?.size ?? entry.size,
    fingerprint: hex ?? revision,
    ...(digest ? { digest } : {}),
    ...(access.token === undefined ? {} : { headers: { Authorization: `Bearer ${access.token}` } }),
    ...(access.retry === undefined ? {} : { retry: access.retry }),
  });
}

async function commitOf(
  dataset: string,
  revision: string | undefined,
  name: string,
  common: { hubUrl: string; fetch: typeof fetch },
): Promise<string> {
  if (revision !== undefined && /^[0-9a-f]{40}$/.test(revision)) return revision;
  try {
    const { sha } = await datasetInfo({
      ...common,
      name: dataset,
      additionalFields: ['sha'],
      ...(revision === undefined ? {} : { revision }),
    });
    return sha;
  } catch (error) {
    throw explained(name, error);
  }
}

/** fetch with the retries, the waiting and the token of this project; the library brings none of them. */
function patientFetch(name: string, { token, retry, signal }: HubAccess): typeof fetch {
  return async (input, init) => {
    const attempts = attemptsOf(retry);
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    for (;;) {
      try {
        const response = await fetch(input, { ...init, headers, ...(signal ? { signal } : {}) });
        if (response.ok) return response;
        await response.body?.cancel();
        throw statusError(name, response);
      } catch (error) {
        await attempts.failed(explained(name, error, signal), signal);
      }
    }
  };
}

function explained(name: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return abortedError();
  if (error instanceof AppError) return error;
  if (error instanceof HubApiError)
    return statusError(name, new Response(null, { status: error.statusCode }));
  return new AppError('source', 'unreachable', `${name} cannot be reached: ${messageOf(error)}.`, {
    cause: error,
  });
}
