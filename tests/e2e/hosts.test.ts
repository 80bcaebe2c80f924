import { describe, expect, it } from 'vitest';
import { openPage } from './browser.ts';
import { finishedRun, startRun } from './run-in-page.ts';
import { staticHost } from './static-host.ts';

const cases = [
  { name: 'a bare server without headers, under a sub-path', options: { basePath: '/a/b/' } },
  { name: 'a server that knows no .wasm', options: { knowsWasm: false } },
] as const;

describe('static hosts', () => {
  for (const { name, options } of cases) {
    it(`${name}: a run completes, and the page says that it is not isolated`, async () => {
      const host = await staticHost(options);
      const { context, page, problems, foreignRequests } = await openPage({ address: host.url });
      await expect.poll(() => page.locator('main').innerText()).toMatch(/not isolated|isolation|one thread/i);
      await startRun(page, { queries: 1, device: 'wasm' });
      const record = await finishedRun(page);
      expect(record.device.backend).toBe('wasm');
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      expect(record.numerics.verdict).toBe('right');
      expect(foreignRequests).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
      await host.close();
    });
  }

  it('plain http: one sentence says what is missing, and the run stays in memory', async () => {
    const host = await staticHost();
    const { context, page, problems } = await openPage({ address: `http://plain.test:${host.port}/` });
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await expect.poll(() => page.locator('main').innerText()).toMatch(/plain http|not secure|https/i);
    await startRun(page, { queries: 1, device: 'wasm' });
    const record = await finishedRun(page);
    expect(record.numerics.verdict).toBe('right');
    expect(problems).toEqual([]);
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(
      [],
    );
    await context.close();
    await host.close();
  });
});
