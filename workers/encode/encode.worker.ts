import { expose, transfer } from 'comlink';
import { installTransferHandlers } from '../../src/contracts/calls.ts';
import type { EncodeContract } from '../../src/contracts/encode.ts';
import { EncodeWorker } from './encode.ts';
import { Lane, type LaneContract } from './lane.ts';

// One script for both kinds of thread, so that transformers.js is fetched once: the client sends a lane its port, and
// calls the other one.
installTransferHandlers();

const worker = new EncodeWorker();
const encode: EncodeContract = {
  open: (request, options) => worker.open(request, options),
  encodeSet: (request, options) => worker.encodeSet(request, options),
  async encodeTexts(request, options) {
    const encoded = await worker.encodeTexts(request, options);
    return transfer(encoded, [encoded.values.buffer, encoded.tokenCounts.buffer]);
  },
  close: () => worker.close(),
};
expose(encode);

addEventListener('message', (event: MessageEvent<{ readonly lanePort?: MessagePort } | null>) => {
  const port = event.data?.lanePort;
  if (!port) return;
  const lane = new Lane();
  const computing: LaneContract = {
    load: (request) => lane.load(request),
    async vectorsOf(batch, recipe) {
      const vectors = await lane.vectorsOf(batch, recipe);
      return transfer(vectors, [vectors.buffer]);
    },
    dispose: () => lane.dispose(),
  };
  expose(computing, port);
});
