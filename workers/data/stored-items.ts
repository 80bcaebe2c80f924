import type {
  FileMeta,
  Manifest,
  RankingsMeta,
  SetKey,
  VectorsMeta,
  VerdictsMeta,
} from '../../src/contracts/blocks.ts';
import type { StoredBenchmark, StoredItem } from '../../src/contracts/data.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { setsOf } from './load-benchmark.ts';

/** Everything that takes room, as lines for the storage view, biggest first. */
export async function listStored(store: BlockStore): Promise<StoredItem[]> {
  const manifests = new Map((await store.list()).map((manifest) => [manifest.key, manifest]));
  const items: StoredItem[] = [];
  const claimed = new Set<SetKey>();
  for (const { id, value, updatedAt } of await store.listEntries('benchmarks')) {
    const benchmark = value as StoredBenchmark;
    const keys = setsOf(benchmark);
    for (const key of keys) claimed.add(key);
    const sets = keys.flatMap((key) => manifests.get(key) ?? []);
    items.push({
      kind: 'benchmark',
      name: benchmark.name,
      keys,
      entry: { collection: 'benchmarks', id },
      bytes: sum(sets),
      complete: sets.length === keys.length && sets.every((set) => set.complete),
      lastUsedAt: Math.max(updatedAt, ...sets.map((set) => set.lastUsedAt)),
    });
  }
  items.push(...modelsOf(manifests.values()));
  for (const manifest of manifests.values()) {
    if (claimed.has(manifest.key) || manifest.kind === 'file') continue;
    items.push(itemOfSet(manifest));
  }
  for (const { id, value, updatedAt } of await store.listEntries('records')) {
    items.push({
      kind: 'record',
      name: id,
      keys: [],
      entry: { collection: 'records', id },
      bytes: JSON.stringify(value).length,
      complete: true,
      lastUsedAt: updatedAt,
    });
  }
  return items.sort((a, b) => b.bytes - a.bytes);
}

/** Removes an item; sets that another benchmark also uses stay. */
export async function removeStored(store: BlockStore, item: StoredItem): Promise<void> {
  if (item.entry !== undefined) await store.deleteEntry(item.entry.collection, item.entry.id);
  const stillUsed = new Set<SetKey>();
  for (const { value } of await store.listEntries('benchmarks'))
    for (const key of setsOf(value as StoredBenchmark)) stillUsed.add(key);
  for (const key of item.keys) if (!stillUsed.has(key)) await store.remove(key);
}

/** The files of one model are one line. */
function modelsOf(manifests: Iterable<Manifest>): StoredItem[] {
  const groups = new Map<string, Manifest[]>();
  for (const manifest of manifests) {
    if (manifest.kind !== 'file') continue;
    const { group } = manifest.meta as FileMeta;
    groups.set(group, [...(groups.get(group) ?? []), manifest]);
  }
  return [...groups].map(([name, sets]) => ({
    kind: 'model',
    name,
    keys: sets.map((set) => set.key),
    bytes: sum(sets),
    complete: sets.every((set) => set.complete),
    lastUsedAt: Math.max(...sets.map((set) => set.lastUsedAt)),
  }));
}

function itemOfSet(manifest: Manifest): StoredItem {
  const { key, kind, meta, bytes, complete, lastUsedAt } = manifest;
  const common = { keys: [key], bytes, complete, lastUsedAt };
  switch (kind) {
    case 'vectors': {
      const { model, side, rows, dtype } = meta as VectorsMeta;
      return { ...common, kind: 'vectors', name: `${model} (${dtype}): ${rows} ${side} vectors` };
    }
    case 'verdicts':
      return { ...common, kind: 'verdicts', name: `Verdicts of ${(meta as VerdictsMeta).environment}` };
    case 'rankings':
      return {
        ...common,
        kind: 'rankings',
        name: `Rankings of ${(meta as RankingsMeta).benchmarkDigest.slice(0, 12)}`,
      };
    default:
      return { ...common, kind: 'unfinished', name: `${kind} of ${'source' in meta ? meta.source : key}` };
  }
}

function sum(manifests: readonly Manifest[]): number {
  return manifests.reduce((total, manifest) => total + manifest.bytes, 0);
}
