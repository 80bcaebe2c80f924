import { expose } from 'comlink';
import { crossingPlace, installTransferHandlers } from '../../src/contracts/calls.ts';
import type { StorePlace } from '../../src/contracts/blocks.ts';
import { DataService } from './data.ts';

/** The service as other threads call it. */
class ExposedDataService extends DataService {
  override async place(holder: string): Promise<StorePlace> {
    return crossingPlace(await super.place(holder));
  }
}

installTransferHandlers();
expose(new ExposedDataService());
