import * as v from 'valibot';
import type { RunRequest } from '../run/run-state.ts';
import { requestSchema } from './run-summaries.ts';

/** localStorage answers before any worker has started, so a page that was closed in mid-run goes on at once. */
const KEY = 'assay:running';

/** Notes that a run goes on in this browser. */
export function rememberRun(request: RunRequest): void {
  withStorage((storage) => storage.setItem(KEY, JSON.stringify(request)));
}

/** The run that a closed or crashed page left; undefined when the last one ended, was paused or given up. */
export function interruptedRun(): RunRequest | undefined {
  const text = withStorage((storage) => storage.getItem(KEY));
  if (typeof text !== 'string') return undefined;
  try {
    const parsed = v.safeParse(requestSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Not JSON: nothing that this page wrote.
    return undefined;
  }
}

/** The run has ended, is paused or was given up: the next page does not go on by itself. */
export function forgetInterruptedRun(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

/** Storage is refused in some private windows: then nothing is remembered. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
