import type { Page } from 'playwright-core';

/** What the page stored of a finished run. */
export interface FinishedRecord {
  readonly id: string;
  readonly device: { readonly backend: string; readonly threads: number };
  readonly digests: Readonly<Record<string, string>>;
  readonly numerics: {
    readonly verdict: string;
    readonly probes: number;
    readonly deviceError?: { readonly largestMarginChange: number };
  };
  readonly report: {
    readonly cells: readonly { readonly measure: string; readonly k: number; readonly value: number }[];
    readonly perQuery: readonly {
      readonly queryId: string;
      readonly strip: readonly {
        readonly documentId: string;
        readonly score: number;
        readonly verdict: string;
      }[];
    }[];
  };
}

/** Opens Evaluate with these choices in the address and presses Run. */
export async function startRun(
  page: Page,
  choices: Readonly<Record<string, string | number>>,
): Promise<void> {
  const query = Object.entries(choices).map(([name, value]) => `${name}=${value}`);
  await page.evaluate((hash) => (location.hash = hash), `#/evaluate?${query.join('&')}`);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.waitFor();
  await run.click();
}

/** Waits for the run at work to end, opens its result and returns the record behind it. Fails with the page's own words. */
export async function finishedRun(page: Page, timeoutMs = 110_000): Promise<FinishedRecord> {
  const open = page.getByText('Open the result');
  const failed = page.getByText(/^failed|The run could not start|failed: /).first();
  await open.or(failed).first().waitFor({ timeout: timeoutMs });
  if (!(await open.isVisible())) throw new Error(`The run failed: ${await page.locator('main').innerText()}`);
  await open.click();
  await page.getByRole('button', { name: 'Download record.json' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download record.json' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as FinishedRecord;
}
