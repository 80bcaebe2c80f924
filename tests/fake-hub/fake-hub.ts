import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What can go wrong on the way, on demand. */
export type Fault =
  /** Too many requests; then works. */
  | { readonly kind: 'rate-limited'; readonly retryAfter?: string }
  | { readonly kind: 'status'; readonly status: number }
  /** The connection ends after this share of the body. */
  | { readonly kind: 'cut'; readonly share: number }
  /** The whole file as 200 where a range was asked for. */
  | { readonly kind: 'range-ignored' }
  /** 206 with the bytes and the Content-Range of another place. */
  | { readonly kind: 'wrong-range' }
  /** 206 without Content-Range. */
  | { readonly kind: 'no-content-range' }
  /** Body packed with gzip, whatever was asked for. */
  | { readonly kind: 'gzip' }
  /** HEAD is forbidden. */
  | { readonly kind: 'head-forbidden' }
  /** A page in HTML with status 200, as captive portals send. */
  | { readonly kind: 'html' }
  /** Other bytes of the same length. */
  | { readonly kind: 'damaged' }
  /** Each kilobyte after a pause. */
  | { readonly kind: 'slow'; readonly msPerKilobyte: number };

interface ActiveFault {
  readonly path: RegExp;
  readonly fault: Fault;
  timesLeft: number;
}

/** One data set at one commit. */
export interface FakeDataset {
  readonly id: string;
  /** 40 hexadecimal digits. */
  readonly revision: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The token without which its files are refused. */
  readonly token?: string;
  /** Files of this size and more are listed as large files with their SHA-256; default 10,000 bytes. */
  readonly largeFrom?: number;
}

/** A request as it arrived. */
export interface SeenRequest {
  readonly host: 'hub' | 'cdn';
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

const LISTING_PAGE = 50;
const EXPOSED = 'ETag,Link,Accept-Ranges,Content-Range,X-Repo-Commit,Content-Length';

/**
 * A hub and its CDN on two ports of this machine: listing in pages, redirects to the other host, ranges, ETags and CORS
 * as the real one has them, and faults on demand.
 */
export class FakeHub {
  readonly requests: SeenRequest[] = [];
  readonly #datasets = new Map<string, FakeDataset[]>();
  readonly #faults: ActiveFault[] = [];
  readonly #hub: Server;
  readonly #cdn: Server;

  private constructor() {
    this.#hub = createServer((request, response) => void this.#answerHub(request, response));
    this.#cdn = createServer((request, response) => void this.#answerCdn(request, response));
  }

