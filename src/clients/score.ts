import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { GradedReport } from '../analyses/graded-report.ts';
import type { StorePlace } from '../contracts/blocks.ts';
import { crossingPlace, type CallOptions } from '../contracts/calls.ts';
import type { ExecScoreRequest, GradedScoreRequest, ScoreApi } from '../contracts/score.ts';
import { WorkerClient } from './worker-client.ts';

/** The page's side of the score worker: started at the first call, replaced when it died. */
export class ScoreClient {
  readonly #worker: WorkerClient<ScoreApi>;

  /** @param placeOfStore gives the worker its way to the store; called once for each fresh worker */
  constructor(placeOfStore: () => Promise<StorePlace>) {
    this.#worker = new WorkerClient<ScoreApi>({
      name: 'score',
      start: () =>
        new Worker(new URL('../../workers/score/score.worker.ts', import.meta.url), {
          type: 'module',
          name: 'score',
        }),
      prepare: async (api) => {
        const place = await placeOfStore();
        await api.open(crossingPlace(place));
      },
      // Bootstrapping is one long computation: an abort ends the worker.
      abortGraceMs: 200,
    });
  }

  execReport(request: ExecScoreRequest, options?: CallOptions): Promise<ExecReport> {
    return this.#worker.call(options, (api, crossing) => api.execReport(request, crossing));
  }

  gradedReport(request: GradedScoreRequest, options?: CallOptions): Promise<GradedReport> {
    return this.#worker.call(options, (api, crossing) => api.gradedReport(request, crossing));
  }

  dispose(): void {
    this.#worker.dispose();
  }
}
