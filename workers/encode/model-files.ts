import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { digestOf, type Digest } from '../../src/domain/digest.ts';
import type { NamedFile } from '../../src/contracts/data.ts';
import type { Progress } from '../../src/contracts/calls.ts';
import type { ModelFile } from '../../src/models/model-definition.ts';

/** Where checked model files stay; the worker binds it to the store. */
export interface ModelFileKeep {
  /** The bytes, already checked against the digest under which they were kept; undefined when absent or damaged. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly digest: Digest } | undefined>;
  write(path: string, bytes: Uint8Array, digest: Digest, source: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Where files come from: a folder address that ends in `/`, or files that the user opened. */
export type ModelOrigin =
  | { readonly kind: 'url'; readonly baseUrl: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'files'; readonly files: readonly NamedFile[] };

/** How to load files of one model. */
export interface ModelFilesOptions {
  readonly modelId: string;
  readonly origin: ModelOrigin;
  readonly keep: ModelFileKeep;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

/** A file that passed every check. */
export interface LoadedModelFile {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly fromStore: boolean;
}

/**
 * Loads files of a model: from the store when they are there and whole, else from their origin. Nothing is kept before
 * status, length, first bytes, JSON and the declared SHA-256 were checked; a stored file that fails is dropped and fetched
 * again. Every error names the model and the file.
 */
export class ModelFiles {
  readonly #options: ModelFilesOptions;

  constructor(options: ModelFilesOptions) {
    this.#options = options;
  }

  /** Returns the file. Errors: `model-file-missing`, `model-access`, `model-file-damaged`, `model-download-failed`. */
  async load(file: ModelFile): Promise<LoadedModelFile> {
    const { keep, modelId } = this.#options;
    const stored = await keep.read(file.path);
    if (stored) {
      if (file.sha256 === undefined || file.sha256 === stored.digest) return { ...stored, fromStore: true };
      await keep.remove(file.path);
    }
    const { bytes, source } = await this.#fetch(file.path);
    const damage = await damageOf(file, bytes);
    if (damage !== undefined)
      throw new AppError(
        'model',
        'model-file-damaged',
        `model ${modelId}: ${file.path} from ${source} ${damage}; nothing was kept. Load it again, or put the right file there.`,
      );
    const digest = await digestOf(bytes);
    await keep.write(file.path, bytes, digest, source);
    return { bytes, digest, fromStore: false };
  }

  /** Returns the file, or undefined when its origin has none of that name. */
  async loadIfPresent(file: ModelFile): Promise<LoadedModelFile | undefined> {
    try {
      return await this.load(file);
    } catch (error) {
      if (error instanceof AppError && error.code === 'model-file-missing') return undefined;
      throw error;
    }
  }

  /** Drops a file that the runtime could not use, so that the next load fetches it again. */
  async drop(path: string): Promise<void> {
    await this.#options.keep.remove(path);
  }

  async #fetch(path: string): Promise<{ bytes: Uint8Array; source: string }> {
    const { origin } = this.#options;
    if (origin.kind === 'url') {
      const url = origin.baseUrl + path.split('/').map(encodeURIComponent).join('/');
      return { bytes: await this.#download(path, url, origin.headers ?? {}), source: url };
    }
    const file = origin.files.find((candidate) => candidate.path === path);
    if (!file) throw this.#missing(path, `the opened folder (${origin.files.length} files)`);
    if (!(file.body instanceof Blob))
      return { bytes: await this.#download(path, file.body.url, {}), source: file.body.url };
    return { bytes: new Uint8Array(await file.body.arrayBuffer()), source: 'the opened folder' };
  }

  async #download(path: string, url: string, headers: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const { modelId, signal } = this.#options;
    const get = this.#options.fetch ?? fetch;
    let response: Response;
    try {
      response = await get(url, { headers, ...(signal && { signal }) });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new AppError(
        'model',
        'model-download-failed',
        `model ${modelId}: ${path} could not be fetched from ${url}: ${messageOf(cause)}`,
        { cause },
      );
    }
    if (response.status === 404 || response.status === 410) throw this.#missing(path, url);
    if (response.status === 401 || response.status === 403)
      throw new AppError(
        'model',
        'model-access',
        `model ${modelId}: ${url} answers ${response.status}: this model needs access or a token (its page on the hub says how)`,
      );
    if (!response.ok)
      throw new AppError(
        'model',
        'model-download-failed',
        `model ${modelId}: ${path}: ${url} answers ${response.status} ${response.statusText}`,
      );
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? ''))
      // Static hosts answer a missing file with their start page and status 200.
      throw this.#missing(path, `${url} (the server sent a web page instead)`);
    return this.#readBody(path, url, response);
  }

  async #readBody(path: string, url: string, response: Response): Promise<Uint8Array> {
    const { onProgress, modelId } = this.#options;
    const declared = response.headers.get('content-encoding') ? null : response.headers.get('content-length');
    const total = declared === null ? undefined : Number(declared);
    const parts: Uint8Array[] = [];
    let done = 0;
    const report = (): void =>
      onProgress?.({
        step: `download ${path}`,
        done,
        ...(total !== undefined && { total }),
        unit: 'bytes',
      });
    try {
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        parts.push(read.value);
        done += read.value.byteLength;
        report();
      }
    } catch (cause) {
      if (this.#options.signal?.aborted) throw cause;
      throw new AppError(
        'model',
        'model-download-failed',
        `model ${modelId}: ${path}: the connection to ${url} broke after ${done} bytes: ${messageOf(cause)}`,
        { cause },
      );
    }
    if (total !== undefined && done !== total)
      throw new AppError(
        'model',
        'model-download-failed',
        `model ${modelId}: ${path}: ${url} sent ${done} of ${total} bytes`,
      );
    const whole = new Uint8Array(done);
    let offset = 0;
    for (const part of parts) {
      whole.set(part, offset);
      offset += part.byteLength;
    }
    return whole;
  }

  #missing(path: string, where: string): AppError {
    return new AppError(
      'model',
      'model-file-missing',
      `model ${this.#options.modelId}: the file ${path} is missing at ${where}`,
    );
  }
}

/** Says what is wrong with a file's bytes as the end of "the file …", or undefined when nothing is. */
async function damageOf(file: ModelFile, bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.byteLength === 0) return 'is empty';
  if (file.bytes !== undefined && bytes.byteLength !== file.bytes)
    return `has ${bytes.byteLength} bytes where ${file.bytes} belong${bytes.byteLength < file.bytes ? ' (cut off)' : ''}`;
  if (/\.json$/.test(file.path)) {
    try {
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (cause) {
      return `is not JSON: ${messageOf(cause)}`;
    }
  }
  // An ONNX graph is a protobuf message whose first field is the format version (tag 0x08).
  if (/\.onnx$/.test(file.path) && bytes[0] !== 0x08)
    return `is not an ONNX graph (it starts with ${hex(bytes.subarray(0, 4))})`;
  if (file.sha256 !== undefined) {
    const digest = await digestOf(bytes);
    if (digest !== file.sha256) return `has SHA-256 ${digest} where ${file.sha256} belongs`;
  }
  return undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
