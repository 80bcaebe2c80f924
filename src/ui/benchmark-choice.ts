import type { BenchmarkDefinition } from '../benchmarks/definition.ts';
import type { StoredBenchmark } from '../contracts/data.ts';

/** A benchmark as it is chosen: a declared one, or data of the user's own that lie in the store. */
export interface BenchmarkChoice {
  readonly id: string;
  readonly name: string;
  readonly tasks: readonly string[];
  readonly languages: readonly string[];
  readonly documents?: number;
  readonly queries?: number;
  /** Bytes to download; 0 for what is in the store, absent where unknown. */
  readonly downloadBytes?: number;
  readonly licence: string;
  readonly protocolId: string;
  readonly place: 'bundled' | 'hub' | 'own';
  /** Why it cannot be run on this page; absent when it can. */
  readonly refused?: string;
}

const NO_TESTS = 'holds no tests to execute; this page runs executed benchmarks only';

/** Returns a declared benchmark as a choice. */
export function choiceOfDefinition(definition: BenchmarkDefinition): BenchmarkChoice {
  const { id, name, tasks, languages, documents, queries, downloadBytes, licence, protocolId } = definition;
  return {
    id,
    name,
    tasks,
    languages,
    licence,
    protocolId,
    ...(documents === undefined ? {} : { documents }),
    ...(queries === undefined ? {} : { queries }),
    ...(downloadBytes === undefined ? {} : { downloadBytes }),
    place: definition.source.kind,
  };
}

/**
 * Returns the stored benchmarks that are the user's own: no declared ones, none that a run has cut from another, and of
 * several with one name the one used last.
 */
export function ownChoices(
  stored: readonly StoredBenchmark[],
  declared: readonly { readonly id: string }[],
): BenchmarkChoice[] {
  const taken = new Set(declared.map(({ id }) => id));
  return stored.flatMap((benchmark) => {
    // A part of a declared one is called `core-bench-l2/django`.
    if (
      benchmark.cutFrom !== undefined ||
      taken.has(benchmark.id) ||
      taken.has(benchmark.id.split('/')[0] ?? '')
    )
      return [];
    taken.add(benchmark.id);
    return [choiceOfStored(benchmark)];
  });
}

function choiceOfStored({ id, name, counts, execution, protocolId }: StoredBenchmark): BenchmarkChoice {
  return {
    id,
    name,
    tasks: [],
    languages: [],
    documents: counts.documents,
    queries: counts.queries,
    downloadBytes: 0,
    licence: 'your own data',
    protocolId,
    place: 'own',
    ...(execution === undefined ? { refused: NO_TESTS } : {}),
  };
}
