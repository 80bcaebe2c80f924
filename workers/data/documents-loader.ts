import { AppError } from '../../src/domain/app-error.ts';
import type { Digest } from '../../src/domain/digest.ts';
import type { SetKey } from '../../src/contracts/blocks.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import { rowError } from '../../src/codecs/row.ts';
import type { LayoutReader, ReadContext } from '../../src/sources/layouts/layout.ts';
import { BlockStore, type SetWriter } from '../../src/store/block-store.ts';
import { IdIndex } from '../../src/store/id-index.ts';
import { DOCUMENTS, openSink } from './set-sinks.ts';

/** The corpus as it was stored. */
export interface LoadedDocuments {
  readonly digest: Digest;
  readonly rows: number;
  readonly index: IdIndex;
}

/**
 * Reads a layout's documents into a set, from where an earlier load stopped, and checks that no id comes twice, also
 * across shards. Errors: `duplicate-id`, `empty-corpus`, and what reading and storing may throw.
 */
export async function loadDocuments(
  store: BlockStore,
  writer: SetWriter<'documents'>,
  reader: LayoutReader,
  context: ReadContext,
  blockBytes?: number,
): Promise<LoadedDocuments> {
  const key = writer.manifest.key;
  const index = await indexOf(store, key);
  const sink = await openSink(writer, DOCUMENTS, blockBytes);
  const pendingIds: string[] = [];
  for await (const batch of reader.documents(sink.resumeAt, context)) {
    if (context.signal?.aborted) throw abortedError();
    for (const { value, file, line, next } of batch) {
      const row = sink.rows;
      const known = index.add(value.id, row);
      if (known !== undefined) {
        const first = await idAt(store, writer, pendingIds, known);
        // A different id with the same hash is no duplicate (and practically never happens).
        if (first === value.id)
          throw rowError(
            file,
            line,
            'duplicate-id',
            `the document id "${value.id}" was used already by document ${known + 1}. Ids must differ, or every count and ranking is wrong.`,
          );
      }
      const written = sink.add(value, next);
      if (written !== undefined) await written;
      if (sink.pendingRows === 1) pendingIds.length = 0;
      pendingIds.push(value.id);
    }
  }
  const digest = await sink.finish();
  if (sink.rows === 0)
    throw new AppError(
      'benchmark',
      'empty-corpus',
      `${reader.files[0]?.name ?? 'The corpus'} holds no documents.`,
    );
  return { digest, rows: sink.rows, index };
}

/** An index of the ids of a set, complete or not. */
export async function indexOf(
  store: BlockStore,
  key: SetKey<'documents'> | SetKey<'queries'>,
): Promise<IdIndex> {
  const index = new IdIndex();
  const manifest = await store.manifest(key as SetKey<'documents'>);
  let row = 0;
  for (const entry of manifest?.blocks ?? []) {
    for (const id of await store.readIds(key, entry.index)) index.add(id, row++);
  }
  return index;
}

async function idAt(
  store: BlockStore,
  writer: SetWriter<'documents'>,
  pendingIds: readonly string[],
  row: number,
): Promise<string | undefined> {
  await writer.idle();
  const { manifest } = writer;
  if (row >= manifest.rows) return pendingIds[row - manifest.rows];
  const entry = BlockStore.blockOfRow(manifest, row);
  if (entry === undefined) return undefined;
  return (await store.readIds(manifest.key, entry.index))[row - entry.firstRow];
}
