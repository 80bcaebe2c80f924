import { joinBytes } from '../codecs/join-bytes.ts';
import { createSHA1, createSHA256, type IHasher } from 'hash-wasm';
import { AppError, messageOf } from '../domain/app-error.ts';
import type { ByteSource } from '../codecs/byte-source.ts';
import { htmlError } from '../codecs/row.ts';
import { abortedError } from '../contracts/calls.ts';
import { attemptsOf, type RetryPolicy } from './retry.ts';

/** How an address is read. */
export interface HttpOptions {
  /** Shown in messages instead of the whole address. */
  readonly name?: string;
  /** Bytes, where a listing told. */
  readonly size?: number;
  /** A content hash or revision that a listing told: with it the source needs no ETag. */
  readonly fingerprint?: string;
  /** What a listing says of the content: a whole read that gives other bytes is an error. */
  readonly digest?: FileDigest;
  /** Headers for this host only (a token); a browser drops Authorization when a redirect leaves the host. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryPolicy;
  /** The largest file that is fetched whole when the server cannot give parts of it. Bytes. */
  readonly maxWholeBytes?: number;
}

/** A digest as the hub lists it: SHA-256 of large files, git's SHA-1 (over a head with the length) of small ones. */
export interface FileDigest {
  readonly kind: 'sha256' | 'git-blob';
  readonly hex: string;
}

const DEFAULT_MAX_WHOLE_BYTES = 256 * 1024 * 1024;

interface Head {
  readonly size: number | undefined;
  readonly validator: string | undefined;
}

/**
 * An address read over HTTP. A broken download goes on where it stopped (one plain `bytes=a-` range); bytes are taken
 * only when the server says that they are the ones asked for, otherwise the file is read again from its start and what
 * is known already is skipped. Errors: `unreachable`, `not-found`, `forbidden`, `rate-limited`, `truncated`,
 * `source-changed`, `html-instead-of-data`, `http-status`.
 */
export class HttpSource implements ByteSource {
  readonly name: string;
  readonly #url: string;
  readonly #options: HttpOptions;
  #head: Promise<Head> | undefined;
  #whole: Promise<Uint8Array> | undefined;

  constructor(url: string, options: HttpOptions = {}) {
    this.#url = url;
    this.#options = options;
    this.name = options.name ?? url;
  }

  async size(signal?: AbortSignal): Promise<number | undefined> {
    return this.#options.size ?? (await this.#readHead(signal)).size;
  }

  async fingerprint(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#options.fingerprint !== undefined) return this.#options.fingerprint;
    const { size, validator } = await this.#readHead(signal);
    return validator === undefined ? undefined : `${validator}:${size ?? ''}`;
  }

