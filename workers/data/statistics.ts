import { findBenchmark } from '../../src/benchmarks/list.ts';
import type { SetKey } from '../../src/contracts/blocks.ts';
import { abortedError, type CallOptions } from '../../src/contracts/calls.ts';
import type {
  LabelCount,
  StatisticsCard,
  StoredBenchmark,
  TextStatistics,
} from '../../src/contracts/data.ts';
import type { BlockStore } from '../../src/store/block-store.ts';

/** Texts that are tokenised at most: the mean of 2,000 is within a few percent, and tokenising a gigabyte takes minutes. */
const TOKEN_SAMPLE = 2_000;
/** A field with more different values is an id or a number, not a label. */
const MAX_LABELS = 50;

/**
 * A benchmark's statistics, from its rows: counts, lengths in code points and in cl100k_base tokens, languages, labels,
 * grades, visibility, and what its declaration states beside what was counted. Computed once and kept by digest.
 */
export async function statisticsOf(
  store: BlockStore,
  benchmark: StoredBenchmark,
  { signal, onProgress }: CallOptions = {},
): Promise<StatisticsCard> {
  const known = (await store.getEntry('statistics', benchmark.digest)) as StatisticsCard | undefined;
  if (known !== undefined) return known;
  const countTokens = await tokenCounter();
  const texts = async <K extends 'documents' | 'queries'>(
    key: SetKey<K>,
    perRow: (extra: Readonly<Record<string, unknown>>, language: string) => void,
  ): Promise<TextStatistics> => {
    const { rows } = await store.completeManifest(key);
    const collector = new TextCollector(rows, countTokens);
    for await (const block of store.readBlocks<'documents' | 'queries'>(key)) {
      if (signal?.aborted) throw abortedError();
      const languages = 'languages' in block ? block.languages : undefined;
      for (const [i, text] of block.texts.entries()) {
        collector.add(text);
        const extra = block.extras?.[i];
        perRow(extra ? (JSON.parse(extra) as Record<string, unknown>) : {}, languages?.[i] ?? '');
      }
      onProgress?.({ step: 'statistics', done: collector.count, total: rows, unit: 'rows' });
    }
    return collector.statistics();
  };

  const languages = new Map<string, number>();
  let correct = 0;
  let judgedCode = 0;
  const documents = await texts(benchmark.documentsSet, (extra, language) => {
    if (language !== '') count(languages, language);
    const passed =
      extra['passed'] ?? (extra['label'] === undefined ? undefined : extra['label'] === 'correct');
    if (typeof passed !== 'boolean') return;
    judgedCode++;
    if (passed) correct++;
  });
  const labels = new Map<string, Map<string, number>>();
  const queries = await texts(benchmark.queriesSet, (extra) => {
    for (const [field, value] of Object.entries(extra)) {
      const counts = labels.get(field) ?? new Map<string, number>();
      labels.set(field, counts);
      if (counts.size <= MAX_LABELS) count(counts, String(value));
    }
  });
  const card: StatisticsCard = {
    digest: benchmark.digest,
    documents: {
      ...documents,
      languages: counted(languages),
      ...(judgedCode > 0 ? { verifiedCorrect: { correct, known: judgedCode } } : {}),
    },
    queries: {
      ...queries,
      labels: [...labels]
        .filter(([, values]) => values.size <= MAX_LABELS && values.size < Math.max(2, queries.count))
        .map(([field, values]) => ({ field, values: counted(values) })),
    },
    judgements: await judgementStatistics(store, benchmark),
    ...(await visibilityStatistics(store, benchmark)),
    checks: checksOf(benchmark),
  };
  await store.putEntry('statistics', benchmark.digest, card);
  return card;
}

/** Sums lengths; tokenises evenly spread texts, so that the sample does not depend on anything but the rows. */
class TextCollector {
  readonly #rows: number;
  readonly #countTokens: (text: string) => number;
  #characters = 0;
  #tokens = 0;
  #sampled = 0;
  count = 0;

  constructor(rows: number, countTokens: (text: string) => number) {
    this.#rows = rows;
    this.#countTokens = countTokens;
  }

  add(text: string): void {
    // Every text of a small set; of a large one those where the running share passes the next whole number.
    const share = Math.min(1, TOKEN_SAMPLE / Math.max(1, this.#rows));
    if (Math.floor((this.count + 1) * share) > Math.floor(this.count * share)) {
      this.#tokens += this.#countTokens(text);
      this.#sampled++;
    }
    this.#characters += codePoints(text);
    this.count++;
  }

  statistics(): TextStatistics {
    return {
      count: this.count,
      meanCharacters: this.count === 0 ? 0 : this.#characters / this.count,
      meanTokens: this.#sampled === 0 ? 0 : this.#tokens / this.#sampled,
      tokenSample: this.#sampled,
    };
  }
}

async function judgementStatistics(
  store: BlockStore,
  benchmark: StoredBenchmark,
): Promise<StatisticsCard['judgements']> {
  const byGrade = new Map<number, number>();
  const judged = new Set<string>();
  for await (const { queryIds, grades } of store.readBlocks(benchmark.qrelsSet)) {
    for (const [i, queryId] of queryIds.entries()) {
      judged.add(queryId);
      count(byGrade, grades[i] as number);
    }
  }
  const { queries, judgements } = benchmark.counts;
  return {
    count: judgements,
    grades: [...byGrade]
      .sort(([a], [b]) => b - a)
      .map(([grade, times]) => ({ grade, count: times, meanPerQuery: times / queries })),
    queriesWithout: queries - judged.size,
  };
}

async function visibilityStatistics(
  store: BlockStore,
  benchmark: StoredBenchmark,
): Promise<Pick<StatisticsCard, 'visibility'>> {
  if (benchmark.visibilitySet === undefined) return {};
  let queries = 0;
  let visible = 0;
  for await (const { queryIds, bitmaps } of store.readBlocks(benchmark.visibilitySet)) {
    queries += queryIds.length;
    for (const byte of bitmaps) visible += BITS[byte] as number;
  }
  return { visibility: { queries, meanVisible: queries === 0 ? 0 : visible / queries } };
}

const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function checksOf(benchmark: StoredBenchmark): StatisticsCard['checks'] {
  // A part or a cut of a declared benchmark has other counts than the whole.
  const definition = findBenchmark(benchmark.id);
  if (definition === undefined) return [];
  return (['documents', 'queries', 'judgements'] as const).flatMap((what) => {
    const declared = definition[what];
    return declared === undefined ? [] : [{ what, declared, counted: benchmark.counts[what] }];
  });
}

/** Loaded on first use: the vocabulary alone is more than a megabyte. */
async function tokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Texts of a benchmark are data: what looks like a control token is text like any other.
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}

function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}

function count<T>(counts: Map<T, number>, label: T): void {
  counts.set(label, (counts.get(label) ?? 0) + 1);
}

function counted(counts: ReadonlyMap<string, number>): LabelCount[] {
  return [...counts].map(([label, times]) => ({ label, count: times })).sort((a, b) => b.count - a.count);
}
