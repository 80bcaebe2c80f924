import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chromium, type BrowserContext } from 'playwright-core';
import { AppError, fromErrorData, toErrorData } from '../../src/domain/app-error.ts';
import type { HeadlessResult } from '../../src/run/headless/bridge.ts';
import type { HeadlessRequest } from '../../src/run/headless/requests.ts';
import { serveApp, type AppServer } from '../serve/app-server.ts';
import { findChromium } from './find-chromium.ts';
import { lockProfile } from './profile-lock.ts';

/** A secure origin that stays the same whatever port the server gets: IndexedDB is kept per origin. */
const HOST = 'assay.localhost';

/** How a request is carried into the page and back. */
export interface PageSessionOptions {
  /** Files that the page may read, by the names that the request uses. */
  readonly files?: ReadonlyMap<string, string>;
  /** Folder for the files that the page writes; made when missing. */
  readonly outputFolder?: string;
  /** Profile folder that keeps data, vectors and verdicts; absent: a throw-away one. */
  readonly profileFolder?: string;
  readonly onProgress?: (value: unknown) => void;
  readonly signal?: AbortSignal;
}

/** Flags for a headless Chromium that keeps to itself and has WebGPU, if only in software. */
export const CHROMIUM_FLAGS = [
  '--enable-unsafe-webgpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

/**
 * Opens the built page in headless Chromium, hands it one request and returns its result.
 *
 * @throws AppError what the page reported, or that the browser is missing or has died
 */
export async function runInPage(
  request: HeadlessRequest,
  options: PageSessionOptions = {},
): Promise<unknown> {
  options.signal?.throwIfAborted();
  const token = randomBytes(24).toString('base64url');
  const ending = deferred<HeadlessResult>();
  // It may be rejected while nobody waits for it yet (Ctrl-C while the browser starts) or any more (it is being closed).
  ending.promise.catch(() => undefined);
  const throwAway = options.profileFolder === undefined;
  const profile = options.profileFolder ?? mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
  // Before the server: a server that nobody closes would keep a refused command from ending.
  const unlock = lockProfile(profile);
  let server: AppServer | undefined;
  let context: BrowserContext | undefined;
  const abort = () => ending.reject(options.signal?.reason);
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    server = await serveApp({
      port: 0,
      hosts: [HOST],
      intercept: (incoming, response) =>
        answerBridge(incoming, response, { token, request, options, settle: ending.resolve }),
    });
    context = await launch(profile, server.port);
    options.signal?.throwIfAborted();
    const page = context.pages()[0] ?? (await context.newPage());
    page.on('crash', () =>
      ending.reject(
        new AppError('browser', 'page-crashed', 'The page crashed, most likely for want of memory.'),
      ),
    );
    context.on('close', () =>
      ending.reject(
        new AppError('browser', 'browser-closed', 'The browser was closed before the work was done.'),
      ),
    );
    if (process.env['ASSAY_DEBUG'] !== undefined) {
      page.on('console', (message) => console.error(`[page] ${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => console.error(`[page] ${error.stack ?? error.message}`));
    }
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`http://${HOST}/#/headless?token=${token}`);
    const result = await ending.promise;
    if (!result.ok) throw fromErrorData(result.error);
    return result.value;
  } finally {
    options.signal?.removeEventListener('abort', abort);
    await context?.close();
    await server?.close();
    unlock();
    if (throwAway) rmSync(profile, { recursive: true, force: true });
  }
}

async function launch(profile: string, port: number): Promise<BrowserContext> {
  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.error('Running as root: Chromium is started with --no-sandbox.');
  try {
    return await chromium.launchPersistentContext(profile, {
      executablePath: findChromium(),
      headless: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      args: [
        ...CHROMIUM_FLAGS,
        `--host-resolver-rules=MAP ${HOST}:80 127.0.0.1:${port}`,
        ...(asRoot ? ['--no-sandbox'] : []),
      ],
    });
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    throw new AppError(
      'browser',
      'browser-failed',
      `Chromium could not be started: ${toErrorData(thrown).message}`,
      { cause: thrown },
    );
  }
}

interface BridgeState {
  readonly token: string;
  readonly request: HeadlessRequest;
  readonly options: PageSessionOptions;
  readonly settle: (result: HeadlessResult) => void;
}

/** Answers everything under `/bridge/`; false for the page's own files. */
function answerBridge(incoming: IncomingMessage, response: ServerResponse, state: BridgeState): boolean {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', `http://${HOST}`);
  if (!pathname.startsWith('/bridge/')) return false;
  if ((incoming.headers['x-assay-token'] ?? searchParams.get('token')) !== state.token) {
    response.writeHead(403).end();
    return true;
  }
  const [place = '', name = ''] = pathname.slice('/bridge/'.length).split('/').map(decodeURIComponent);
  answer(incoming, response, place, name, state).catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(500);
    response.end(toErrorData(error).message);
  });
  return true;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  place: string,
  name: string,
  state: BridgeState,
): Promise<void> {
  const { options } = state;
  switch (`${incoming.method ?? ''} ${place}`) {
    case 'GET request':
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(state.request));
      return;
    case 'GET files': {
      const file = options.files?.get(name);
      if (file === undefined) {
        response.writeHead(404).end();
        return;
      }
      const { size } = await stat(file);
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': size,
        'Cache-Control': 'no-store',
      });
      await pipeline(createReadStream(file), response);
      return;
    }
    case 'PUT outputs': {
      // Only plain names: the page must not reach beyond the result folder.
      if (options.outputFolder === undefined || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
        response.writeHead(404).end();
        return;
      }
      mkdirSync(options.outputFolder, { recursive: true });
      await pipeline(incoming, createWriteStream(path.join(options.outputFolder, name)));
      response.writeHead(204).end();
      return;
    }
    case 'POST progress':
      options.onProgress?.(JSON.parse(await textOf(incoming)));
      response.writeHead(204).end();
      return;
    case 'POST result': {
      const result = JSON.parse(await textOf(incoming)) as HeadlessResult;
      response.writeHead(204).end();
      state.settle(result);
      return;
    }
    default:
      response.writeHead(404).end();
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Promise.withResolvers, which Node 20 lacks. */
function deferred<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
