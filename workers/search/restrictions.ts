import type { Restrictions } from '../../src/contracts/search.ts';
import type { QueryTile } from './query-tile.ts';
import type { RowArena } from './rows.ts';
import type { WasmHeap } from './wasm-heap.ts';

/** Query rows by the document id that is taken out for them. */
export type ExclusionIndex = ReadonlyMap<string, readonly number[]>;

/** Returns the index by which each block's ids are looked up once, however many queries exclude something. */
export function indexExclusions(excluded: Restrictions['excluded']): ExclusionIndex {
  const index = new Map<string, number[]>();
  excluded?.forEach((ids, query) => {
    for (const id of new Set(ids)) {
      const queries = index.get(id);
      if (queries) queries.push(query);
      else index.set(id, [query]);
    }
  });
  return index;
}

/**
 * Writes, for one tile and the rows now in the arena, what the kernel looks at before it keeps a candidate: the
 * address of each query's bitmap (0 = sees everything) and its excluded rows. The caller releases the memory.
 */
export function writeRestrictions(
  heap: WasmHeap,
  arena: RowArena,
  queries: QueryTile,
  firstQuery: number,
  restrictions: Restrictions,
  exclusions: ExclusionIndex,
): void {
  writeMasks(heap, arena, queries, firstQuery, restrictions.visible);
  writeExclusions(heap, arena, queries, firstQuery, exclusions);
}

function writeMasks(
  heap: WasmHeap,
  arena: RowArena,
  queries: QueryTile,
  firstQuery: number,
  visible: Restrictions['visible'],
): void {
  if (visible === undefined) return;
  const addresses = new Map<number, number>();
  const masks: number[] = [];
  for (let query = 0; query < queries.count; query++) {
    const bitmap = visible.bitmapOf[firstQuery + query] as number;
    if (bitmap < 0) {
      masks.push(0);
      continue;
    }
    let address = addresses.get(bitmap);
    if (address === undefined) {
      address = heap.allocate(arena.rows / 8);
      addresses.set(bitmap, address);
      const target = heap.u8(address, arena.rows / 8);
      target.fill(0);
      for (const { start, firstRow, ids } of arena.blocks) {
        copyBits(visible.bitmaps[bitmap] ?? EMPTY, firstRow, ids.length, target, start);
      }
    }
    masks.push(address);
  }
  heap.u32(queries.masks, queries.count).set(masks);
}

const EMPTY = new Uint8Array(0);

/** Copies `count` bits; the target begins at a whole byte. Bits beyond the source's end are 0. */
function copyBits(source: Uint8Array, from: number, count: number, target: Uint8Array, to: number): void {
  const shift = from & 7;
  const firstByte = from >> 3;
  const bytes = Math.ceil(count / 8);
  for (let i = 0; i < bytes; i++) {
    const low = source[firstByte + i] ?? 0;
    const high = source[firstByte + i + 1] ?? 0;
    target[(to >> 3) + i] = shift === 0 ? low : (low >> shift) | (high << (8 - shift));
  }
}

function writeExclusions(
  heap: WasmHeap,
  arena: RowArena,
  queries: QueryTile,
  firstQuery: number,
  exclusions: ExclusionIndex,
): void {
  const rows: number[][] = Array.from({ length: queries.count }, () => []);
  let total = 0;
  if (exclusions.size > 0) {
    for (const { start, ids } of arena.blocks) {
      ids.forEach((id, row) => {
        for (const query of exclusions.get(id) ?? []) {
          if (query < firstQuery || query >= firstQuery + queries.count) continue;
          (rows[query - firstQuery] as number[]).push(start + row);
          total++;
        }
      });
    }
  }
  const address = heap.allocate(total * 4);
  heap.u32(address, total).set(rows.flat());
  const offsets = heap.u32(queries.exclusions, queries.count + 1);
  let at = address;
  rows.forEach((list, query) => {
    offsets[query] = at;
    at += list.length * 4;
  });
  offsets[queries.count] = at;
}
