import { describe, expect, inject, it } from 'vitest';
import { openPage } from './browser.ts';
import { finishedRun, startRun, type FinishedRecord } from './run-in-page.ts';

/** A query's margins that are larger than twice the error may not change their order from one device to another. */
const SAFE_MARGIN = 2e-6;

describe('an evaluation in the built page', () => {
  let onWasm: FinishedRecord | undefined;

  it('runs on WASM with threads, asks nobody but its own host, and shows its result', async () => {
    const { context, page, problems, foreignRequests } = await openPage();
    await startRun(page, { queries: 1, device: 'wasm' });
    onWasm = await finishedRun(page);
    expect(onWasm.device).toMatchObject({ backend: 'wasm' });
    expect(onWasm.device.threads).toBeGreaterThan(1);
    expect(onWasm.numerics).toMatchObject({ verdict: 'right', probes: 64 });
    const [query] = onWasm.report.perQuery;
    expect(query?.strip.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
    await expect.poll(() => page.locator('main').innerText()).toContain('exec@1 =');
    expect(foreignRequests).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('runs on WebGPU and ranks as on WASM wherever margins exceed the error', async () => {
    const { context, page, problems } = await openPage();
    await startRun(page, { queries: 1, device: 'webgpu' });
    const onWebgpu = await finishedRun(page, 170_000);
    expect(onWebgpu.device.backend).toBe('webgpu');
    expect(onWebgpu.numerics.verdict).toBe('right');
    expect(problems).toEqual([]);
    onWebgpu.report.perQuery.forEach(({ strip }, i) => {
      const other = onWasm?.report.perQuery[i]?.strip ?? [];
      expect(strip).toHaveLength(other.length);
      strip.forEach(({ documentId, score }, r) => {
        expect(
          Math.abs(score - (other.find((cell) => cell.documentId === documentId)?.score ?? Number.NaN)),
        ).toBeLessThan(SAFE_MARGIN);
        const margin = Math.min(
          ...[strip[r - 1], strip[r + 1]].map((next) =>
            next === undefined ? Infinity : Math.abs(next.score - score),
          ),
        );
        if (margin > SAFE_MARGIN) expect(documentId).toBe(other[r]?.documentId);
      });
    });
    await context.close();
  }, 180_000);

  it('is served with the policy and the isolation on every response', async () => {
    const { context, page } = await openPage();
    const appUrl = inject('appUrl');
    const files = (await (await page.request.get(`${appUrl}app-files.json`)).json()) as string[];
    for (const name of [
      '',
      'offline.js',
      files.find((file) => /encode\.worker.*\.js$/.test(file)) ?? 'missing',
    ]) {
      const headers = (await page.request.get(appUrl + name)).headers();
      expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['content-security-policy']).toMatch(
        /default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+'; worker-src 'self' blob:/,
      );
      expect(headers['content-security-policy']).toContain(
        "frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
      );
    }
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    // A script from elsewhere is refused by the page itself, whatever the server's headers.
    expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').count()).toBe(1);
    await context.close();
  });
});
