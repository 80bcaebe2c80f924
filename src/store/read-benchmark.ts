import type { ExecutionTask, SetKey } from '../contracts/blocks.ts';
import type { Qrels } from '../domain/qrels.ts';
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
