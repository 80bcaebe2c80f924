import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../../cli/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from '../../cli/browser/page-session.ts';
import { serveApp } from '../../cli/serve/app-server.ts';
import { buildWhenStale } from '../../scripts/prepare.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the one Chromium that all files share. */
    browserEndpoint: string;
    /** Address of the built app, served with its headers. */
    appUrl: string;
  }
}

/** Builds when stale, then starts one browser and one server for all browser tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildWhenStale();
  const app = await serveApp({ port: 0 });
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launchServer({
    executablePath: findChromium(),
    headless: true,
    args: [
      ...CHROMIUM_FLAGS,
      // A name that is no secure origin, for the tests of plain http.
      '--host-resolver-rules=MAP plain.test 127.0.0.1',
      ...(asRoot ? ['--no-sandbox'] : []),
    ],
  });
  project.provide('browserEndpoint', browser.wsEndpoint());
  project.provide('appUrl', `http://localhost:${app.port}/`);
  return async () => {
    await browser.close();
    await app.close();
  };
}
