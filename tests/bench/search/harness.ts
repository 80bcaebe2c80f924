import { createServer, type Server } from 'node:http';
import { open, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../../cli/browser/page-session.ts';
import { projectRoot } from '../../../cli/project-root.ts';
import { NPY_HEADER_BYTES, parseNpyHeader } from '../../../src/codecs/npy.ts';

/** A browser page with benchmark threads in it. */
export interface Harness {
  /** Calls one operation of harness.worker.ts on thread `thread` (started at its first call). */
  call<T>(thread: number, operation: string, args: unknown): Promise<T>;
  /** Runs one search on these threads at once; the time until the last has answered, as the page sees it. */
  together(threads: readonly number[], args: unknown): Promise<{ ms: number }>;
  /** Ends thread `thread` and its memory. */
  end(thread: number): Promise<void>;
  /** Ends the page with its process and opens it anew; the store stays. */
  reload(): Promise<void>;
  /**
   * Resident bytes of the page's process (Linux, else undefined): all of them now and at their peak since it started, and
   * those of its own, without the browser's code that every page maps.
   */
  memoryBytes(): Promise<{ now: number; peak: number; own: number } | undefined>;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><title>bench</title><script type="module">
const threads = new Map(); let next = 0; const waiting = new Map();
function thread(i) {
  let worker = threads.get(i);
  if (!worker) {
    worker = new Worker('/harness.js', { type: 'module' });
    worker.onmessage = ({ data }) => { const w = waiting.get(data.id); waiting.delete(data.id); if (data.error) w.reject(new Error(data.error)); else w.resolve(data.result); };
    worker.onerror = (e) => console.error(e.message);
    threads.set(i, worker);
  }
  return worker;
}
globalThis.call = (i, operation, args) => new Promise((resolve, reject) => {
  const id = next++; waiting.set(id, { resolve, reject }); thread(i).postMessage({ id, operation, args });
});
globalThis.end = (i) => { threads.get(i)?.terminate(); threads.delete(i); };
globalThis.together = async (list, args) => {
  const board = new Int32Array(new SharedArrayBuffer(4 * list.length * args.count));
  new Float32Array(board.buffer).fill(-Infinity);
  const shared = list.length > 1 ? { board, of: list.length } : {};
  const from = performance.now();
  await Promise.all(list.map((i, part) => call(i, 'search', { ...args, ...shared, part })));
  return { ms: performance.now() - from };
};
</script>`;

/** Starts server and browser. Files that threads may read are those of `folder`. */
export async function startHarness(folder: string): Promise<Harness> {
  const scripts = await bundleWorker();
  const kernels = path.join(projectRoot, 'workers', 'search', 'kernel');
  const server: Server = createServer((request, response) => {
    void answer(request.url ?? '/').catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
    async function answer(url: string): Promise<void> {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      if (pathname === '/favicon.ico') response.writeHead(204).end();
      else if (pathname === '/') response.setHeader('Content-Type', 'text/html').end(PAGE);
      else if (scripts.has(pathname.slice(1))) {
        response.setHeader('Content-Type', 'text/javascript').end(scripts.get(pathname.slice(1)));
      } else if (pathname.endsWith('.wasm'))
        response.end(await readFile(path.join(kernels, path.basename(pathname))));
      else if (pathname === '/rows') {
        const file = path.join(folder, path.basename(searchParams.get('file') ?? ''));
        response.end(
          await rowsOf(file, Number(searchParams.get('first')), Number(searchParams.get('count'))),
        );
      } else response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // A profile on the disk: private contexts keep IndexedDB in memory.
  const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    executablePath: findChromium(),
    args: [...CHROMIUM_FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const openPage = async (): Promise<Page> => {
    const opened = await context.newPage();
    opened.on('console', (message) => console.error(`browser: ${message.text()}`));
    await opened.goto(address);
    return opened;
  };
  let page = await openPage();
  return {
    call: (thread, operation, args) =>
      page.evaluate(([i, name, data]) => (globalThis as unknown as PageGlobals).call(i, name, data), [
        thread,
        operation,
        args,
      ] as [number, string, unknown]) as Promise<never>,
    together: (threads, args) =>
      page.evaluate(([list, data]) => (globalThis as unknown as PageGlobals).together(list, data), [
        threads,
        args,
      ] as [readonly number[], unknown]),
    end: (thread) => page.evaluate((i) => (globalThis as unknown as PageGlobals).end(i), thread),
    async reload() {
      // The old page goes first, so that its process cannot be used again.
      await page.close();
      page = await openPage();
    },
    memoryBytes: () => memoryOfRenderers(context),
    async close() {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

interface PageGlobals {
  call(thread: number, operation: string, args: unknown): Promise<unknown>;
  together(threads: readonly number[], args: unknown): Promise<{ ms: number }>;
  end(thread: number): void;
}

/** Returns the worker and its chunks by file name. */
async function bundleWorker(): Promise<ReadonlyMap<string, string>> {
  const result = await build({
    configFile: false,
    root: projectRoot,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: {
        entry: path.join(projectRoot, 'tests', 'bench', 'search', 'harness.worker.ts'),
        formats: ['es'],
        fileName: 'harness',
      },
    },
  });
  const output = (Array.isArray(result) ? result : [result])[0];
  if (output === undefined || !('output' in output)) throw new Error('the benchmark worker was not built');
  return new Map(
    output.output.flatMap((file, i) =>
      file.type === 'chunk' ? [[i === 0 ? 'harness.js' : file.fileName, file.code]] : [],
    ),
  );
}

async function rowsOf(file: string, first: number, count: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const head = Buffer.alloc(NPY_HEADER_BYTES);
    await handle.read(head, 0, head.length, 0);
    const header = parseNpyHeader(head, file);
    const rowBytes = (header.shape[1] as number) * 4;
    const bytes = Buffer.alloc(count * rowBytes);
    await handle.read(bytes, 0, bytes.length, header.dataOffset + first * rowBytes);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** VmRSS, VmHWM and RssAnon of this browser's largest renderer. */
async function memoryOfRenderers(
  context: BrowserContext,
): Promise<{ now: number; peak: number; own: number } | undefined> {
  const browser = context.browser();
  if (process.platform !== 'linux' || browser === null) return undefined;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; id: number }[];
  };
  await session.detach();
  const largest = { now: 0, peak: 0, own: 0 };
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
    largest.now = Math.max(largest.now, kilobytes('VmRSS') * 1_024);
    largest.peak = Math.max(largest.peak, kilobytes('VmHWM') * 1_024);
    largest.own = Math.max(largest.own, kilobytes('RssAnon') * 1_024);
  }
  return largest;
}
