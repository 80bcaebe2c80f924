import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';

let connection: Promise<Browser> | undefined;

/** The browser that all files share. */
export function sharedBrowser(): Promise<Browser> {
  connection ??= chromium.connect(inject('browserEndpoint'));
  return connection;
}

afterAll(async () => {
  await (await connection)?.close();
  connection = undefined;
});

/** A page in a fresh profile, with what it logged as an error. Close the context when done. */
export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught errors and console errors so far. */
  readonly problems: string[];
  /** Addresses that the page asked for, other than the app's own. */
  readonly foreignRequests: string[];
}

/** Opens the built app (or another address) in a fresh profile. */
export async function openPage(
  options: { address?: string; width?: number; height?: number; dark?: boolean } = {},
): Promise<OpenedPage> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark === true ? 'dark' : 'light',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const foreignRequests: string[] = [];
  const address = options.address ?? inject('appUrl');
  const { origin } = new URL(address);
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreignRequests.push(url);
  });
  await page.goto(address);
  return { context, page, problems, foreignRequests };
}
