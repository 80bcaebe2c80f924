import { AppError } from '../../domain/app-error.ts';
import { Bm25Index, findTokenizer, findVariant } from '../../models/lexical/index.ts';
import { Pcg64 } from '../../stats/pcg64.ts';

/** A benchmark as training needs it: texts, grades, and who sees what. */
export interface TrainingBenchmark {
  /** Texts by document id, in file order. */
  readonly documents: ReadonlyMap<string, string>;
  readonly queries: readonly {
    readonly id: string;
    readonly text: string;
    /** Documents that exist for the query; absent: all. */
    readonly visible?: readonly string[];
  }[];
  readonly grades: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** How training data is made. */
export interface TrainingSettings {
  readonly seed: number;
  /** Hard negatives for each positive in the contrastive data. */
  readonly hardNegatives: number;
  /** Hard negatives are mined among this many best documents of BM25 that are not positive. */
  readonly depth: number;
}

/** A query with a positive and hard negatives: one step of contrastive training. */
export interface ContrastiveExample {
  readonly queryId: string;
  readonly query: string;
  readonly positive: string;
  readonly negatives: readonly string[];
}

/** One (q, d, y) of a reranker. */
export interface RerankerExample {
  readonly queryId: string;
  readonly query: string;
  readonly document: string;
  readonly label: 0 | 1;
}

/** What was made, and what was left out so that a test stays one. */
export interface TrainingData {
  readonly contrastive: readonly ContrastiveExample[];
  readonly reranker: readonly RerankerExample[];
  /** Grade from which a document counts as positive. */
  readonly positiveGrade: number;
  readonly leftOut: readonly { readonly queryId: string; readonly reason: string }[];
}

/**
 * Contrastive examples (CORE-Bench's SFT: negatives from the same repository) and reranker examples (CoREB: each
 * positive is written twice, once beside an easy and once beside a hard negative). Hard negatives are documents that are
 * judged below positive, then the best of BM25 among those the query sees; easy ones are drawn from all others by the
 * seed. Queries that share their text or a positive's text with `test` are left out and named.
 */
export function makeTrainingData(
  benchmark: TrainingBenchmark,
  settings: TrainingSettings,
  test?: TrainingBenchmark,
): TrainingData {
  const positiveGrade = positiveGradeOf(benchmark);
  const index = new Bm25Index({ variant: findVariant('lucene'), tokenizer: findTokenizer('code') });
  const rows = new Map<string, number>();
  for (const [id, text] of benchmark.documents) {
    rows.set(id, rows.size);
    index.add(id, text);
  }
  const ids = [...benchmark.documents.keys()];
  const held = test === undefined ? undefined : heldOutTexts(test);
  const random = new Pcg64(settings.seed);
  const contrastive: ContrastiveExample[] = [];
  const reranker: RerankerExample[] = [];
  const leftOut: { queryId: string; reason: string }[] = [];
  const textOf = (id: string): string => benchmark.documents.get(id) as string;
  for (const { id, text, visible } of benchmark.queries) {
    const grades = benchmark.grades.get(id) ?? new Map<string, number>();
    const judged = [...grades].filter(([document]) => benchmark.documents.has(document));
    const positives = judged.flatMap(([document, grade]) => (grade >= positiveGrade ? [document] : []));
    const why = reasonToLeaveOut(text, positives.map(textOf), held);
    if (why !== undefined) {
      leftOut.push({ queryId: id, reason: why });
      continue;
    }
    const seen = visible === undefined ? undefined : new Set(visible.map((document) => rows.get(document)));
    const isPositive = new Set(positives);
    const positiveTexts = new Set(positives.map((document) => normalised(textOf(document))));
    // A copy of a positive under another id is no negative.
    const isNegative = (document: string): boolean =>
      !isPositive.has(document) && !positiveTexts.has(normalised(textOf(document)));
    const ranked = index.search(id, text, settings.depth + positives.length, {
      ...(seen === undefined ? {} : { visible: (row: number) => seen.has(row) }),
    });
    const mined = ranked.documentIds.filter(isNegative);
    const below = judged.flatMap(([document, grade]) => (grade < positiveGrade ? [document] : []));
    const hard = [...new Set([...below.filter(isNegative), ...mined])];
    const pool = (visible ?? ids).filter(
      (document) => benchmark.documents.has(document) && isNegative(document) && !hard.includes(document),
    );
    if (hard.length === 0) {
      leftOut.push({ queryId: id, reason: 'it sees no document that could be a negative' });
      continue;
    }
    positives.forEach((positive, at) => {
      const negatives = Array.from(
        { length: Math.min(settings.hardNegatives, hard.length) },
        (_, step) => hard[(at * settings.hardNegatives + step) % hard.length] as string,
      );
      contrastive.push({
        queryId: id,
        query: text,
        positive: textOf(positive),
        negatives: negatives.map(textOf),
      });
      const easy = pool.length === 0 ? undefined : pool[random.below(pool.length)];
      const add = (document: string, label: 0 | 1): number =>
        reranker.push({ queryId: id, query: text, document: textOf(document), label });
      add(positive, 1);
      if (easy !== undefined) add(easy, 0);
      add(positive, 1);
      add(hard[at % hard.length] as string, 0);
    });
  }
  if (contrastive.length === 0)
    throw new AppError(
      'construct',
      'no-training-data',
      `None of ${benchmark.queries.length} queries gives an example: ${leftOut[0]?.reason ?? 'there are no queries'}.`,
    );
  return { contrastive, reranker, positiveGrade, leftOut };
}

/** Lines for sentence-transformers: anchor, positive, negative (one line a negative). */
export function* sentenceTransformersLines(examples: readonly ContrastiveExample[]): Generator<string> {
  for (const { query, positive, negatives } of examples)
    for (const negative of negatives) yield line({ anchor: query, positive, negative });
}

/** Lines for FlagEmbedding: query, pos, neg. */
export function* flagEmbeddingLines(examples: readonly ContrastiveExample[]): Generator<string> {
  for (const { query, positive, negatives } of examples)
    yield line({ query, pos: [positive], neg: negatives });
}

/** Lines for a cross-encoder: query, document, label. */
export function* rerankerLines(examples: readonly RerankerExample[]): Generator<string> {
  for (const { query, document, label } of examples) yield line({ query, document, label });
}

/** CoREB grades positives 2 and hard negatives 1; everywhere else 1 is positive. */
function positiveGradeOf({ grades }: TrainingBenchmark): number {
  for (const ofQuery of grades.values()) for (const grade of ofQuery.values()) if (grade >= 2) return 2;
  return 1;
}

interface HeldOutTexts {
  readonly queries: ReadonlySet<string>;
  readonly positives: ReadonlySet<string>;
}

function heldOutTexts(test: TrainingBenchmark): HeldOutTexts {
  const level = positiveGradeOf(test);
  const positives = new Set<string>();
  for (const ofQuery of test.grades.values())
    for (const [document, grade] of ofQuery) {
      const text = test.documents.get(document);
      if (grade >= level && text !== undefined) positives.add(normalised(text));
    }
  return { queries: new Set(test.queries.map(({ text }) => normalised(text))), positives };
}

function reasonToLeaveOut(
  query: string,
  positives: readonly string[],
  held: HeldOutTexts | undefined,
): string | undefined {
  if (positives.length === 0) return 'it has no positive in the corpus';
  if (held?.queries.has(normalised(query)) === true) return 'the test holds the same query';
  return positives.some((text) => held?.positives.has(normalised(text)) === true)
    ? 'the test holds one of its positives'
    : undefined;
}

function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