  async *stream(from: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    let at = from;
    let rangesWork = true;
    let validator: string | undefined;
    const attempts = attemptsOf(this.#options.retry);
    const check = from === 0 ? await this.#digestCheck(signal) : undefined;
    for (;;) {
      try {
        const response = await this.#fetch(at > 0 && rangesWork ? { Range: `bytes=${at}-` } : {}, signal);
        const seen = validatorOf(response);
        if (validator !== undefined && seen !== undefined && seen !== validator)
          throw new AppError(
            'source',
            'source-changed',
            `${this.name} changed while it was read. Start again.`,
          );
        validator ??= seen;
        const body = placeOf(response, at);
        if (body === undefined) {
          rangesWork = false;
          continue;
        }
        let skip = at - body.from;
        let received = body.from;
        for await (const piece of bytesOf(response)) {
          received += piece.byteLength;
          const wanted = skip < piece.byteLength ? piece.subarray(skip) : undefined;
          skip = Math.max(0, skip - piece.byteLength);
          if (wanted === undefined || wanted.byteLength === 0) continue;
          at += wanted.byteLength;
          attempts.succeeded();
          check?.update(wanted);
          yield wanted;
        }
        // A decoded body may be longer than its length header says; a plain one may not be shorter.
        if (body.end !== undefined && received < body.end) {
          throw new AppError(
            'source',
            'truncated',
            `${this.name}: only ${received} of ${body.end} bytes arrived.`,
          );
        }
        if (check !== undefined && check.digest('hex') !== this.#options.digest?.hex)
          throw new AppError(
            'source',
            'digest-mismatch',
            `${this.name}: the bytes that arrived are not those that the hub lists. Nothing of it is used; try again.`,
          );
        return;
      } catch (error) {
        // A consumer that stopped is not an error of ours and never comes here: generators end by `return`.
        await attempts.failed(this.#explained(error, signal), signal);
      }
    }
  }

  async slice(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (to <= from) return new Uint8Array(0);
    if (this.#whole !== undefined) return (await this.#whole).slice(from, to);
    const attempts = attemptsOf(this.#options.retry);
    for (;;) {
      try {
        const response = await this.#fetch({ Range: `bytes=${from}-${to - 1}` }, signal);
        const range = response.status === 206 ? contentRange(response) : undefined;
        if (range?.from === from && range.end === to) {
          const bytes = await collect(response, to - from);
          if (bytes?.byteLength === to - from) return bytes;
        }
        await response.body?.cancel();
        // No parts from this server, or parts that cannot be trusted: the whole file, if it is small enough.
        return await this.#sliceOfWhole(from, to, signal);
      } catch (error) {
        await attempts.failed(this.#explained(error, signal), signal);
      }
    }
  }

  async #digestCheck(signal: AbortSignal | undefined): Promise<IHasher | undefined> {
    const { digest } = this.#options;
    if (digest === undefined) return undefined;
    if (digest.kind === 'sha256') return (await createSHA256()).init();
    const size = await this.size(signal);
    return size === undefined ? undefined : (await createSHA1()).init().update(`blob ${size}\0`);
  }

  async #sliceOfWhole(from: number, to: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const limit = this.#options.maxWholeBytes ?? DEFAULT_MAX_WHOLE_BYTES;
    const size = await this.size(signal);
    if (size !== undefined && size > limit)
      throw new AppError(
        'source',
        'no-ranges',
        `${this.name}: the server does not give parts of a file, and the whole of it (${size} bytes) is too large to hold. Download it and drop the file on the page.`,
      );
    this.#whole ??= collectAll(this.stream(0, signal), limit, this.name);
    try {
      return (await this.#whole).slice(from, to);
    } catch (error) {
      this.#whole = undefined;
      throw error;
    }
  }

  #readHead(signal: AbortSignal | undefined): Promise<Head> {
    this.#head ??= this.#askHead(signal).catch((error: unknown) => {
      this.#head = undefined;
      throw error;
    });
    return this.#head;
  }

  async #askHead(signal: AbortSignal | undefined): Promise<Head> {
    const attempts = attemptsOf(this.#options.retry);
    for (;;) {
      try {
        const head = await fetch(this.#url, { method: 'HEAD', ...this.#init({}, signal) });
        if (head.ok) {
          if (isHtml(head)) throw htmlError(this.name);
          return { size: plainLength(head), validator: validatorOf(head) };
        }
        // Some hosts forbid HEAD where they allow GET: one byte tells the same.
        const response = await this.#fetch({ Range: 'bytes=0-0' }, signal);
        await response.body?.cancel();
        const size = response.status === 206 ? contentRange(response)?.total : plainLength(response);
        return { size, validator: validatorOf(response) };
      } catch (error) {
        await attempts.failed(this.#explained(error, signal), signal);
      }
    }
  }

  #init(headers: Record<string, string>, signal: AbortSignal | undefined): RequestInit {
    return { headers: { ...this.#options.headers, ...headers }, ...(signal === undefined ? {} : { signal }) };
  }

  /** One request; resolves for 200 and 206 only. */
  async #fetch(headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Response> {
    if (signal?.aborted) throw abortedError();
    const response = await fetch(this.#url, this.#init(headers, signal));
    if (response.status === 200 || response.status === 206) {
      if (isHtml(response)) {
        await response.body?.cancel();
        throw htmlError(this.name);
      }
      return response;
    }
    await response.body?.cancel();
    // Asked for what lies behind the end: there is nothing more, or the file is another one. Reading it whole tells.
    if (response.status === 416 && headers['Range'] !== undefined) return this.#fetch({}, signal);
    throw statusError(this.name, response);
  }

  #explained(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return abortedError();
    if (error instanceof AppError) return error;
    return new AppError('source', 'unreachable', `${this.name} cannot be reached: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** The error of a response that is not a success; `rate-limited` and `http-status` from 500 on are worth another try. */
export function statusError(name: string, response: Response): AppError {
  const { status } = response;
  if (status === 404 || status === 410)
    return new AppError(
      'source',
      'not-found',
      `${name} does not exist (HTTP ${status}). Check the name and the revision.`,
    );
  if (status === 401 || status === 403)
    return new AppError(
      'source',
      'forbidden',
      `${name} is not open to everybody (HTTP ${status}). If it is gated, accept its terms on the hub and give a token.`,
    );
  if (status === 429) {
    const cause = new Error(response.headers.get('Retry-After') ?? '');
    return new AppError(
      'source',
      'rate-limited',
      `${name}: the server asks to wait (HTTP 429). Try again later.`,
      {
        cause,
      },
    );
  }
  return new AppError('source', status >= 500 ? 'server-error' : 'http-status', `${name}: HTTP ${status}.`);
}

interface Place {
  /** Offset of the body's first byte. */
  readonly from: number;
  /** Offset behind its last byte, where the server says. */
  readonly end: number | undefined;
}

/** Where in the file a response's body lies, or undefined when it is not what was asked for. */
function placeOf(response: Response, asked: number): Place | undefined {
  if (response.status === 200) return { from: 0, end: plainLength(response) };
  const range = contentRange(response);
  return range !== undefined && range.from === asked ? { from: range.from, end: range.end } : undefined;
}

function contentRange(
  response: Response,
): { from: number; end: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get('Content-Range') ?? '');
  // A range of an encoded body counts encoded bytes: of no use to somebody who gets them decoded.
  if (match === null || isEncoded(response)) return undefined;
  const total = match[3] === '*' ? undefined : Number(match[3]);
  return { from: Number(match[1]), end: Number(match[2]) + 1, total };
}

function isEncoded(response: Response): boolean {
  const encoding = response.headers.get('Content-Encoding');
  return encoding !== null && encoding !== '' && encoding !== 'identity';
}

/** Content-Length, unless the body is encoded: then it counts other bytes than those that arrive. */
function plainLength(response: Response): number | undefined {
  const length = response.headers.get('Content-Length');
  return length === null || isEncoded(response) ? undefined : Number(length);
}

function validatorOf(response: Response): string | undefined {
  const etag = response.headers.get('ETag') ?? undefined;
  return etag ?? response.headers.get('Last-Modified') ?? undefined;
}

function isHtml(response: Response): boolean {
  return (response.headers.get('Content-Type') ?? '').startsWith('text/html');
}

async function* bytesOf(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Reached early when the caller stops: the connection must not go on loading.
    await reader.cancel().catch(() => undefined);
  }
}

/** The body if it has no more than `limit` bytes. */
async function collect(response: Response, limit: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of bytesOf(response)) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > limit) return undefined;
  }
  return joinBytes(pieces, bytes);
}

async function collectAll(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
  name: string,
): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    kept.push(piece);
    bytes += piece.byteLength;
    if (bytes > limit)
      throw new AppError(
        'source',
        'no-ranges',
        `${name} is larger than ${limit} bytes and cannot be read in parts.`,
      );
  }
  return joinBytes(kept, bytes);
}
