import type { SetKey } from '../../src/contracts/blocks.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import type { StoredBenchmark } from '../../src/contracts/data.ts';
import type { Digest } from '../../src/domain/digest.ts';
import type { DocumentRow, QueryRow, ReadPosition } from '../../src/sources/layouts/layout.ts';
import type { BlockStore, SetWriter } from '../../src/store/block-store.ts';
import { readExecutionTasks } from '../../src/store/read-benchmark.ts';
import { benchmarkDigest, completeAs, isComplete, remember, storedFor } from './load-benchmark.ts';
import { DOCUMENTS, EXECUTION, openSink, QRELS, QUERIES, type SetSink } from './set-sinks.ts';

const NOWHERE: ReadPosition = { file: 0, offset: 0, line: 0 };

/**
 * Returns the benchmark of the first `queries` queries and of the documents that are their own: canonicals and
 * distractors where code is run, else the judged documents. It has its own name and digest, so that its numbers are
 * never taken for those of the whole. With as many queries as there are, the whole comes back.
 */
export async function cutBenchmark(
  store: BlockStore,
  whole: StoredBenchmark,
  queries: number,
  signal?: AbortSignal,
): Promise<StoredBenchmark> {
  if (queries >= whole.counts.queries) return whole;
  const sourceKey = `cut:${whole.id} ${whole.digest} ${queries}`;
  const known = await storedFor(store, sourceKey);
  if (known !== undefined && (await isComplete(store, known.benchmark))) return known.benchmark;

  const queryRows = await firstQueries(store, whole.queriesSet, queries);
  const queryIds = new Set(queryRows.map((row) => row.id));
  const allTasks = whole.execution ? await readExecutionTasks(store, whole.execution.tasksSet) : [];
  const tasks = allTasks.filter((task) => queryIds.has(task.queryId));
  const judgements = await judgementsOf(store, whole.qrelsSet, queryIds);
  const wanted = new Set(judgements.map((judgement) => judgement.documentId));
  for (const task of tasks) {
    for (const id of task.canonicalIds) wanted.add(id);
    for (const { documentId } of task.distractors) wanted.add(documentId);
  }

  const source = `first ${queries} queries of ${whole.id}`;
  const put = async <K extends 'documents' | 'queries' | 'qrels' | 'execution'>(
    kind: K,
    fill: (writer: SetWriter<K>) => Promise<Digest>,
  ): Promise<{ key: SetKey<K>; digest: Digest }> => {
    const writer = await store.openWriter(
      `${kind}:loading/${sourceKey}`,
      { source },
      signal ? { signal } : {},
    );
    try {
      await writer.truncate(0);
      const digest = await fill(writer as unknown as SetWriter<K>);
      return {
        key: await completeAs(store, writer as unknown as SetWriter<K>, kind, digest, source),
        digest,
      };
    } finally {
      await writer.close();
    }
  };

  const documents = await put('documents', (writer) =>
    copyDocuments(store, whole.documentsSet, wanted, writer, signal),
  );
  const queriesPart = await put('queries', async (writer) =>
    fillAll(await openSink(writer, QUERIES), queryRows),
  );
  const qrels = await put('qrels', async (writer) => fillAll(await openSink(writer, QRELS), judgements));
  const execution = whole.execution
    ? await put('execution', async (writer) => fillAll(await openSink(writer, EXECUTION), tasks))
    : undefined;

  const parts = {
    documents: documents.digest,
    queries: queriesPart.digest,
    qrels: qrels.digest,
    ...(execution ? { execution: execution.digest } : {}),
  };
  const manifest = await store.completeManifest(documents.key);
  const cut: StoredBenchmark = {
    id: `${whole.id}/queries=${queries}`,
    name: `${whole.name}, first ${queries} queries with their own snippets`,
    digest: await benchmarkDigest(parts),
    parts,
    documentsSet: documents.key,
    queriesSet: queriesPart.key,
    qrelsSet: qrels.key,
    ...(execution
      ? {
          execution: {
            tasksSet: execution.key,
            ...(whole.execution?.cacheSet ? { cacheSet: whole.execution.cacheSet } : {}),
          },
        }
      : {}),
    counts: { documents: manifest.rows, queries: queryRows.length, judgements: judgements.length },
    protocolId: whole.protocolId,
    source: whole.source,
    cutFrom: { digest: whole.digest, queries },
    warnings: [],
  };
  await remember(store, cut, sourceKey, undefined);
  return cut;
}

async function firstQueries(store: BlockStore, key: SetKey<'queries'>, count: number): Promise<QueryRow[]> {
  const rows: QueryRow[] = [];
  for await (const { ids, texts, extras } of store.readBlocks(key)) {
    for (const [i, id] of ids.entries()) {
      if (rows.length === count) return rows;
      rows.push({ id, text: texts[i] as string, ...extraOf(extras?.[i]) });
    }
  }
  return rows;
}

async function judgementsOf(
  store: BlockStore,
  key: SetKey<'qrels'>,
  queryIds: ReadonlySet<string>,
): Promise<{ queryId: string; documentId: string; grade: number }[]> {
  const found: { queryId: string; documentId: string; grade: number }[] = [];
  for await (const block of store.readBlocks(key)) {
    for (const [i, queryId] of block.queryIds.entries()) {
      if (queryIds.has(queryId))
        found.push({ queryId, documentId: block.documentIds[i] as string, grade: block.grades[i] as number });
    }
  }
  return found;
}

async function copyDocuments(
  store: BlockStore,
  key: SetKey<'documents'>,
  wanted: ReadonlySet<string>,
  writer: SetWriter<'documents'>,
  signal: AbortSignal | undefined,
): Promise<Digest> {
  const sink = await openSink(writer, DOCUMENTS);
  for await (const block of store.readBlocks(key)) {
    if (signal?.aborted) throw abortedError();
    for (const [i, id] of block.ids.entries()) {
      if (!wanted.has(id)) continue;
      const title = block.titles?.[i];
      const language = block.languages?.[i];
      const row: DocumentRow = {
        id,
        text: block.texts[i] as string,
        ...(title ? { title } : {}),
        ...(language ? { language } : {}),
        ...extraOf(block.extras?.[i]),
      };
      await sink.add(row, NOWHERE);
    }
  }
  return sink.finish();
}

async function fillAll<R>(sink: SetSink<R>, rows: readonly R[]): Promise<Digest> {
  for (const row of rows) await sink.add(row, NOWHERE);
  return sink.finish();
}

function extraOf(text: string | undefined): { extra?: Record<string, unknown> } {
  return text ? { extra: JSON.parse(text) as Record<string, unknown> } : {};
}
