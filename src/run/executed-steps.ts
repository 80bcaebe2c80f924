import type { OwnDocuments } from '../contracts/run-data.ts';
import type { PairSimilarities } from '../contracts/score.ts';
import { digestOfJson } from '../domain/digest.ts';
import { printRecord, sealRecord, type ResultRecord } from '../share/record.ts';
import { executedContent } from './build-record.ts';
import { judgePairs } from './judge-phase.ts';
import { PartialMetrics } from './partial-metrics.ts';
import { warningsOf, type Searched, type StepContext } from './search-steps.ts';

/** Ranks whose verdicts the measures of ExecRetrieval need. */
const JUDGED_RANKS = 10;

/** Judges what the search ranked and scores by what passes. */
export async function executedSteps(
  { request, services, signal, step, progress, publish, timings }: StepContext,
  searched: Searched,
  execution: NonNullable<Searched['benchmark']['execution']>,
): Promise<ResultRecord> {
  const { benchmark } = searched;
  const environment = { ...(await services.judge.environment()) };
  const environmentDigest = await digestOfJson(environment);
  const judged = await step('judge', async () => {
    const plan = await services.data.judgePlan({
      documentsSet: benchmark.documentsSet,
      tasksSet: execution.tasksSet,
      rankingsSet: searched.rankingsSet,
      ranks: JUDGED_RANKS,
      environment: environmentDigest,
    });
    const partial = new PartialMetrics(searched.rankings);
    return judgePairs(
      services,
      environmentDigest,
      `python ${environment.python}, pyodide ${environment.pyodide}`,
      plan,
      {
        signal,
        onProgress: (done, total) => progress('judge', done, total),
        onVerdict: (queryId, documentId, verdict) => {
          partial.add(queryId, documentId, verdict);
          publish({ partialMetrics: partial.metrics() });
        },
      },
    );
  });
  const { timeFactor } = await services.judge.warmUp();

  return step('score', async (onProgress) => {
    const own = await services.data.ownDocuments(execution.tasksSet);
    const ownScores = await services.scoresOf(searched.stored, own.documentIds, { signal });
    const report = await services.execReport(
      {
        documentsSet: benchmark.documentsSet,
        tasksSet: execution.tasksSet,
        rankingsSet: searched.rankingsSet,
        verdicts: judged,
        similarities: flatten(own, ownScores),
        protocolId: searched.protocol.id,
        resamples: 5_000,
        seed: request.seed,
      },
      { signal, onProgress },
    );
    const warnings = warningsOf(searched, report.warnings);
    publish({ warnings });
    const content = await executedContent(
      {
        request,
        timings: timings(),
        searched,
        warnings,
        versions: services.versions,
        userAgent: services.userAgent,
      },
      { judged, environment: { ...environment, timeFactor }, report },
    );
    const record = await sealRecord(content);
    await services.data.putEntry('records', record.id, printRecord(record));
    return record;
  });
}

function flatten(own: OwnDocuments, scores: readonly Float64Array[]): PairSimilarities {
  return {
    queryIds: own.documentIds.flatMap((ids, i) => ids.map(() => own.queryIds[i] as string)),
    documentIds: own.documentIds.flat(),
    scores: Float64Array.from(scores.flatMap((row) => [...row])),
  };
}
