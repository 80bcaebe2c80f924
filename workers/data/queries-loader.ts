import { AppError } from '../../src/domain/app-error.ts';
import type { Digest } from '../../src/domain/digest.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import { rowError } from '../../src/codecs/row.ts';
import type {
  LayoutReader,
  Placed,
  QueryContext,
  QueryRow,
  ReadContext,
} from '../../src/sources/layouts/layout.ts';
import type { BlockStore, SetWriter } from '../../src/store/block-store.ts';
import type { LoadedDocuments } from './documents-loader.ts';
import { JudgementCollector } from './judgement-collector.ts';
import { EXECUTION, openSink, QUERIES, VISIBILITY } from './set-sinks.ts';

/** The writers that queries and what belongs to them go to. */
export interface QueryWriters {
  readonly documents: SetWriter<'documents'>;
  readonly queries: SetWriter<'queries'>;
  readonly qrels: SetWriter<'qrels'>;
  readonly visibility: SetWriter<'visibility'>;
  readonly execution: SetWriter<'execution'>;
}

/** Queries, judgements, visibility and tasks as they were stored. */
export interface LoadedQueries {
  readonly rows: number;
  readonly judgements: number;
  readonly digests: {
    readonly queries: Digest;
    readonly qrels: Digest;
    readonly visibility?: Digest;
    readonly execution?: Digest;
  };
}

/**
 * Reads a layout's queries with their judgements, tasks and visibility. A query's own row may only name documents of
 * the corpus (`unknown-corpus-id`); judgements in files of their own may name others, which is counted and shown.
 * Errors: `duplicate-id`, `empty-queries`, `no-judgements`, `visibility-inverted`.
 */
export async function loadQueries(
  store: BlockStore,
  writers: QueryWriters,
  reader: LayoutReader,
  documents: LoadedDocuments,
  context: ReadContext,
): Promise<LoadedQueries> {
  const queries = await openSink(writers.queries, QUERIES);
  const execution = await openSink(writers.execution, EXECUTION);
  const visibility = await openSink(writers.visibility, VISIBILITY);
  const rowOf = new Map<string, number>();
  const judgements = await JudgementCollector.open(writers.qrels, documents, rowOf, context);
  const queryContext: QueryContext = {
    ...context,
    documentExtras: (member) => documentExtras(store, writers.documents, member),
  };
  for await (const batch of reader.queries(queryContext)) {
    if (context.signal?.aborted) throw abortedError();
    for (const placed of batch) {
      const { value, file, line, next } = placed;
      const row = rowOf.get(value.id);
      if (row !== undefined)
        throw rowError(
          file,
          line,
          'duplicate-id',
          `the query id "${value.id}" was used already by query ${row + 1}`,
        );
      rowOf.set(value.id, rowOf.size);
      await queries.add(value, next);
      if (value.task !== undefined) {
        checkTask(placed, documents);
        await execution.add(value.task, next);
      }
      if (value.visible !== undefined && value.visible.length > 0) {
        const bitmap = bitmapOf(value, documents, context);
        judgements.addVisibility(rowOf.size - 1, bitmap);
        await visibility.add({ queryId: value.id, bitmap }, next);
      }
      for (const { documentId, grade } of value.judgements ?? [])
        await judgements.add({ value: { queryId: value.id, documentId, grade }, file, line, next });
    }
  }
  if (rowOf.size === 0)
    throw new AppError(
      'benchmark',
      'empty-queries',
      'The benchmark holds no queries, so there is nothing to evaluate.',
    );
  if (reader.judgements !== undefined) {
    for await (const batch of reader.judgements(context)) {
      if (context.signal?.aborted) throw abortedError();
      for (const placed of batch) await judgements.add(placed);
    }
  }
  const qrels = await judgements.finish();
  return {
    rows: rowOf.size,
    judgements: judgements.count,
    digests: {
      queries: await queries.finish(),
      qrels,
      ...(execution.rows > 0 ? { execution: await execution.finish() } : {}),
      ...(visibility.rows > 0 ? { visibility: await visibility.finish() } : {}),
    },
  };
}

function checkTask({ value, file, line }: Placed<QueryRow>, { index }: LoadedDocuments): void {
  const { task } = value;
  if (task === undefined) return;
  for (const id of [...task.canonicalIds, ...task.distractors.map((distractor) => distractor.documentId)]) {
    if (index.rowOf(id) === undefined)
      throw rowError(
        file,
        line,
        'unknown-corpus-id',
        `query "${value.id}" names the corpus id "${id}", which the corpus does not have`,
      );
  }
}

function bitmapOf(query: QueryRow, { index, rows }: LoadedDocuments, context: ReadContext): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(rows / 8));
  for (const id of query.visible ?? []) {
    const row = index.rowOf(id);
    if (row === undefined)
      context.warn(
        'visible-document-not-in-corpus',
        'queries list visible documents that the corpus does not have',
        id,
      );
    else bitmap[row >> 3] = (bitmap[row >> 3] as number) | (1 << (row & 7));
  }
  return bitmap;
}

async function documentExtras(
  store: BlockStore,
  writer: SetWriter<'documents'>,
  member: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { key, blocks } = writer.manifest;
  for (const { index } of blocks) {
    const { ids, extras } = await store.readBlock(key, index);
    for (const [i, text] of (extras ?? []).entries()) {
      if (text === '') continue;
      const value = (JSON.parse(text) as Record<string, unknown>)[member];
      if (typeof value === 'string') found.set(ids[i] as string, value);
    }
  }
  return found;
}
