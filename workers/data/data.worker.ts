import { expose, transfer } from 'comlink';
import { installTransferHandlers } from '../../src/contracts/calls.ts';
import type { StorePlace } from '../../src/contracts/blocks.ts';
import { DataService } from './data.ts';

/** A place with a port has to be transferred: ports cannot be copied. */
class ExposedDataService extends DataService {
  override async place(holder: string): Promise<StorePlace> {
    const place = await super.place(holder);
    return place.kind === 'memory' ? transfer(place, [place.port]) : place;
  }
}

installTransferHandlers();
expose(new ExposedDataService());
