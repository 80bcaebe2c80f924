import { spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import { projectRoot } from '../../cli/project-root.ts';
import type { Bench, BenchLine } from './bench.ts';
import type { OurResult, PageOperations } from './encode/page.ts';

const PIPELINE_BATCH = 32;
const BATCH_TOKENS = 512;

/** Texts a second of the bundled model on WASM beside transformers.js' pipeline, the bare model call and native onnxruntime. */
export const encode: Bench = {
  name: 'encode',
  about:
    'texts a second of the bundled model on WASM, beside the pipeline, the bare call and native onnxruntime',
  async *run({ quick, python }) {
    const { texts, name } = sampleTexts(quick ? 64 : 256);
    const { page, close } = await openPage();
    try {
      const call = caller(page);
      const line = (fields: BenchLine): BenchLine => ({
        bench: 'encode',
        data: name,
        texts: texts.length,
        ...fields,
      });
      await call('open', undefined);
      // The lanes that come later have joined by then.
      await call('ours', texts.slice(0, 16));
      const ours = await call('ours', texts);
      await call('close', undefined);
      const threads = availableParallelism();
      const pipeline = await call('peer', { kind: 'pipeline', texts, threads, batch: PIPELINE_BATCH });
      yield line({
        what: 'texts a second',
        ours: perSecond(texts.length, ours.ms),
        lanes: ours.lanes,
        threads: ours.threads,
        peer: `transformers.js feature-extraction pipeline, batch ${PIPELINE_BATCH}, ${threads} threads`,
        theirs: perSecond(texts.length, pipeline.ms),
        ratio: round(pipeline.ms / ours.ms),
        firstVectorCosine: round(cosine(ours.head, pipeline.head), 6),
      });
      yield line({
        what: 'padding as a share of computed tokens',
        ours: round(ours.paddingShare, 4),
        theirs: round(1 - ours.tokens / pipeline.computedTokens, 4),
        truncatedTexts: ours.truncated,
      });
      await call('open', 1);
      await call('ours', texts.slice(0, 16));
      const alone = await call('ours', texts);
      await call('close', undefined);
      const bare = await call('peer', { kind: 'bare', texts, threads: 1, batch: BATCH_TOKENS });
      yield line({
        what: 'tokens a second, one lane of one thread',
        ours: perSecond(alone.tokens, alone.ms),
        peer: 'the bare model call on the same padded tokens, one thread',
        theirs: perSecond(alone.tokens, bare.ms),
        ratio: round(bare.ms / alone.ms),
      });
      yield* native(python, texts, ours, alone, line);
    } finally {
      await close();
    }
  },
};

async function* native(
  python: string | undefined,
  texts: readonly string[],
  ours: OurResult,
  alone: OurResult,
  line: (fields: BenchLine) => BenchLine,
): AsyncGenerator<BenchLine> {
  if (python === undefined) {
    yield line({
      what: 'native onnxruntime',
      skipped: 'no --python with onnxruntime and tokenizers was given',
    });
    return;
  }
  for (const [threads, result] of [
    [1, alone],
    [ours.threads, ours],
  ] as const) {
    const peer = await runPython(python, texts, threads);
    yield line({
      what: `tokens a second, ${threads} threads`,
      ours: perSecond(result.tokens, result.ms),
      peer: `onnxruntime ${peer.version} for Python, ${threads} threads`,
      theirs: perSecond(peer.tokens, peer.ms),
      ratio: round(peer.ms / result.ms),
    });
  }
}

/** CoSQA's codes where the shared data is there, else the documents of the bundled benchmark: mixed lengths, evenly picked. */
function sampleTexts(count: number): { texts: string[]; name: string } {
  const cosqa = path.join(projectRoot, '..', 'shared', 'data', 'cosqa_code_idx_map.txt');
  const bundled = path.join(projectRoot, 'public', 'benchmarks', 'exec-mini', 'data', 'corpus.jsonl');
  const all = existsSync(cosqa)
    ? Object.keys(JSON.parse(readFileSync(cosqa, 'utf8')) as Record<string, number>)
    : readFileSync(bundled, 'utf8')
        .trim()
        .split('\n')
        .map((row) => (JSON.parse(row) as { code: string }).code);
  const step = Math.max(1, Math.floor(all.length / count));
  const texts = all.filter((_, i) => i % step === 0).slice(0, count);
  return { texts, name: existsSync(cosqa) ? 'CoSQA codes' : 'exec-mini documents' };
}

type Call = <K extends keyof PageOperations>(
  operation: K,
  argument: Parameters<PageOperations[K]>[0],
) => Promise<Awaited<ReturnType<PageOperations[K]>>>;

function caller(page: Page): Call {
  return (operation, argument) =>
    page.evaluate(
      ([name, data]) =>
        (globalThis as unknown as { operations: Record<string, (data: unknown) => unknown> }).operations[
          name as string
        ]?.(data),
      [operation, argument] as const,
    ) as never;
}

/** Builds the benchmark's page, serves it isolated, opens it in Chromium. */
async function openPage(): Promise<{ page: Page; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-encode-'));
  await build({
    configFile: false,
    root: path.join(projectRoot, 'tests', 'bench', 'encode'),
    base: './',
    publicDir: path.join(projectRoot, 'public'),
    logLevel: 'error',
    resolve: { conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'production'] },
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  });
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.json': 'application/json',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(folder, path.normalize(pathname === '/' ? '/index.html' : pathname));
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream');
    response.setHeader('Content-Length', statSync(file).size);
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...CHROMIUM_FLAGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'operations' in globalThis);
  return {
    page,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runPython(
  python: string,
  texts: readonly string[],
  threads: number,
): Promise<{ ms: number; tokens: number; version: string }> {
  const script = path.join(projectRoot, 'tests', 'bench', 'encode', 'peer.py');
  const model = path.join(projectRoot, 'public', 'models', 'all-MiniLM-L6-v2');
  const child = spawn(python, [script, model, String(threads), String(BATCH_TOKENS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(texts));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(output) as { ms: number; tokens: number; version: string })
        : reject(new Error(`${python} ended with status ${code}`)),
    );
  });
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const perSecond = (count: number, ms: number): number => round((1000 * count) / ms, 1);

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
