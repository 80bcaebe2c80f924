import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { projectRoot } from '../../cli/project-root.ts';

const directory = path.join(projectRoot, 'dist', 'page');
const KNOWN_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A static host as plain as hosts come: files, a few MIME types, no header of ours. */
export interface StaticHost {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the built page without any of its headers, under any path. `knowsWasm: false` sends .wasm as a plain stream. */
export async function staticHost(
  options: { basePath?: string; knowsWasm?: boolean } = {},
): Promise<StaticHost> {
  const basePath = options.basePath ?? '/';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const name = decodeURIComponent(pathname.slice(basePath.length)) || 'index.html';
    const file = path.join(directory, name);
    const stat =
      pathname.startsWith(basePath) && file.startsWith(directory)
        ? statSync(file, { throwIfNoEntry: false })
        : undefined;
    if (stat?.isFile() !== true) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    const extension = path.extname(file);
    const known = extension === '.wasm' && options.knowsWasm === false ? undefined : KNOWN_TYPES[extension];
    response.writeHead(200, {
      'Content-Type': known ?? 'application/octet-stream',
      'Content-Length': stat.size,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${basePath}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