  /** Starts both servers; port 0 takes free ones. */
  static async start(datasets: readonly FakeDataset[], port = 0): Promise<FakeHub> {
    const fake = new FakeHub();
    for (const dataset of datasets) fake.publish(dataset);
    await listen(fake.#hub, port);
    await listen(fake.#cdn, 0);
    return fake;
  }

  /** The hub's address, without a slash at its end. */
  get url(): string {
    return addressOf(this.#hub);
  }

  /** The CDN's address. */
  get cdnUrl(): string {
    return addressOf(this.#cdn);
  }

  /** Adds a commit; the branch `main` moves to it. */
  publish(dataset: FakeDataset): void {
    this.#datasets.set(dataset.id, [...(this.#datasets.get(dataset.id) ?? []), dataset]);
  }

  /** Makes requests whose path matches fail, a number of times. */
  fault(path: RegExp, fault: Fault, times = 1): void {
    this.#faults.push({ path, fault, timesLeft: times });
  }

  /** Forgets faults and requests. */
  reset(): void {
    this.#faults.length = 0;
    this.requests.length = 0;
  }

  /** Ends both servers and their open connections. */
  async stop(): Promise<void> {
    for (const server of [this.#hub, this.#cdn]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #answerHub(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#preflight(request, response)) return;
    const url = new URL(request.url ?? '/', this.url);
    const path = decodeURIComponent(url.pathname);
    const fault = this.#note('hub', request, path);
    if (fault !== undefined && (await this.#failed(fault, request, response))) return;

    const info = /^\/api\/datasets\/(.+?)(?:\/revision\/([^/]+))?$/.exec(path);
    const tree = /^\/api\/datasets\/(.+?)\/tree\/([^/]+)(?:\/(.*))?$/.exec(path);
    const resolve = /^\/datasets\/(.+?)\/resolve\/([^/]+)\/(.+)$/.exec(path);
    const [, id = '', revision = 'main', rest = ''] = tree ?? resolve ?? info ?? [];
    const dataset = this.#find(id, revision);
    if (dataset === undefined) {
      json(response, 404, { error: `Repository or revision not found: ${path}` });
    } else if (dataset.token !== undefined && request.headers.authorization !== `Bearer ${dataset.token}`) {
      json(response, 401, { error: 'Access to this data set is restricted.' });
    } else if (tree !== null) {
      this.#list(dataset, rest, url, response);
    } else if (resolve !== null) {
      this.#redirect(dataset, rest, response);
    } else {
      const siblings = [...dataset.files.keys()].map((rfilename) => ({ rfilename }));
      json(response, 200, {
        _id: id,
        id,
        sha: dataset.revision,
        private: false,
        gated: dataset.token !== undefined,
        downloads: 0,
        likes: 0,
        lastModified: '2026-01-01T00:00:00.000Z',
        siblings,
      });
    }
  }

  async #answerCdn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#preflight(request, response)) return;
    const url = new URL(request.url ?? '/', this.cdnUrl);
    const path = decodeURIComponent(url.pathname);
    const fault = this.#note('cdn', request, path);
    if (fault !== undefined && (await this.#failed(fault, request, response))) return;
    const [, revision = '', name = ''] = /^\/([0-9a-f]{40})\/(.+)$/.exec(path) ?? [];
    const dataset = [...this.#datasets.values()]
      .flat()
      .find((one) => one.revision === revision && one.files.has(name));
    const bytes = dataset?.files.get(name);
    if (bytes === undefined) return json(response, 404, { error: 'Entry not found' });
    await sendBytes(bytes, fault, request, response);
  }

  #find(id: string, revision: string): FakeDataset | undefined {
    const commits = this.#datasets.get(id);
    if (revision === 'main' || revision === 'HEAD') return commits?.at(-1);
    return commits?.find((dataset) => dataset.revision.startsWith(revision));
  }

  #list(dataset: FakeDataset, under: string, url: URL, response: ServerResponse): void {
    const prefix = under === '' ? '' : `${under.replace(/\/$/, '')}/`;
    const paths = [...dataset.files.keys()].filter((path) => path.startsWith(prefix)).sort();
    if (paths.length === 0) return json(response, 404, { error: `${under} does not exist` });
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const page = paths.slice(from, from + LISTING_PAGE).map((path) => entryOf(path, dataset));
    if (from + LISTING_PAGE < paths.length) {
      url.searchParams.set('cursor', String(from + LISTING_PAGE));
      response.setHeader('Link', `<${url.href}>; rel="next"`);
    }
    json(response, 200, page);
  }

  #redirect(dataset: FakeDataset, path: string, response: ServerResponse): void {
    if (!dataset.files.has(path)) return json(response, 404, { error: 'Entry not found' });
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    response.setHeader('Location', `${this.cdnUrl}/${dataset.revision}/${encoded}`);
    response.setHeader('X-Repo-Commit', dataset.revision);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.writeHead(302).end();
  }

  /** Only requests that a page may not send on its own are asked about beforehand. */
  #preflight(request: IncomingMessage, response: ServerResponse): boolean {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (request.method !== 'OPTIONS') return false;
    response.setHeader('Access-Control-Allow-Headers', 'authorization');
    response.writeHead(204).end();
    return true;
  }

  #note(host: SeenRequest['host'], request: IncomingMessage, path: string): Fault | undefined {
    const { range, authorization } = request.headers;
    this.requests.push({ host, method: request.method ?? '', path, range, authorization });
    const active = this.#faults.find(
      (one) => one.timesLeft > 0 && one.path.test(`${host}:${request.method ?? ''} ${path}`),
    );
    if (active === undefined) return undefined;
    active.timesLeft--;
    return active.fault;
  }

  /** Faults that need no file; returns whether the answer has been given. */
  async #failed(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    switch (fault.kind) {
      case 'rate-limited':
        if (fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter);
        response.setHeader('Content-Type', 'text/html');
        response.writeHead(429).end('<!doctype html><p>Too many requests');
        return true;
      case 'status':
        json(response, fault.status, { error: `status ${fault.status}` });
        return true;
      case 'html':
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.writeHead(200).end('<!doctype html><title>Sign in</title>');
        return true;
      case 'head-forbidden':
        if (request.method !== 'HEAD') return false;
        response.writeHead(403).end();
        return true;
      default:
        return false;
    }
  }
}

async function sendBytes(
  bytes: Uint8Array,
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body =
    fault?.kind === 'damaged' ? bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)) : bytes;
  response.setHeader('ETag', `"${sha256(bytes)}"`);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Type', 'application/octet-stream');
  const asked =
    fault?.kind === 'range-ignored' ? null : /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  let sent = body;
  let status = 200;
  if (asked !== null) {
    const from = Number(asked[1]);
    if (from >= body.length) {
      response.setHeader('Content-Range', `bytes */${body.length}`);
      response.writeHead(416).end();
      return;
    }
    const end = Math.min(asked[2] === '' ? body.length : Number(asked[2]) + 1, body.length);
    const shift = fault?.kind === 'wrong-range' && from > 0 ? 1 : 0;
    sent = body.subarray(from - shift, end - shift);
    status = 206;
    if (fault?.kind !== 'no-content-range')
      response.setHeader('Content-Range', `bytes ${from - shift}-${end - shift - 1}/${body.length}`);
  }
  if (fault?.kind === 'gzip') {
    sent = gzipSync(sent);
    response.setHeader('Content-Encoding', 'gzip');
  }
  response.setHeader('Content-Length', String(sent.length));
  response.writeHead(status);
  if (request.method === 'HEAD') {
    response.end();
  } else if (fault?.kind === 'cut') {
    response.write(sent.subarray(0, Math.floor(sent.length * fault.share)), () => response.destroy());
  } else if (fault?.kind === 'slow') {
    for (let at = 0; at < sent.length && !response.destroyed; at += 1024) {
      response.write(sent.subarray(at, at + 1024));
      await new Promise((resolve) => setTimeout(resolve, fault.msPerKilobyte));
    }
    response.end();
  } else {
    response.end(sent);
  }
}

function entryOf(path: string, { files, largeFrom = 10_000 }: FakeDataset): object {
  const bytes = files.get(path) ?? new Uint8Array();
  const head = Buffer.from(`blob ${bytes.length}\0`);
  const oid = createHash('sha1').update(head).update(bytes).digest('hex');
  const lfs = { oid: sha256(bytes), size: bytes.length, pointerSize: 130 };
  return { type: 'file', path, size: bytes.length, oid, ...(bytes.length >= largeFrom ? { lfs } : {}) };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.setHeader('Content-Type', 'application/json');
  response.writeHead(status).end(JSON.stringify(value));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
