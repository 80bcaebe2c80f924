import { DataClient } from '../../src/clients/data.ts';
import { openStore } from '../../src/store/open-store.ts';

/** What tests and benchmarks of the data plane use in a real browser: the client as the app has it, and the store. */
export interface DataPage {
  readonly DataClient: typeof DataClient;
  readonly openStore: typeof openStore;
}

(globalThis as unknown as { dataPage: DataPage }).dataPage = { DataClient, openStore };
