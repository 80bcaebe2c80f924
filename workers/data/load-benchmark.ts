import { AppError } from '../../src/domain/app-error.ts';
import { digestOf, digestOfJson, type Digest } from '../../src/domain/digest.ts';
import type { SetKey, SetKind, SetShapes } from '../../src/contracts/blocks.ts';
import type { CallOptions } from '../../src/contracts/calls.ts';
import type { StoredBenchmark } from '../../src/contracts/data.ts';
import type { LayoutReader, ReadContext } from '../../src/sources/layouts/layout.ts';
import { keyOf, type BlockStore, type SetWriter } from '../../src/store/block-store.ts';
import { loadCachedOutcomes } from './cached-outcomes.ts';
import { loadDocuments } from './documents-loader.ts';
import { loadQueries } from './queries-loader.ts';
import { WarningCounter } from './warnings.ts';

/** A source that has been found and whose layout is known. */
export interface OpenedSource {
  /** Names the source among all: what was asked for, without its content. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  /** Where the rows come from, for people. */
  readonly description: string;
  readonly protocolId: string;
  readonly reader: LayoutReader;
}

/** How a source is loaded. */
export interface LoadOptions extends CallOptions {
  /** About how large blocks of documents get; default 4 MiB. */
  readonly blockBytes?: number;
}

/** What is remembered of a source: which benchmark it was when it had this fingerprint. */
interface SourceEntry {
  readonly fingerprint: string | undefined;
  readonly benchmark: string;
}

const SET_KINDS = ['documents', 'queries', 'qrels', 'visibility', 'execution', 'verdicts'] as const;

type Writers = { [K in (typeof SET_KINDS)[number]]: SetWriter<K> };

/** What may pass: such a load is gone on with. After anything else (bad data, a changed source) nothing is kept. */
const PASSING = new Set([
  'aborted',
  'unreachable',
  'truncated',
  'rate-limited',
  'server-error',
  'disk-full',
  'store-failed',
  'store-unavailable',
]);

/**
 * Loads a benchmark into the store: returns what is there when the source has not changed, goes on where an earlier
 * load stopped, and stores nothing of a source whose data is bad. One load of a source at a time in all tabs.
 */
export async function loadFromSource(
  store: BlockStore,
  source: OpenedSource,
  options: LoadOptions = {},
): Promise<StoredBenchmark> {
  const { signal } = options;
  const release = await store.lock(`load:${source.key}`, signal ? { signal } : {});
  try {
    const fingerprint = await fingerprintOf(source.reader, signal);
    const known = await storedFor(store, source.key);
    if (known !== undefined && fingerprint !== undefined && known.fingerprint === fingerprint) {
      await store.touch(setsOf(known.benchmark));
      return known.benchmark;
    }
    return await load(store, source, fingerprint, options);
  } finally {
    await release();
  }
}

/** The benchmark that a source was when it was last loaded, if all of it is still stored. */
export async function storedFor(
  store: BlockStore,
  sourceKey: string,
): Promise<{ benchmark: StoredBenchmark; fingerprint: string | undefined } | undefined> {
  const entry = (await store.getEntry('sources', sourceKey)) as SourceEntry | undefined;
  if (entry === undefined) return undefined;
  const benchmark = (await store.getEntry('benchmarks', entry.benchmark)) as StoredBenchmark | undefined;
  if (benchmark === undefined || !(await isComplete(store, benchmark))) return undefined;
  return { benchmark, fingerprint: entry.fingerprint };
}

/** The stored benchmark of this id and digest. Errors: `not-stored` when any of it is missing. */
export async function storedBenchmark(
  store: BlockStore,
  wanted: Pick<StoredBenchmark, 'id' | 'digest'>,
): Promise<StoredBenchmark> {
  const benchmark = (await store.getEntry('benchmarks', entryIdOf(wanted))) as StoredBenchmark | undefined;
  if (benchmark === undefined || !(await isComplete(store, benchmark)))
    throw new AppError(
      'store',
      'not-stored',
      `${wanted.id} (sha256 ${wanted.digest.slice(0, 12)}) is not in this browser's store, or not whole. Load it again.`,
    );
  await store.touch(setsOf(benchmark));
  return benchmark;
}

/** Whether all sets of a benchmark are in the store and complete. */
export async function isComplete(store: BlockStore, benchmark: StoredBenchmark): Promise<boolean> {
  const manifests = await Promise.all(setsOf(benchmark).map((key) => store.manifest(key)));
  return manifests.every((manifest) => manifest?.complete === true);
}

/** Keys of the sets that a benchmark consists of. */
export function setsOf(benchmark: StoredBenchmark): SetKey[] {
  const { documentsSet, queriesSet, qrelsSet, visibilitySet, execution } = benchmark;
  const keys = [documentsSet, queriesSet, qrelsSet, visibilitySet, execution?.tasksSet, execution?.cacheSet];
  return keys.filter((key) => key !== undefined);
}

/** The name of a benchmark among the entries: what people call it and what it holds. */
export function entryIdOf(benchmark: Pick<StoredBenchmark, 'id' | 'digest'>): string {
  return `${benchmark.id} ${benchmark.digest}`;
}

/** The digest of a benchmark from those of its parts. */
export function benchmarkDigest(parts: StoredBenchmark['parts']): Promise<Digest> {
  return digestOfJson({ format: 'assay-benchmark-1', ...parts });
}

