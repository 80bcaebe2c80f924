import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sirv from 'sirv';
import { AppError } from '../../src/domain/app-error.ts';
import { projectRoot } from '../project-root.ts';

/** A running server of the built page. */
export interface AppServer {
  readonly port: number;
  /** Ends at once, open connections included. */
  close(): Promise<void>;
}

/** Answers a request and returns true, or returns false to let the page's files answer. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves the built page on 127.0.0.1 with the headers that the build wrote (policy and isolation on every response).
 *
 * @param options.port 0 takes any free port
 * @param options.hosts Host headers that are answered; others get 403, so that no web site can reach in by a name of its own
 * @throws AppError when the page is not built or the port is taken
 */
export async function serveApp(options: {
  port: number;
  hosts?: readonly string[];
  intercept?: Intercept;
}): Promise<AppServer> {
  const directory = path.join(projectRoot, 'dist', 'page');
  const headersFile = path.join(directory, 'headers.json');
  if (!existsSync(headersFile)) {
    throw new AppError(
      'browser',
      'page-not-built',
      `The page is not built (${directory} is missing): run "npm run build".`,
    );
  }
  const headers = JSON.parse(readFileSync(headersFile, 'utf8')) as Record<string, string>;
  const files = sirv(directory, {
    // Files are looked up at each request: a build under a running server must not end it.
    dev: true,
    etag: true,
    setHeaders(response, pathname) {
      // Hashed names never change their content.
      response.setHeader(
        'Cache-Control',
        pathname.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (options.hosts !== undefined && !options.hosts.includes(host)) {
      response.writeHead(403).end('Unknown host name.');
      return;
    }
    if (options.intercept?.(request, response) === true) return;
    files(request, response, () => void response.writeHead(404).end('Not found.'));
  });
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = taken
        ? `Port ${port} is taken: choose another with --port.`
        : `The server could not start: ${error.message}`;
      reject(new AppError('browser', taken ? 'port-taken' : 'server-failed', message, { cause: error }));
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
