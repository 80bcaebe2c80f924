import type { Restrictions, StoredSearch } from '../../src/contracts/search.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { readAnchors } from '../../src/store/read-benchmark.ts';

/**
 * Reads what may not be ranked for which query: the bitmaps of the visibility set and, where asked for, each query's
 * anchors. Without either there are no restrictions.
 */
export async function readRestrictions(
  store: BlockStore,
  { queriesSet, visibilitySet, withoutAnchors }: StoredSearch,
  queryIds: readonly string[],
): Promise<Restrictions> {
  const visible = visibilitySet && (await readVisible(store, visibilitySet, queryIds));
  const anchors = withoutAnchors === true ? await readAnchors(store, queriesSet) : undefined;
  return {
    ...(visible && { visible }),
    ...(anchors !== undefined && anchors.size > 0
      ? { excluded: queryIds.map((id) => anchors.get(id) ?? []) }
      : {}),
  };
}

async function readVisible(
  store: BlockStore,
  key: NonNullable<StoredSearch['visibilitySet']>,
  queryIds: readonly string[],
): Promise<NonNullable<Restrictions['visible']>> {
  const rowOf = new Map(queryIds.map((id, row) => [id, row]));
  // A query without a bitmap sees everything.
  const bitmapOf = new Int32Array(queryIds.length).fill(-1);
  const bitmaps: Uint8Array[] = [];
  for await (const block of store.readBlocks(key)) {
    block.queryIds.forEach((id, i) => {
      const row = rowOf.get(id);
      if (row === undefined) return;
      bitmapOf[row] = bitmaps.length;
      bitmaps.push(block.bitmaps.subarray(i * block.bytesPerQuery, (i + 1) * block.bytesPerQuery));
    });
  }
  return { bitmaps, bitmapOf };
}
