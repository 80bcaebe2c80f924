import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../cli/project-root.ts';

/** A served page that holds the data client and nothing else. */
export interface ServedDataPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers a request that is not one of the page's files; returns whether it did. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.wasm': 'application/wasm',
};
const HTML =
  '<!doctype html><html lang="en"><title>data page</title><script type="module" src="page.js"></script>';

/** Bundles the data client and its worker as the app's build does, and serves them with the isolation headers. */
export async function serveDataPage(intercept: Intercept = () => false): Promise<ServedDataPage> {
  const { build } = await import('vite');
  const outDir = mkdtempSync(path.join(tmpdir(), 'assay-data-page-'));
  await build({
    root: projectRoot,
    configFile: false,
    publicDir: false,
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: false,
      rollupOptions: {
        input: path.join(projectRoot, 'tests/data-page/page.ts'),
        output: { entryFileNames: 'page.js' },
      },
    },
  });
  const server = createServer((request, response) => {
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    if (intercept(request, response)) return;
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    if (pathname === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(HTML);
      return;
    }
    const file = path.join(outDir, pathname);
    if (!file.startsWith(outDir) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
