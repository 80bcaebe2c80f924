import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecQuery, ExecReport, ExecSnippet } from '../../src/analyses/execretrieval/report-types.ts';
import type { SetKey, StorePlace } from '../../src/contracts/blocks.ts';
import type { ExecScoreRequest, ScoreApi } from '../../src/contracts/score.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { openStore } from '../../src/store/open-store.ts';

/** Returns the score worker's logic; it also runs in Node. */
export function createScore(): ScoreApi {
  let store: BlockStore | undefined;
  const opened = (): BlockStore => {
    if (store === undefined)
      throw new AppError(
        'score',
        'not-open',
        'The score worker was asked to work before it was given a store.',
      );
    return store;
  };
  return {
    async open(place: StorePlace) {
      store = await openStore(place);
    },
    execReport: (request) => execReport(opened(), request),
  };
}

async function execReport(store: BlockStore, request: ExecScoreRequest): Promise<ExecReport> {
  const queries: ExecQuery[] = [];
  const bugTypes = new Map<string, string>();
  const own = new Set<string>();
  for await (const { tasks } of store.readBlocks(request.tasksSet)) {
    for (const task of tasks) {
      queries.push({
        id: task.queryId,
        domain: task.domain,
        canonicalIds: task.canonicalIds,
        distractorIds: task.distractors.map(({ documentId }) => documentId),
      });
      for (const id of task.canonicalIds) own.add(id);
      for (const { documentId, bugType } of task.distractors) {
        own.add(documentId);
        bugTypes.set(documentId, bugType);
      }
    }
  }
  const snippets = new Map<string, ExecSnippet>();
  for await (const { ids, texts } of store.readBlocks(request.documentsSet)) {
    ids.forEach((id, i) => {
      // Only the queries' own snippets are ever looked at; another query's snippet needs no text here.
      if (!own.has(id)) return;
      const bugType = bugTypes.get(id);
      snippets.set(id, { code: texts[i] as string, ...(bugType === undefined ? {} : { bugType }) });
    });
  }
  const { verdicts, similarities, resamples, seed } = request;
  return execRetrievalReport({
    queries,
    snippets,
    run: await readRun(store, request.rankingsSet),
    verdicts: byQuery(verdicts.queryIds, verdicts.documentIds, verdicts.verdicts),
    similarities: byQuery(similarities.queryIds, similarities.documentIds, similarities.scores),
    resamples,
    seed,
  });
}

/** The stored rankings as a run. */
export async function readRun(store: BlockStore, key: SetKey<'rankings'>): Promise<Map<string, Ranking>> {
  const run = new Map<string, Ranking>();
  for await (const { queryIds, offsets, documentIds, scores } of store.readBlocks(key)) {
    queryIds.forEach((queryId, i) => {
      const from = offsets[i] as number;
      const to = offsets[i + 1] as number;
      run.set(queryId, { queryId, documentIds: documentIds.slice(from, to), scores: scores.slice(from, to) });
    });
  }
  return run;
}

function byQuery<T>(
  queryIds: readonly string[],
  documentIds: readonly string[],
  values: ArrayLike<T>,
): Map<string, Map<string, T>> {
  const result = new Map<string, Map<string, T>>();
  queryIds.forEach((queryId, i) => {
    let ofQuery = result.get(queryId);
    if (ofQuery === undefined) result.set(queryId, (ofQuery = new Map()));
    ofQuery.set(documentIds[i] as string, values[i] as T);
  });
  return result;
}
