import { version } from '../../package.json';
import { DataClient } from '../clients/data.ts';
import { openEncoder, type Encoder } from '../clients/encode.ts';
import { createJudge, type Judge } from '../clients/judge.ts';
import { keepAppFiles } from '../clients/keep-offline.ts';
import { holdRun } from '../clients/run-hold.ts';
import { ScoreClient } from '../clients/score.ts';
import { SearchClient } from '../clients/search.ts';
import type { RunServices } from './services.ts';

/** The page's workers, started by the calls that need them. One set for the whole page. */
export interface PageWorkers extends RunServices {
  /** The data worker's client, for everything that views show. */
  readonly client: DataClient;
  /** The oracle, also for one candidate at a time. */
  readonly judge: Judge;
  openEncoder(...call: Parameters<RunServices['openEncoder']>): Promise<Encoder>;
  /** Takes another address of the hub from now on. */
  configureHub(hubUrl: string): Promise<void>;
  /** The stored rankings of a run as a TREC run. Errors: `run-id-blank`. */
  rankingsAsTrec(runId: string, tag: string): Promise<Blob>;
  /** The same as JSON, which holds any id. */
  rankingsAsJson(runId: string): Promise<Blob>;
}

/**
 * Returns the workers behind an evaluation. Nothing starts before it is used.
 *
 * @param appUrl the page's own address with a slash at its end
 */
export function openRunServices(appUrl: string): PageWorkers {
  const client = new DataClient({ baseUrl: appUrl });
  const score = new ScoreClient(() => client.place('score'));
  const search = new SearchClient((holder) => client.place(holder));
  const judge = createJudge();
  // One model at a time: WASM memory never shrinks, so a new model ends the worker of the one before.
  let open: { readonly key: string; readonly encoder: Encoder } | undefined;
  return {
    client,
    data: {
      loadBenchmark: (ref, options) => client.loadBenchmark(ref, options),
      manifest: (key) => client.call(undefined, (api) => api.manifest(key)),
      ownDocuments: (key) => client.call(undefined, (api) => api.ownDocuments(key)),
      putRankings: (...call) => client.call(undefined, (api) => api.putRankings(...call)),
      judgePlan: (request) => client.call(undefined, (api) => api.judgePlan(request)),
      keepVerdicts: (...call) => client.call(undefined, (api) => api.keepVerdicts(...call)),
      putEntry: (...call) => client.call(undefined, (api) => api.putEntry(...call)),
      getEntry: (...call) => client.call(undefined, (api) => api.getEntry(...call)),
      deleteEntry: (...call) => client.call(undefined, (api) => api.deleteEntry(...call)),
      listEntries: (collection) => client.call(undefined, (api) => api.listEntries(collection)),
    },
    async openEncoder({ model, dtype, device }, options) {
      const key = JSON.stringify([model.id, dtype, device]);
      if (open?.key === key) return open.encoder;
      open?.encoder.dispose();
      open = undefined;
      const encoder = await openEncoder(
        { model, dtype, device, appBaseUrl: appUrl, place: (holder) => client.place(holder) },
        options,
      );
      open = { key, encoder };
      return encoder;
    },
    search: (...call) => search.search(...call),
    scoresOf: (...call) => search.scoresOf(...call),
    judge,
    execReport: (request, options) => score.execReport(request, options),
    gradedReport: (request, options) => score.gradedReport(request, options),
    versions: { assay: version },
    userAgent: navigator.userAgent,
    async hold(runId) {
      keepAppFiles().catch((error: unknown) =>
        console.error('The app cannot be kept for offline use:', error),
      );
      return holdRun(runId);
    },
    configureHub: (hubUrl) => client.configure({ hubUrl }),
    rankingsAsTrec: (runId, tag) =>
      client.call(undefined, (api) => api.rankingsAsTrec(`rankings:${runId}`, tag)),
    rankingsAsJson: (runId) => client.call(undefined, (api) => api.rankingsAsJson(`rankings:${runId}`)),
  };
}
