import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPage, type OpenedPage } from './browser.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Serious and critical violations on the page as it stands, in words. */
async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: Document): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run(document)).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** Presses Tab until the element in focus has this name, and fails after `limit` presses. */
async function tabTo(page: Page, name: string | RegExp, limit = 60): Promise<void> {
  for (let presses = 0; presses < limit; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? '',
    );
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`${limit} presses of Tab never reached ${String(name)}`);
}

describe('the page', () => {
  let opened: OpenedPage;
  let page: Page;
  /** Address of the result that the run made. */
  let resultHash = '';
  /** Its receipt. */
  let payload = '';
  const resultId = (): string => /id=([0-9a-f]{64})/.exec(resultHash)?.[1] ?? '';

  beforeAll(async () => {
    opened = await openPage({ address: `${inject('appUrl')}#/evaluate?queries=2&device=wasm` });
    ({ page } = opened);
  });

  afterAll(async () => {
    await opened.context.close();
  });

  it('runs an evaluation by keyboard alone, down to a candidate that is run again', async () => {
    await page.getByRole('heading', { name: 'Evaluate code retrieval' }).waitFor();
    await tabTo(page, 'Run');
    await page.keyboard.press('Enter');
    await page.getByText(/complete, started/).waitFor({ timeout: 110_000 });

    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'Open the result');
    await page.keyboard.press('Enter');
    await page.getByText(/^exec@1 = \d\.\d{3}, 95 % interval .* 2 queries/).waitFor();
    resultHash = new URL(page.url()).hash;
    expect(resultHash).toMatch(/^#\/result\?id=[0-9a-f]{64}$/);

    // A metric's cell opens its definition.
    await tabTo(page, /^exec@1:/);
    await page.keyboard.press('Enter');
    await page.getByText('1 when the top k hold a document that passes every test, else 0.').waitFor();

    await tabTo(page, /^q_/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^q_/ }).waitFor();
    expect(new URL(page.url()).hash).toContain('query=q_');
    await tabTo(page, 'Run it again here');
    await page.locator('.cm-content').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/in \d+ ms, as recorded/).waitFor({ timeout: 60_000 });

    await page.goBack();
    await page.getByRole('heading', { name: 'Slices' }).waitFor();
    expect(opened.problems).toEqual([]);
    expect(opened.foreignRequests).toEqual([]);
  });

  it('shows in the address what it shows, so that a reload shows the same', async () => {
    await page.goto(
      `${inject('appUrl')}${resultHash}&filter=rank%3E0%20text:a&sort=-margin&metric=exec%401&future=kept`,
    );
    await page.getByRole('searchbox', { name: 'Filter' }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe('rank>0 text:a');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('rank>two');
    await page.getByText('“rank” takes a number, and “two” is none.').waitFor();
    const { hash } = new URL(page.url());
    expect(hash).toContain('future=kept');
    expect(hash).toContain('sort=-margin');
    await page.reload();
    await page.getByText('“rank” takes a number, and “two” is none.').waitFor();
    expect(new URL(page.url()).hash).toBe(hash);
  });

  it('opens the receipt of a result as a claim, never as verified', async () => {
    await page.evaluate(() => {
      // What the copy button writes is read back here: headless Chromium grants no clipboard.
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text: string) => void (document.body.dataset['copied'] = text) },
      });
    });
    await page.getByRole('button', { name: 'link', exact: true }).click();
    const link = await page.evaluate(() => document.body.dataset['copied'] ?? '');
    expect(link).toContain('#/result?benchmark=exec-mini');
    payload = /[?&]r=([^&]+)/.exec(link)?.[1] ?? '';
    await page.goto(link);
    await page.getByText(/Claimed by a link\. All 16 metrics were computed again/).waitFor();
    expect(await page.getByText('verified').count()).toBe(0);

    await page.goto(link.slice(0, -7));
    await page.getByRole('heading', { name: 'This result cannot be opened' }).waitFor();
    expect(await page.getByText(/incomplete|cut|altered|damaged/).count()).toBeGreaterThan(0);
    expect(await page.getByText(/exec@1 = /).count()).toBe(0);
  });

  it('compares a result with the receipt of itself, and says when pasted text holds no link', async () => {
    await page.goto(`${inject('appUrl')}#/compare?id=${resultId()}&r=${payload}`);
    await page.getByText(/solves 0 queries that .* p = 1\.0; no difference beyond chance/).waitFor();
    await page.getByText('No query differs on this metric.').waitFor();
    await page.getByLabel('Paste result links').fill('no link at all');
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await page.getByText('No result link was found in the text.').waitFor();
    await page
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click();
    await page.getByText('Add at least one more on the same benchmark.').waitFor();
    await page.goBack();
    await page.getByText(/no difference beyond chance/).waitFor();
  });

  const views = (): readonly (readonly [name: string, hash: string])[] => [
    ['evaluate', '#/evaluate'],
    ['results', '#/results'],
    ['result', `${resultHash}&metric=exec%401`],
    ['query', `${resultHash}&query=q_0001`],
    ['no such result', '#/result?id=none'],
    ['compare', `#/compare?id=${resultId()}&r=${payload}`],
    ['load', '#/load'],
    ['storage', '#/storage'],
    ['unknown view', '#/nowhere'],
  ];

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('has no serious accessibility violation in any view, %s, %i px', async (colorScheme, width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const [name, hash] of views()) {
      await page.goto(`${inject('appUrl')}${hash}`);
      await page.locator('main h1').waitFor();
      if (name === 'query') await page.locator('.cm-content').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(colorScheme);
      expect(await seriousViolations(page), `${name}, ${colorScheme}, ${width} px`).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${name} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0);
    }
  });

  it('lists what it keeps and deletes a benchmark when told twice', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${inject('appUrl')}#/storage`);
    const row = page.getByRole('row', { name: /exec-mini, first 2 queries/ });
    await row.waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await row.getByRole('button', { name: /^Yes, delete/ }).click();
    await page.getByText(/^Deleted /).waitFor();
    expect(await row.count()).toBe(0);

    // The result stays; its texts are said to be gone.
    await page.goto(`${inject('appUrl')}${resultHash}`);
    await page.getByText(/^exec@1 = /).waitFor();
  });
});
