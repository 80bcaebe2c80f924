import type { BlockEntry, DocumentsBlock, QueriesBlock, SetKey } from '../../src/contracts/blocks.ts';
import type { TextRow } from '../../src/contracts/data.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { BlockStore } from '../../src/store/block-store.ts';

type TextsKey = SetKey<'documents'> | SetKey<'queries'>;

/** The most rows that one call gives: a page of a table, not a corpus. */
export const MAX_ROWS_PER_CALL = 1_000;

/** Rows `from` up to `from + count` of a complete set; fewer at its end. */
export async function rowsFrom(
  store: BlockStore,
  key: TextsKey,
  from: number,
  count: number,
): Promise<TextRow[]> {
  const manifest = await store.completeManifest(key as SetKey<'documents'>);
  const rows: TextRow[] = [];
  const end = Math.min(from + Math.min(count, MAX_ROWS_PER_CALL), manifest.rows);
  for (let row = from; row < end;) {
    const entry = BlockStore.blockOfRow(manifest, row);
    if (entry === undefined) break;
    const block = await store.readBlock(key as SetKey<'documents'>, entry.index);
    for (; row < end && row < entry.firstRow + entry.rows; row++) rows.push(textRow(block, entry, row));
  }
  return rows;
}

/** The rows of these ids in the order asked. Errors: `unknown-id`. */
export async function rowsOfIds(
  store: BlockStore,
  key: TextsKey,
  ids: readonly string[],
): Promise<TextRow[]> {
  const manifest = await store.completeManifest(key as SetKey<'documents'>);
  const missing = new Set(ids);
  const found = new Map<string, TextRow>();
  for (const entry of manifest.blocks) {
    if (missing.size === 0) break;
    const blockIds = await store.readIds(key, entry.index);
    const hits = blockIds.flatMap((id, i) => (missing.has(id) ? [entry.firstRow + i] : []));
    if (hits.length === 0) continue;
    const block = await store.readBlock(key as SetKey<'documents'>, entry.index);
    for (const row of hits) {
      const textOfRow = textRow(block, entry, row);
      found.set(textOfRow.id, textOfRow);
      missing.delete(textOfRow.id);
    }
  }
  const [unknown] = missing;
  if (unknown !== undefined)
    throw new AppError('store', 'unknown-id', `"${key}" has no row with the id "${unknown}".`);
  return ids.map((id) => found.get(id) as TextRow);
}

/** The judgements of these queries, in file order. */
export async function judgementsOfQueries(
  store: BlockStore,
  key: SetKey<'qrels'>,
  queryIds: readonly string[],
): Promise<{ queryId: string; documentId: string; grade: number }[]> {
  const wanted = new Set(queryIds);
  const found: { queryId: string; documentId: string; grade: number }[] = [];
  for await (const block of store.readBlocks(key)) {
    for (const [i, queryId] of block.queryIds.entries()) {
      if (!wanted.has(queryId)) continue;
      found.push({ queryId, documentId: block.documentIds[i] as string, grade: block.grades[i] as number });
    }
  }
  return found;
}

function textRow(block: DocumentsBlock | QueriesBlock, entry: BlockEntry, row: number): TextRow {
  const i = row - entry.firstRow;
  const title = 'titles' in block ? block.titles?.[i] : undefined;
  const language = 'languages' in block ? block.languages?.[i] : undefined;
  const extra = block.extras?.[i];
  return {
    row,
    id: block.ids[i] as string,
    text: block.texts[i] as string,
    ...(title ? { title } : {}),
    ...(language ? { language } : {}),
    ...(extra ? { extra: JSON.parse(extra) as Record<string, unknown> } : {}),
  };
}
