// Serves the fake hub at true shapes until it is ended: `node tests/fake-hub/start.mjs [PORT]`. Then, for example,
// `npm run assay -- evaluate --hub http://127.0.0.1:PORT --benchmark execretrieval`.
import path from 'node:path';
import { createServer } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');
const loader = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { FakeHub } = await loader.ssrLoadModule('/tests/fake-hub/fake-hub.ts');
const { execDataset } = await loader.ssrLoadModule('/tests/fake-hub/exec-dataset.ts');
const { corebDataset, coreBenchDataset, mtebDataset } = await loader.ssrLoadModule(
  '/tests/fake-hub/datasets.ts',
);

// ExecRetrieval has 939 queries, CoREB v202603 about 174 problems with ten solutions each; CORE-Bench's largest
// repositories have some 15,000 visible chunks a query.
const datasets = [execDataset(939), corebDataset(174), coreBenchDataset(15_000, 20, 12_000), mtebDataset()];
const hub = await FakeHub.start(datasets, Number(process.argv[2] ?? 0));
console.log(`The fake hub listens at ${hub.url} (its CDN at ${hub.cdnUrl}):`);
for (const { id, revision, files } of datasets)
  console.log(`  ${id} at ${revision.slice(0, 7)}: ${files.size} files`);

process.once('SIGINT', async () => {
  await hub.stop();
  await loader.close();
});
