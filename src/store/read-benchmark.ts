import type { ExecutionTask, RankingsBlock, SetKey } from '../contracts/blocks.ts';
import type { Qrels } from '../domain/qrels.ts';
import type { Ranking } from '../domain/ranking.ts';
import type { BlockStore } from './block-store.ts';

/** All judgements of a set as qrels: grades by query and document. */
export async function readQrels(store: BlockStore, key: SetKey<'qrels'>): Promise<Qrels> {
  const qrels = new Map<string, Map<string, number>>();
  for await (const { queryIds, documentIds, grades } of store.readBlocks(key)) {
    for (const [i, queryId] of queryIds.entries()) {
      const judgements = qrels.get(queryId) ?? new Map<string, number>();
      qrels.set(queryId, judgements.set(documentIds[i] as string, grades[i] as number));
    }
  }
  return qrels;
}

/** All execution tasks of a set, in query order. */
export async function readExecutionTasks(
  store: BlockStore,
  key: SetKey<'execution'>,
): Promise<ExecutionTask[]> {
  const tasks: ExecutionTask[] = [];
  for await (const block of store.readBlocks(key)) tasks.push(...block.tasks);
  return tasks;
}

/**
 * Documents that are taken out of a query's ranking because they are the query itself (CoREB's code-to-code): the
 * `anchorId` of the query's extras. Queries without one are absent.
 */
export async function readAnchors(
  store: BlockStore,
  key: SetKey<'queries'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const anchors = new Map<string, readonly string[]>();
  for await (const { ids, extras } of store.readBlocks(key)) {
    for (const [i, text] of (extras ?? []).entries()) {
      const anchor = text === '' ? undefined : (JSON.parse(text) as { anchorId?: unknown }).anchorId;
      if (typeof anchor === 'string') anchors.set(ids[i] as string, [anchor]);
    }
  }
  return anchors;
}

/** The rankings of one block, in its order. */
export function rankingsOf({ queryIds, offsets, documentIds, scores }: RankingsBlock): Ranking[] {
  return queryIds.map((queryId, i) => {
    const [from, to] = [offsets[i] as number, offsets[i + 1] as number];
    return { queryId, documentIds: documentIds.slice(from, to), scores: scores.slice(from, to) };
  });
}

/** The stored rankings as a run. */
export async function readRun(store: BlockStore, key: SetKey<'rankings'>): Promise<Map<string, Ranking>> {
  const run = new Map<string, Ranking>();
  for await (const block of store.readBlocks(key))
    for (const ranking of rankingsOf(block)) run.set(ranking.queryId, ranking);
  return run;
}
