import { MODELS } from '../models/index.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import type { PageServices } from './page-services.ts';

/** What the page works with in a browser. Everything heavy is loaded by the call that needs it. */
export const browserServices: PageServices = {
  benchmarks: [],
  models: MODELS,
  protocols: PROTOCOLS,
  listKept: async () => [],
  startRun: () => Promise.reject(new Error('runs are not connected yet')),
  prefetchRun: () => undefined,
  listRuns: async () => [],
  listStored: async () => [],
  removeStored: async () => undefined,
  removeAll: async () => undefined,
  storageEstimate: async () => ({ persisted: false }),
  persistStorage: async () => false,
};
