import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import { serveApp } from '../../cli/serve/app-server.ts';
import { median, type Bench } from './bench.ts';

const ROUNDS = 7;
const BARE_PAGE =
  '<!doctype html><html lang="en"><title>bare</title><body><button>Run</button></body></html>';

/** How soon the page can be used: script before a run, and time until the Run button answers, beside a bare page of the same server. */
export const start: Bench = {
  name: 'start',
  about: 'script needed before a run, and time to interactive beside a bare page',
  async *run({ quick }) {
    const server = await serveApp({
      port: 0,
      intercept: (request, response) => {
        if (request.url !== '/bare.html') return false;
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(BARE_PAGE);
        return true;
      },
    });
    const asRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [...CHROMIUM_FLAGS, ...(asRoot ? ['--no-sandbox'] : [])],
    });
    const base = `http://localhost:${server.port}/`;
    try {
      const script = await scriptBeforeRun(browser, base);
      yield {
        bench: 'start',
        what: 'script before a run, gzipped',
        files: script.files,
        bytes: script.bytes,
        limitBytes: 200_000,
      };
      const ours: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
        ours.push(await timeToInteractive(browser, base));
        bare.push(await timeToInteractive(browser, `${base}bare.html`));
      }
      yield {
        bench: 'start',
        what: 'time to interactive, fresh profile',
        rounds: ours.length,
        oursMs: Math.round(median(ours)),
        oursMinMs: Math.round(Math.min(...ours)),
        oursMaxMs: Math.round(Math.max(...ours)),
        peer: 'bare page of the same server',
        peerMs: Math.round(median(bare)),
        ratio: Number((median(ours) / median(bare)).toFixed(2)),
      };
    } finally {
      await browser.close();
      await server.close();
    }
  },
};

/** All scripts that arrive until the page is idle with its Run button enabled, gzipped one by one. */
async function scriptBeforeRun(browser: Browser, address: string): Promise<{ files: number; bytes: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (/\.js(\?|$)/.test(response.url()) && !response.url().endsWith('/offline.js'))
      bodies.push(response.body());
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.locator('button:enabled', { hasText: /^Run/ }).first().waitFor();
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await context.close();
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Milliseconds from the start of the navigation to the first frame in which a Run button can be pressed. */
async function timeToInteractive(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = (): void => {
      const ready = [...document.querySelectorAll('button:enabled')].some((button) =>
        button.textContent?.trim().startsWith('Run'),
      );
      if (ready) (globalThis as { interactiveAt?: number }).interactiveAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(address);
  const handle = await page.waitForFunction(() => (globalThis as { interactiveAt?: number }).interactiveAt);
  const time = (await handle.jsonValue()) as number;
  await context.close();
  return time;
}
