import { expose, transfer } from 'comlink';
import { installTransferHandlers } from '../../src/contracts/calls.ts';
import type { EncodeContract } from '../../src/contracts/encode.ts';
import { EncodeWorker } from './encode.ts';

installTransferHandlers();
const worker = new EncodeWorker();
const exposed: EncodeContract = {
  open: (request, options) => worker.open(request, options),
  encodeSet: (request, options) => worker.encodeSet(request, options),
  async encodeTexts(request, options) {
    const encoded = await worker.encodeTexts(request, options);
    return transfer(encoded, [encoded.values.buffer, encoded.tokenCounts.buffer]);
  },
  close: () => worker.close(),
};
expose(exposed);
