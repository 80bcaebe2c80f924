import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import { serveApp, type AppServer } from '../../cli/serve/app-server.ts';
import { finishedRun, startRun } from './run-in-page.ts';

/** Tests of what survives a closed page need a profile on the disk, so a browser of their own. */
async function openProfile(folder: string): Promise<BrowserContext> {
  const asRoot = process.getuid?.() === 0;
  return chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    headless: true,
    args: [...CHROMIUM_FLAGS, ...(asRoot ? ['--no-sandbox'] : [])],
  });
}

describe('what a page keeps', () => {
  let profile = '';
  let server: AppServer;
  let address = '';
  let undisturbed: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    profile = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
    server = await serveApp({ port: 0 });
    address = `http://localhost:${server.port}/`;
  });

  afterAll(async () => {
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  });

  it('a run whose page was closed goes on by itself and ends with the digests of an undisturbed one', async () => {
    const first = await openProfile(profile);
    const page = await first.newPage();
    await page.goto(address);
    await startRun(page, { queries: 2, device: 'wasm' });
    // Wait until texts are being encoded, then end the browser without a word.
    await page
      .getByText(/encode documents/)
      .first()
      .waitFor();
    await expect
      .poll(() => page.locator('main').innerText(), { timeout: 30_000 })
      .toMatch(/encode documents[\s\S]*texts/);
    await first.close();

    const second = await openProfile(profile);
    const again = await second.newPage();
    await again.goto(address);
    const resumed = await finishedRun(again);
    await second.close();

    const freshProfile = mkdtempSync(path.join(tmpdir(), 'assay-profile-'));
    const fresh = await openProfile(freshProfile);
    const calm = await fresh.newPage();
    await calm.goto(address);
    await startRun(calm, { queries: 2, device: 'wasm' });
    undisturbed = (await finishedRun(calm)).digests;
    await fresh.close();
    rmSync(freshProfile, { recursive: true, force: true });
    expect(resumed.digests).toEqual(undisturbed);
  });

  it('a second run completes with the app’s own host gone', async () => {
    const context = await openProfile(profile);
    const page = await context.newPage();
    await page.goto(address);
    await startRun(page, { queries: 2, device: 'wasm', seed: 5 });
    await finishedRun(page);
    // The service worker keeps the app's files in the background once a run has started.
    const kept = () =>
      page.evaluate(async () => {
        const listed = (await (await fetch('app-files.json')).json()) as string[];
        const cache = await caches.open('assay-app');
        const missing = [];
        for (const name of listed)
          if ((await cache.match(new URL(name, document.baseURI).href)) === undefined) missing.push(name);
        return missing;
      });
    await expect.poll(kept, { timeout: 30_000 }).toEqual([]);
    await server.close();
    await page.close();

    const offline = await context.newPage();
    await offline.goto(address);
    await startRun(offline, { queries: 2, device: 'wasm', seed: 6 });
    const record = await finishedRun(offline);
    expect(record.digests).toEqual(undisturbed);
    await context.close();
  });
});
