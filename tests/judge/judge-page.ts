/** Opens the oracle's client in headless Chromium, on a page with the product's policy, served by a server that counts. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { pageHeaders, pagePolicy } from '../../scripts/page-policy.mjs';

import { projectRoot as root } from '../../cli/project-root.ts';

/** An open page with the client in it. */
export interface JudgePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly browser: Browser;
  readonly origin: string;
  /** Every request that the server saw after the page had loaded its own files, as `METHOD path`. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** How the page is opened. */
export interface JudgePageOptions {
  /** Headers that isolate the page (threads); default true. */
  readonly isolated?: boolean;
  /** e.g. `America/New_York`; default the machine's. */
  readonly timeZone?: string;
  readonly args?: readonly string[];
}

let built: Promise<Map<string, { body: Uint8Array; type: string }>> | undefined;

/** The page's files, built once for all tests of a process. Needs `node scripts/build-judge.mjs` to have run. */
async function buildPage(): Promise<Map<string, { body: Uint8Array; type: string }>> {
  // Only here: the command line's program must not load the build tool for every command.
  const { build } = await import('vite');
  const result = await build({
    root: path.join(root, 'tests', 'judge', 'page'),
    configFile: false,
    base: './',
    logLevel: 'error',
    build: { write: false, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  const files = new Map<string, { body: Uint8Array; type: string }>();
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', txt: 'text/plain' };
  for (const { output } of (Array.isArray(result) ? result : [result]) as {
    output: { fileName: string }[];
  }[]) {
    for (const file of output as { fileName: string; code?: string; source?: string | Uint8Array }[]) {
      const content = file.code ?? file.source ?? '';
      files.set(`/${file.fileName}`, {
        body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
        type: types[file.fileName.split('.').pop() ?? ''] ?? 'application/octet-stream',
      });
    }
  }
  return files;
}

export async function openJudgePage(options: JudgePageOptions = {}): Promise<JudgePage> {
  const files = await (built ??= buildPage());
  const manifest = JSON.parse(readFileSync(path.join(root, 'build', 'judge', 'manifest.json'), 'utf8')) as {
    frameScriptHash: string;
  };
  const headers = pageHeaders(pagePolicy(manifest.frameScriptHash)) as Record<string, string>;
  if (options.isolated === false) {
    delete headers['Cross-Origin-Opener-Policy'];
    delete headers['Cross-Origin-Embedder-Policy'];
  }
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    if (file === undefined) {
      requests.push(`${request.method} ${request.url}`);
      // Whatever got this far may read the answer: a leak must show, not fail quietly.
      response
        .writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' })
        .end('1');
      return;
    }
    response.writeHead(200, { ...headers, 'Content-Type': file.type }).end(file.body);
  });
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [...CHROMIUM_FLAGS, '--no-sandbox', ...(options.args ?? [])],
  });
  const context = await browser.newContext(
    options.timeZone === undefined ? {} : { timezoneId: options.timeZone },
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`[page] ${error.message}`));
  if (process.env['ASSAY_DEBUG'] !== undefined)
    page.on('console', (message) => console.error(`[page] ${message.type()}: ${message.text()}`));
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => window.oracle !== undefined);
  requests.length = 0;
  return {
    page,
    context,
    browser,
    origin,
    requests,
    close: async () => {
      await browser.close();
      await closeServer(server);
    },
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
