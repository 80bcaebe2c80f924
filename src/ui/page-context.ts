import { createContext } from 'svelte';
import type { CurrentRun } from './current-run.svelte.ts';
import type { PageServices } from './page-services.ts';

/** What every view can reach without having it handed down. */
export interface PageContext {
  readonly services: PageServices;
  readonly run: CurrentRun;
}

/** Set once by the app, read by views. */
export const [getPage, setPage] = createContext<PageContext>();
