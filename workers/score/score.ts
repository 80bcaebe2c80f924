import { execRetrievalReport } from '../../src/analyses/execretrieval/report.ts';
import type { ExecQuery, ExecReport, ExecSnippet } from '../../src/analyses/execretrieval/report-types.ts';
import { gradedReport, type GradedReport } from '../../src/analyses/graded-report.ts';
import type { SetKey, StorePlace } from '../../src/contracts/blocks.ts';
import type { ExecScoreRequest, GradedScoreRequest, ScoreApi } from '../../src/contracts/score.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { findProtocol } from '../../src/protocols/index.ts';
import type { IdSet } from '../../src/protocols/prepare.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { readAnchors, readExecutionTasks, readQrels, readRun } from '../../src/store/read-benchmark.ts';
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
    gradedReport: (request) => reportGraded(opened(), request),
  };
}

async function execReport(store: BlockStore, request: ExecScoreRequest): Promise<ExecReport> {
  const queries: ExecQuery[] = [];
  const bugTypes = new Map<string, string>();
  const own = new Set<string>();
  for (const task of await readExecutionTasks(store, request.tasksSet)) {
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
    protocol: findProtocol(request.protocolId),
    resamples,
    seed,
  });
}

async function reportGraded(store: BlockStore, request: GradedScoreRequest): Promise<GradedReport> {
  const protocol = findProtocol(request.protocolId);
  const { seed, resamples } = request;
  const visible =
    request.visibilitySet && (await readVisible(store, request.documentsSet, request.visibilitySet));
  const anchors = await readAnchors(store, request.queriesSet);
  return gradedReport({
    protocol,
    run: await readRun(store, request.rankingsSet),
    qrels: await readQrels(store, request.qrelsSet),
    excluded: new Map([...anchors].map(([queryId, ids]) => [queryId, new Set(ids)])),
    ...(visible && { visible }),
    labels: await readLabels(store, request.queriesSet),
    bootstrap: { seed, resamples },
  });
}

/** Which documents each query sees: its bitmap behind the one question that scoring asks. */
async function readVisible(
  store: BlockStore,
  documentsSet: SetKey<'documents'>,
  visibilitySet: SetKey<'visibility'>,
): Promise<Map<string, IdSet>> {
  const rows = new Map((await store.readAllIds(documentsSet)).map((id, row) => [id, row]));
  const visible = new Map<string, IdSet>();
  for await (const { queryIds, bytesPerQuery, bitmaps } of store.readBlocks(visibilitySet)) {
    queryIds.forEach((queryId, i) => {
      const bitmap = bitmaps.subarray(i * bytesPerQuery, (i + 1) * bytesPerQuery);
      visible.set(queryId, {
        has: (id) => {
          const row = rows.get(id);
          return row !== undefined && (((bitmap[row >> 3] as number) >> (row & 7)) & 1) === 1;
        },
      });
    });
  }
  return visible;
}

/** The text members of the queries' extras: language, subtask, intent and the like. */
async function readLabels(
  store: BlockStore,
  key: SetKey<'queries'>,
): Promise<Map<string, Record<string, string>>> {
  const labels = new Map<string, Record<string, string>>();
  for await (const { ids, extras } of store.readBlocks(key)) {
    extras?.forEach((text, i) => {
      if (text === '') return;
      const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
      const texts = entries.filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 60,
      );
      labels.set(ids[i] as string, Object.fromEntries(texts.filter(([field]) => field !== 'anchorId')));
    });
  }
  return labels;
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
