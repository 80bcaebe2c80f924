import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredBenchmark } from '../../src/contracts/data.ts';
import type { DataPage } from '../data-page/page.ts';
import { serveDataPage, type ServedDataPage } from '../data-page/serve.ts';
import { sharedBrowser } from './browser.ts';

declare const dataPage: DataPage;

let served: ServedDataPage;
let context: BrowserContext;

beforeAll(async () => {
  served = await serveDataPage();
}, 120_000);
afterAll(() => served.close());
beforeEach(async () => {
  context = await (await sharedBrowser()).newContext();
});
afterEach(() => context.close());

async function openTab(script?: string): Promise<Page> {
  const page = await context.newPage();
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(served.url);
  await page.waitForFunction('globalThis.dataPage !== undefined');
  return page;
}

interface Loaded {
  readonly benchmark?: StoredBenchmark;
  readonly code?: string;
  readonly message?: string;
  readonly stored: readonly { kind: string; complete: boolean }[];
  readonly notice?: string;
}

/** Loads a folder of this many documents of 1 KB of noise in the page, as a person who drops it would. */
function loadFolder(page: Page, documents: number, abortAfterMs?: number): Promise<Loaded> {
  return page.evaluate(
    async ({ documents, abortAfterMs }) => {
      let state = 1;
      const noise = (): string => {
        let text = '';
        while (text.length < 1000) {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          text += state.toString(36);
        }
        return text;
      };
      const rows = Array.from(
        { length: documents },
        (_, i) => `${JSON.stringify({ _id: `d${i}`, text: noise() })}\n`,
      );
      const file = (name: string, text: string): { path: string; body: File } => ({
        path: name,
        body: new File([text], name, { lastModified: 1 }),
      });
      const files = [
        file('corpus.jsonl', rows.join('')),
        file('queries.jsonl', '{"_id":"q","text":"x"}\n'),
        file('qrels.tsv', 'query-id\tcorpus-id\tscore\nq\td1\t1\n'),
      ];
      const client = new dataPage.DataClient({ baseUrl: location.href });
      const abort = new AbortController();
      if (abortAfterMs !== undefined) setTimeout(() => abort.abort(), abortAfterMs);
      const result = await client
        .loadBenchmark({ kind: 'files', name: 'dropped', files }, { signal: abort.signal })
        .then(
          (benchmark) => ({ benchmark }),
          (error: unknown) => ({ code: (error as { code: string }).code, message: (error as Error).message }),
        );
      const stored = await client.call(undefined, (api) => api.listStored());
      const { notice } = await client.opened();
      return { ...result, stored, ...(notice === undefined ? {} : { notice }) };
    },
    { documents, ...(abortAfterMs === undefined ? {} : { abortAfterMs }) },
  );
}

describe('the data worker in a browser', () => {
  it('says what to do when the disk is full, stores nothing as complete, and goes on when there is room', async () => {
    const page = await openTab();
    const cdp = await context.newCDPSession(page);
    const { origin } = new URL(served.url);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5e6 });
    const full = await loadFolder(page, 20_000);
    expect(full.code).toBe('disk-full');
    expect(full.message).toMatch(/no room.*MB used of .* MB allowed.*it goes on where it stopped/);
    expect(full.stored.every((item) => !item.complete)).toBe(true);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1e9 });
    const done = await loadFolder(page, 20_000);
    expect(done.benchmark?.counts.documents).toBe(20_000);
    expect(done.stored.map((item) => item.kind)).toEqual(['benchmark']);
  });

  it('goes on where a closed tab stopped', async () => {
    const first = await openTab();
    const cancelled = await loadFolder(first, 30_000, 400);
    expect(cancelled.code ?? 'done').toMatch(/aborted|done/);
    await first.close();
    const second = await openTab();
    const done = await loadFolder(second, 30_000);
    const other = await (await sharedBrowser()).newContext();
    const fresh = await other.newPage();
    await fresh.goto(served.url);
    const undisturbed = await loadFolder(fresh, 30_000);
    await other.close();
    expect(done.benchmark?.digest).toBe(undisturbed.benchmark?.digest);
  });

  it('loads once when two tabs want the same', async () => {
    const [one, two] = await Promise.all([openTab(), openTab()]);
    const [first, second] = await Promise.all([loadFolder(one, 10_000), loadFolder(two, 10_000)]);
    expect(second.benchmark).toEqual(first.benchmark);
    expect(second.stored.map((item) => item.kind)).toEqual(['benchmark']);
    // The waiting tab goes on when the other one is closed in the middle.
    const started = loadFolder(one, 40_000).catch(() => undefined);
    const waiting = loadFolder(two, 40_000);
    await one.waitForTimeout(150);
    await one.close();
    await started;
    expect((await waiting).benchmark?.counts.documents).toBe(40_000);
  });

  it('keeps data in memory, and says so, where the browser refuses its database', async () => {
    const page = await context.newPage();
    // Init scripts do not reach workers: the worker's script is served with the refusal in front of it.
    await page.route('**/assets/data.worker-*.js', async (route) => {
      const response = await route.fetch();
      const refusal =
        "IDBFactory.prototype.open = () => { throw new DOMException('A mutation operation was attempted on a database that did not allow mutations.', 'InvalidStateError'); };";
      await route.fulfill({ response, body: `${refusal}\n${await response.text()}` });
    });
    await page.goto(served.url);
    await page.waitForFunction('globalThis.dataPage !== undefined');
    const loaded = await loadFolder(page, 500);
    expect(loaded.benchmark?.counts.documents).toBe(500);
    expect(loaded.notice).toMatch(/refuses to open its database.*gone when this page is closed/);
    // Another worker reaches the same store through a port; here the page stands in for it.
    const ids = await page.evaluate(async (key) => {
      const client = new dataPage.DataClient({ baseUrl: location.href });
      const place = await client.place('search');
      const store = await dataPage.openStore(place);
      return {
        kind: place.kind,
        missing: (await store.manifest(key as `documents:${string}`)) === undefined,
      };
    }, loaded.benchmark?.documentsSet ?? '');
    expect(ids).toEqual({ kind: 'memory', missing: true });
  });

  it('offers to load again after the browser threw the database away', async () => {
    const page = await openTab();
    const before = await loadFolder(page, 500);
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.deleteDatabase('assay');
          request.onsuccess = () => resolve();
          request.onerror = () => reject(new Error('not deleted'));
        }),
    );
    const after = await loadFolder(page, 500);
    expect(after.benchmark).toEqual(before.benchmark);
  });
});
