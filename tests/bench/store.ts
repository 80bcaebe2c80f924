import { createHash } from 'node:crypto';
import { mkdtempSync, openAsBlob, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import type { DataPage } from '../data-page/page.ts';
import { serveDataPage } from '../data-page/serve.ts';
import type { Bench, BenchLine } from './bench.ts';

declare const dataPage: DataPage;

const TEXT_BYTES = 1_024;
const ROW_GROUP = 20_000;

/** Documents of 1 KB into IndexedDB and back, from JSON Lines and from parquet, beside plain readers in Node. */
export const store: Bench = {
  name: 'store',
  about: 'a million documents of 1 KB from parquet and JSON Lines into IndexedDB and back, with peak memory',
  async *run({ quick }) {
    const documents = quick ? 20_000 : 1_000_000;
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-store-'));
    try {
      const files = {
        jsonl: path.join(folder, 'corpus.jsonl'),
        parquet: path.join(folder, 'corpus.parquet'),
      };
      await writeJsonLines(files.jsonl, documents);
      await writeParquet(files.parquet, documents);
      const served = await serveDataPage((request, response) => sendFile(folder, request, response));
      try {
        for (const format of ['jsonl', 'parquet'] as const) {
          const megabytes = (documents * TEXT_BYTES) / 1e6;
          const peerMs =
            format === 'jsonl' ? await plainLines(files.jsonl) : await plainParquet(files.parquet);
          yield* measure(served.url, format, documents, megabytes, peerMs);
        }
        yield await visibilitySize(served.url, quick);
      } finally {
        await served.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  readonly loadMs: number;
  readonly readMs: number;
  readonly openMs: number;
  readonly rows: number;
}

async function* measure(
  url: string,
  format: 'jsonl' | 'parquet',
  documents: number,
  megabytes: number,
  peerMs: number,
): AsyncGenerator<BenchLine> {
  const { browser, profile } = await openBrowser();
  try {
    const page = await openPage(browser, url);
    const memory = watchMemory(profile);
    const loaded = await page.evaluate(load, { url, format });
    const peakMb = memory.stop();
    yield {
      bench: 'store',
      what: `${format} over HTTP into IndexedDB`,
      documents,
      megabytesOfText: Math.round(megabytes),
      oursMs: Math.round(loaded.loadMs),
      oursMbPerS: rate(megabytes, loaded.loadMs),
      peer: format === 'jsonl' ? "Node's readline with JSON.parse" : 'hyparquet alone in Node, from the disk',
      peerMs: Math.round(peerMs),
      peerMbPerS: rate(megabytes, peerMs),
      ratio: Number((loaded.loadMs / peerMs).toFixed(2)),
      peakPageMb: peakMb,
      limitPageMb: 300,
    };
    const reading = watchMemory(profile);
    const read = await page.evaluate(readBack);
    yield {
      bench: 'store',
      what: 'all blocks back from IndexedDB, digests checked',
      documents: read.rows,
      oursMs: Math.round(read.readMs),
      oursMbPerS: rate(megabytes, read.readMs),
      peakPageMb: reading.stop(),
      limitPageMb: 300,
    };
    const fresh = await openPage(browser, url);
    const opened = await fresh.evaluate(openStored);
    yield {
      bench: 'store',
      what: 'a stored benchmark opened in a new tab, to its first query',
      documents,
      oursMs: Math.round(opened.openMs),
      limitMs: 2_000,
    };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** In the page: loads the corpus from the bench's server as a person who names an address would. */
async function load({ url, format }: { url: string; format: string }): Promise<Measured> {
  const client = new dataPage.DataClient({ baseUrl: location.href });
  const text = (name: string, content: string) => ({
    path: name,
    body: new File([content], name, { lastModified: 1 }),
  });
  const start = performance.now();
  const benchmark = await client.loadBenchmark({
    kind: 'files',
    name: 'bench',
    files: [
      { path: `corpus.${format}`, body: { url: `${url}corpus.${format}` } },
      text('queries.jsonl', '{"_id":"q","text":"x"}\n'),
      text('qrels.tsv', 'query-id\tcorpus-id\tscore\nq\td1\t1\n'),
    ],
  });
  return { loadMs: performance.now() - start, readMs: 0, openMs: 0, rows: benchmark.counts.documents };
}

/** In the page: reads every block, as the encode worker would. */
async function readBack(): Promise<Measured> {
  const store = await dataPage.openStore({ kind: 'indexeddb' });
  const client = new dataPage.DataClient({ baseUrl: location.href });
  const [benchmark] = await client.call(undefined, (api) => api.listBenchmarks());
  if (benchmark === undefined) throw new Error('nothing stored');
  const start = performance.now();
  let rows = 0;
  for await (const block of store.readBlocks(benchmark.documentsSet)) rows += block.texts.length;
  return { loadMs: 0, readMs: performance.now() - start, openMs: 0, rows };
}

/** In a new tab: from nothing to the first query's text. */
async function openStored(): Promise<Measured> {
  const start = performance.now();
  const client = new dataPage.DataClient({ baseUrl: location.href });
  const [benchmark] = await client.call(undefined, (api) => api.listBenchmarks());
  if (benchmark === undefined) throw new Error('nothing stored');
  const rows = await client.rows(benchmark.queriesSet, 0, 1);
  return { loadMs: 0, readMs: 0, openMs: performance.now() - start, rows: rows.length };
}

/** CORE-Bench's visibility at its true size: 5,061 queries that see 15,000 of 20,000 documents each. */
async function visibilitySize(url: string, quick: boolean): Promise<BenchLine> {
  const { browser, profile } = await openBrowser();
  try {
    const page = await openPage(browser, url);
    const queries = quick ? 200 : 5_061;
    const memory = watchMemory(profile);
    const bytes = await page.evaluate(async (count) => {
      const lines = (rows: Iterable<unknown>): Blob =>
        new Blob([...rows].map((row) => `${JSON.stringify(row)}\n`));
      const named = (path: string, body: Blob) => ({ path, body });
      const visible = Array.from({ length: 15_000 }, (_, i) => `chunk_${i}`);
      const query = (i: number) => ({ _id: `q${i}`, text: 'x', filtered_corpus_id: visible });
      // One Blob for each query: a single text of them all would be larger than a text may be.
      const parts = Array.from({ length: count }, (_, i) => lines([query(i)]));
      const client = new dataPage.DataClient({ baseUrl: location.href });
      const benchmark = await client.loadBenchmark({
        kind: 'files',
        name: 'visibility',
        files: [
          named(
            'corpus.jsonl',
            lines(Array.from({ length: 20_000 }, (_, i) => ({ _id: `chunk_${i}`, text: 'y' }))),
          ),
          named('queries.jsonl', new Blob(parts)),
          named(
            'qrels.jsonl',
            lines(
              Array.from({ length: count }, (_, i) => ({ qid: `q${i}`, 'corpus-id': 'chunk_1', score: 1 })),
            ),
          ),
        ],
      });
      const set = benchmark.visibilitySet;
      return set === undefined ? 0 : ((await client.call(undefined, (api) => api.manifest(set)))?.bytes ?? 0);
    }, queries);
    return {
      bench: 'store',
      what: 'visibility of 15,000 documents for each query',
      queries,
      storedMb: Number((bytes / 1e6).toFixed(1)),
      limitMb: 20,
      peakPageMb: memory.stop(),
    };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function openBrowser(): Promise<{ browser: Browser; profile: string }> {
  const profile = mkdtempSync(path.join(tmpdir(), 'assay-bench-profile-'));
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    // The folder in the command line tells this browser's processes from all others.
    args: [...CHROMIUM_FLAGS, `--crash-dumps-dir=${profile}`, ...(asRoot ? ['--no-sandbox'] : [])],
  });
  return { browser, profile };
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction('globalThis.dataPage !== undefined');
  return page;
}

/** Watches the private memory of the page's process (its workers included), in MB, until stopped. Linux only; else null. */
function watchMemory(profile: string): { stop(): number | null } {
  let peakKb = 0;
  const sample = (): void => {
    for (const pid of rendererPids(profile)) peakKb = Math.max(peakKb, privateKb(pid));
  };
  const timer = setInterval(sample, 250);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peakKb === 0 ? null : Math.round(peakKb / 1024);
    },
  };
}

/** Renderers that descend from this browser's own process, which alone has the folder in its command line. */
function rendererPids(profile: string): string[] {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const commands = new Map(all.map((pid) => [pid, textOf(`/proc/${pid}/cmdline`)]));
  const descends = (pid: string): boolean => {
    for (
      let at = pid;
      at !== '0' && at !== '';
      at = /PPid:\s+(\d+)/.exec(textOf(`/proc/${at}/status`))?.[1] ?? ''
    )
      if (commands.get(at)?.includes(profile) === true) return true;
    return false;
  };
  return all.filter((pid) => commands.get(pid)?.includes('--type=renderer') === true && descends(pid));
}

function privateKb(pid: string): number {
  return Number(/RssAnon:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** A process may end between being listed and being read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function plainLines(file: string): Promise<number> {
  const start = performance.now();
  let bytes = 0;
  for await (const line of createInterface({ input: createReadStream(file) }))
    bytes += (JSON.parse(line) as { text: string }).text.length;
  if (bytes === 0) throw new Error('nothing read');
  return performance.now() - start;
}

async function plainParquet(file: string): Promise<number> {
  const { parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const blob = await openAsBlob(file);
  const buffer = {
    byteLength: blob.size,
    slice: (from: number, to?: number) => blob.slice(from, to).arrayBuffer(),
  };
  const start = performance.now();
  const metadata = await parquetMetadataAsync(buffer);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    await parquetRead({ file: buffer, metadata, compressors, rowStart, rowEnd, onComplete: () => undefined });
    rowStart = rowEnd;
  }
  return performance.now() - start;
}

/** Words of noise: neither constant nor incompressible, as code is. */
function textOfRow(row: number): string {
  const seed = createHash('sha256').update(String(row)).digest('hex');
  return `def f_${row}(x):\n    ${seed} `
    .repeat(Math.ceil(TEXT_BYTES / (seed.length + 20)))
    .slice(0, TEXT_BYTES);
}

async function writeJsonLines(file: string, documents: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let row = 0; row < documents; row++) {
    if (!stream.write(`${JSON.stringify({ _id: `d${row}`, text: textOfRow(row) })}\n`))
      await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => stream.end(resolve));
}

async function writeParquet(file: string, documents: number): Promise<void> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const columns = (from: number, to: number) => {
    const rows = Array.from({ length: to - from }, (_, i) => from + i);
    return [
      { name: '_id', data: rows.map((row) => `d${row}`) },
      { name: 'text', data: rows.map(textOfRow) },
    ];
  };
  const schema = schemaFromColumnData({ columnData: columns(0, 1) });
  const writer = new ParquetWriter({ writer: fileWriter(file), schema });
  for (let from = 0; from < documents; from += ROW_GROUP)
    await writer.write({
      columnData: columns(from, Math.min(from + ROW_GROUP, documents)),
      rowGroupSize: ROW_GROUP,
    });
  await writer.finish();
}

function sendFile(folder: string, request: IncomingMessage, response: ServerResponse): boolean {
  const name = /^\/(corpus\.(?:jsonl|parquet))$/.exec(request.url ?? '')?.[1];
  if (name === undefined) return false;
  const file = path.join(folder, name);
  const { size, mtimeMs } = statSync(file);
  response.setHeader('ETag', `"${size}-${mtimeMs}"`);
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const from = Number(range?.[1] ?? 0);
  const end = range?.[2] ? Number(range[2]) : size - 1;
  response.setHeader('Content-Length', String(end - from + 1));
  if (range !== null) response.setHeader('Content-Range', `bytes ${from}-${end}/${size}`);
  response.writeHead(range === null ? 200 : 206);
  if (request.method === 'HEAD') response.end();
  else createReadStream(file, { start: from, end }).pipe(response);
  return true;
}

function rate(megabytes: number, ms: number): number {
  return Number(((megabytes / ms) * 1000).toFixed(1));
}