async function load(
  store: BlockStore,
  source: OpenedSource,
  fingerprint: string | undefined,
  { signal, onProgress, blockBytes }: LoadOptions,
): Promise<StoredBenchmark> {
  const loadingId = await digestOf(JSON.stringify([source.key, fingerprint ?? null]));
  await adoptDamaged(store, source.key, fingerprint, `documents:loading/${loadingId}`);
  const writers = await openWriters(store, loadingId, source.description, signal);
  const warnings = new WarningCounter();
  const context: ReadContext = {
    signal,
    onProgress,
    warn: (code, message, sample) => warnings.warn(code, message, sample),
  };
  try {
    // Without a fingerprint nobody knows whether the source is still the one that was read before.
    const keepDocuments = fingerprint !== undefined;
    for (const kind of SET_KINDS) if (kind !== 'documents' || !keepDocuments) await writers[kind].truncate(0);
    const documents = await loadDocuments(store, writers.documents, source.reader, context, blockBytes);
    const queries = await loadQueries(store, writers, source.reader, documents, context);
    const cacheRows = await loadCachedOutcomes(store, writers, source.reader, context);

    const parts: StoredBenchmark['parts'] = {
      documents: documents.digest,
      queries: queries.digests.queries,
      qrels: queries.digests.qrels,
      ...(queries.digests.visibility ? { visibility: queries.digests.visibility } : {}),
      ...(queries.digests.execution ? { execution: queries.digests.execution } : {}),
    };
    const finish = <K extends (typeof SET_KINDS)[number]>(kind: K, digest: Digest): Promise<SetKey<K>> =>
      completeAs(store, writers[kind] as unknown as SetWriter<K>, kind, digest, source.description);
    const digest = await benchmarkDigest(parts);
    const benchmark: StoredBenchmark = {
      id: source.id,
      name: source.name,
      digest,
      parts,
      documentsSet: await finish('documents', parts.documents),
      queriesSet: await finish('queries', parts.queries),
      qrelsSet: await finish('qrels', parts.qrels),
      ...(parts.visibility ? { visibilitySet: await finish('visibility', parts.visibility) } : {}),
      ...(parts.execution
        ? {
            execution: {
              tasksSet: await finish('execution', parts.execution),
              ...(cacheRows > 0 ? { cacheSet: await finish('verdicts', digest) } : {}),
            },
          }
        : {}),
      counts: { documents: documents.rows, queries: queries.rows, judgements: queries.judgements },
      protocolId: source.protocolId,
      source: source.description,
      warnings: warnings.list(),
    };
    await discardUnused(writers);
    await remember(store, benchmark, source.key, fingerprint);
    return benchmark;
  } catch (error) {
    if (forgetsUnfinished(error)) for (const kind of SET_KINDS) await writers[kind].discard();
    throw error;
  } finally {
    for (const kind of SET_KINDS) await writers[kind].close();
  }
}

/**
 * A corpus that lost a block is gone on with behind its last good one instead of being read again from the start:
 * blocks keep the place in the source that follows them.
 */
async function adoptDamaged(
  store: BlockStore,
  sourceKey: string,
  fingerprint: string | undefined,
  loadingKey: SetKey<'documents'>,
): Promise<void> {
  const entry = (await store.getEntry('sources', sourceKey)) as SourceEntry | undefined;
  if (entry === undefined || fingerprint === undefined || entry.fingerprint !== fingerprint) return;
  const benchmark = (await store.getEntry('benchmarks', entry.benchmark)) as StoredBenchmark | undefined;
  if (benchmark !== undefined) await store.renameIncomplete(benchmark.documentsSet, loadingKey);
}

/** Stores a benchmark's description; it counts as stored from here on. */
export async function remember(
  store: BlockStore,
  benchmark: StoredBenchmark,
  sourceKey: string,
  fingerprint: string | undefined,
): Promise<void> {
  const id = entryIdOf(benchmark);
  await store.putEntry('benchmarks', id, benchmark);
  await store.putEntry('sources', sourceKey, { fingerprint, benchmark: id } satisfies SourceEntry);
  await store.touch(setsOf(benchmark));
}

/**
 * Completes a set under its content's key. When that content is stored already the new copy is dropped, unless a block
 * of the old one is damaged or gone: then the new one takes its place.
 */
export async function completeAs<K extends SetKind>(
  store: BlockStore,
  writer: SetWriter<K>,
  kind: K,
  digest: Digest,
  source: string,
): Promise<SetKey<K>> {
  const key = keyOf(kind, digest);
  if (await store.isIntact(key)) {
    await writer.discard();
    return key;
  }
  await store.remove(key);
  const meta = { ...writer.manifest.meta, digest, source } as SetShapes[K]['meta'];
  await writer.complete(meta, key);
  return key;
}

async function openWriters(
  store: BlockStore,
  loadingId: string,
  source: string,
  signal: AbortSignal | undefined,
): Promise<Writers> {
  const opened: Partial<Record<SetKind, SetWriter<SetKind>>> = {};
  try {
    for (const kind of SET_KINDS) {
      const meta = kind === 'verdicts' ? { environment: 'released by the authors', source } : { source };
      const key: SetKey = `${kind}:loading/${loadingId}`;
      opened[kind] = await store.openWriter(key, meta, signal ? { signal } : {});
    }
  } catch (error) {
    for (const writer of Object.values(opened)) await writer.close();
    throw error;
  }
  return opened as unknown as Writers;
}

/** Sets that this layout does not fill leave nothing behind. */
async function discardUnused(writers: Writers): Promise<void> {
  for (const kind of SET_KINDS) if (!writers[kind].manifest.complete) await writers[kind].discard();
}

async function fingerprintOf(
  reader: LayoutReader,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const prints: string[] = [];
  for (const file of reader.files) {
    const print = await file.fingerprint(signal);
    if (print === undefined) return undefined;
    prints.push(`${file.name}=${print}`);
  }
  return prints.join('\n');
}

function forgetsUnfinished(error: unknown): boolean {
  return error instanceof AppError && !PASSING.has(error.code);
}
