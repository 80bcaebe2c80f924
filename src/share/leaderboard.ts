import type { BenchmarkDefinition } from '../benchmarks/definition.ts';
import type { ModelDefinition } from '../models/model-definition.ts';
import { whyNotComparable } from './comparability.ts';
import { compareResults, type ComparedResult } from './compared-result.ts';

/** A number on a board. */
export interface BoardValue {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * One system on a board. `published`: somebody's printed numbers, without outcomes. `measured`: a result with its outcomes,
 * from a record or a link. A system that failed or was stopped has a state and no numbers: it is not a zero.
 */
export interface BoardRow {
  /** Unique on the board. */
  readonly key: string;
  readonly system: string;
  readonly origin: 'published' | 'measured';
  readonly state: 'complete' | 'partial' | 'failed';
  /** Where the numbers stand, or what is known of the run. */
  readonly source: string;
  readonly values: ReadonlyMap<string, BoardValue>;
  /** Rank on the board's metric among rows that have it, from 1; equal values share one. Null without a value. */
  readonly rank: number | null;
  /** Tie group among the measured results; empty for published numbers, which nothing can be tested with. */
  readonly letters: string;
  /** Of the model as declared here; null where it is not. */
  readonly parameters: number | null;
  readonly dimensions: number | null;
  readonly maxTokens: number | null;
  /** Bytes of float32 vectors for the benchmark's documents; null where unknown. */
  readonly indexBytes: number | null;
  readonly licence: string | null;
}

export interface Board {
  readonly metric: string;
  /** Every metric that any row has, in the order of first appearance. */
  readonly metrics: readonly string[];
  readonly rows: readonly BoardRow[];
  /** Why measured results that were given are not ranked together. */
  readonly notes: readonly string[];
}

/** A run without a result. */
export interface UnfinishedEntry {
  readonly key: string;
  readonly model: string;
  readonly state: 'partial' | 'failed';
  readonly source: string;
}

/** What a board is made from. */
export interface BoardInput {
  readonly benchmark: BenchmarkDefinition;
  readonly measured: readonly (ComparedResult & { readonly key: string; readonly source: string })[];
  readonly unfinished?: readonly UnfinishedEntry[];
  readonly models: readonly ModelDefinition[];
  /** The metric that ranks; the first of all metrics where absent or unknown. */
  readonly metric?: string | undefined;
}

/** Returns published and measured systems of one benchmark, best first on the metric. */
export function boardOf({ benchmark, measured, unfinished = [], models, metric: wanted }: BoardInput): Board {
  const published = publishedValues(benchmark);
  const metrics = [
    ...new Set([
      ...measured.flatMap(({ report }) => report.columns),
      ...[...published.values()].flatMap(({ values }) => [...values.keys()]),
    ]),
  ];
  const metric = metrics.find((name) => name === wanted) ?? metrics[0] ?? '';
  const { letters, notes } = tieLetters(measured, metric);
  const model = (name: string): ModelDefinition | undefined =>
    models.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  const facts = (name: string) => {
    const found = model(name);
    const { documents } = benchmark;
    return {
      parameters: found?.parameters ?? null,
      dimensions: found?.dimensions ?? null,
      maxTokens: found?.maxTokens ?? null,
      indexBytes: found === undefined || documents === undefined ? null : documents * found.dimensions * 4,
      licence: found?.licence ?? null,
    };
  };
  const rows: BoardRow[] = [
    ...measured.map((result): BoardRow => ({
      key: result.key,
      system: result.name,
      origin: 'measured',
      state: 'complete',
      source: result.source,
      values: new Map(
        result.report.columns.flatMap((name, i) => {
          const { value = null, low = null, high = null } = result.report.cells[i] ?? {};
          return value === null ? [] : [[name, { value, low, high }]];
        }),
      ),
      rank: null,
      letters: letters.get(result.name) ?? '',
      ...facts(result.origin.model.id),
    })),
    ...[...published].map(([system, { values, source }]): BoardRow => ({
      key: `published ${system}`,
      system,
      origin: 'published',
      state: 'complete',
      source,
      values,
      rank: null,
      letters: '',
      ...facts(system),
    })),
    ...unfinished.map((entry): BoardRow => ({
      key: entry.key,
      system: entry.model,
      origin: 'measured',
      state: entry.state,
      source: entry.source,
      values: new Map(),
      rank: null,
      letters: '',
      ...facts(entry.model),
    })),
  ];
  return { metric, metrics, rows: ranked(rows, metric), notes };
}

function ranked(rows: readonly BoardRow[], metric: string): BoardRow[] {
  const valueOf = (row: BoardRow): number => row.values.get(metric)?.value ?? Number.NEGATIVE_INFINITY;
  const sorted = [...rows].sort((a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    return x === y ? 0 : y - x;
  });
  return sorted.map((row) => ({
    ...row,
    rank: row.values.has(metric) ? 1 + sorted.filter((other) => valueOf(other) > valueOf(row)).length : null,
  }));
}

/** Published results are of the whole benchmark where they name no slice, or the whole as their slice. */
function publishedValues({
  published,
}: BenchmarkDefinition): Map<string, { values: Map<string, BoardValue>; source: string }> {
  const systems = new Map<string, { values: Map<string, BoardValue>; source: string }>();
  for (const { system, metric, value, interval, slice, source } of published) {
    if (slice !== undefined && !slice.startsWith('whole')) continue;
    const entry = systems.get(system) ?? { values: new Map<string, BoardValue>(), source };
    entry.values.set(metric, { value, low: interval?.[0] ?? null, high: interval?.[1] ?? null });
    systems.set(system, entry);
  }
  return systems;
}

/** Letters of the results that share the first one's data; the others are named. */
function tieLetters(
  measured: BoardInput['measured'],
  metric: string,
): { letters: Map<string, string>; notes: string[] } {
  const [first, ...others] = measured.filter(({ report }) => report.columns.includes(metric));
  const notes: string[] = [];
  if (first === undefined) return { letters: new Map(), notes };
  const together = [first];
  for (const other of others) {
    const reason = whyNotComparable(first.origin, other.origin);
    if (reason === undefined) together.push(other);
    else notes.push(`${other.name} is in no tie group with ${first.name}. ${reason}`);
  }
  if (together.length < 2) return { letters: new Map(), notes };
  const { systems } = compareResults(together, metric).groups;
  return { letters: new Map(systems.map(({ name, letters }) => [name, letters])), notes };
}

/** Returns the rows that no other row beats on both value (higher) and cost (lower): the Pareto front, cheapest first. */
export function paretoFront(
  rows: readonly BoardRow[],
  metric: string,
  cost: 'parameters' | 'dimensions' | 'indexBytes',
): BoardRow[] {
  const placed = rows.flatMap((row) => {
    const value = row.values.get(metric)?.value;
    const price = row[cost];
    return value === undefined || price === null ? [] : [{ row, value, price }];
  });
  return placed
    .filter(
      ({ value, price }) =>
        !placed.some(
          (other) =>
            other.value >= value && other.price <= price && (other.value > value || other.price < price),
        ),
    )
    .sort((a, b) => a.price - b.price)
    .map(({ row }) => row);
}
