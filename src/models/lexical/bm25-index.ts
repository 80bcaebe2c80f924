import { AppError } from '../../domain/app-error.ts';
import { compareRanked, rank, type Ranking } from '../../domain/ranking.ts';
import type { LexicalTokenizer } from './tokenizers.ts';
import { plainIdf, type Bm25Parameters, type Bm25Variant } from './variants.ts';

/** How an index is made. */
export interface Bm25Settings {
  readonly variant: Bm25Variant;
  readonly tokenizer: LexicalTokenizer;
  /** Default: the variant's own. */
  readonly parameters?: Partial<Bm25Parameters>;
}

/** What one search sees. */
export interface Bm25SearchOptions {
  /** Whether the document of this row exists for the query; absent: all do. */
  readonly visible?: (row: number) => boolean;
  /**
   * Whose idf and mean length: of the whole corpus (the default, one index for all queries), or of the documents that the
   * query can see.
   */
  readonly statistics?: 'corpus' | 'visible';
}

/** Documents of one term: rows ascending, and how often the term occurs in each. */
interface Postings {
  readonly rows: number[];
  readonly counts: number[];
}

/**
 * BM25 over documents in memory, in float64. Terms of the query that occur twice count twice; terms that no document has
 * are dropped.
 */
export class Bm25Index {
  readonly #variant: Bm25Variant;
  readonly #tokenise: (text: string) => string[];
  readonly #parameters: Bm25Parameters;
  readonly #ids: string[] = [];
  readonly #lengths: number[] = [];
  readonly #postings = new Map<string, Postings>();
  #meanIdf: number | undefined;

  constructor({ variant, tokenizer, parameters }: Bm25Settings) {
    this.#variant = variant;
    this.#tokenise = tokenizer.tokenise;
    this.#parameters = { ...variant.parameters, ...parameters };
    const { k1, b, delta } = this.#parameters;
    if (!(k1 >= 0 && b >= 0 && b <= 1 && delta >= 0))
      throw new AppError(
        'search',
        'bm25-parameters',
        `k1 ${k1}, b ${b}, delta ${delta}: k1 and delta must be at least 0, b between 0 and 1`,
      );
  }

  /** Documents added so far. */
  get documents(): number {
    return this.#ids.length;
  }

  /** Adds a document; its row is the number of documents before it. Ids must be distinct (the caller's set sees to it). */
  add(id: string, text: string): void {
    const row = this.#ids.length;
    const counts = new Map<string, number>();
    const terms = this.#tokenise(text);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const postings = this.#postings.get(term);
      if (postings) {
        postings.rows.push(row);
        postings.counts.push(count);
      } else this.#postings.set(term, { rows: [row], counts: [count] });
    }
    this.#ids.push(id);
    this.#lengths.push(terms.length);
    this.#meanIdf = undefined;
  }

  /** Returns the best `depth` documents for a query by the total order; documents without any term are among the ranked. */
  search(queryId: string, text: string, depth: number, options: Bm25SearchOptions = {}): Ranking {
    const { visible } = options;
    const scores = this.scores(text, options);
    const ids = this.#ids;
    // A heap of the best so far with the worst on top; most documents are turned away by one comparison.
    const heap: number[] = [];
    const worse = (a: number, b: number): boolean =>
      compareRanked(scores[a] as number, ids[a] as string, scores[b] as number, ids[b] as string) > 0;
    for (let row = 0; row < ids.length; row++) {
      if (visible && !visible(row)) continue;
      if (heap.length < depth) pushHeap(heap, row, worse);
      else if (depth > 0 && worse(heap[0] as number, row)) replaceTop(heap, row, worse);
    }
    return rank(
      queryId,
      heap.map((row) => ids[row] as string),
      heap.map((row) => scores[row] as number),
    );
  }

  /** Returns the score of every document for a query, by row. Rows that are not visible have scores of no meaning. */
  scores(text: string, { visible, statistics = 'corpus' }: Bm25SearchOptions = {}): Float64Array {
    const within = statistics === 'visible' ? visible : undefined;
    const { documents, meanLength } = this.#sizes(within);
    const { idf, weight } = this.#variant;
    const parameters = this.#parameters;
    const norms = this.#lengths.map((length) => 1 - parameters.b + (parameters.b * length) / meanLength);
    const scores = new Float64Array(this.#ids.length);
    for (const term of this.#tokenise(text)) {
      const postings = this.#postings.get(term);
      const documentFrequency = within
        ? (postings?.rows.filter(within).length ?? 0)
        : (postings?.rows.length ?? 0);
      if (!postings || documentFrequency === 0) continue;
      const factor = idf({ documentFrequency, documents, meanIdf: () => this.#meanOfIdf() });
      // What a document without the term gets does not depend on its length.
      const absent = weight(0, 1, parameters);
      if (absent !== 0)
        for (let row = 0; row < scores.length; row++) scores[row] = (scores[row] as number) + factor * absent;
      postings.rows.forEach((row, i) => {
        const gained = weight(postings.counts[i] as number, norms[row] as number, parameters) - absent;
        scores[row] = (scores[row] as number) + factor * gained;
      });
    }
    return scores;
  }

  #sizes(within: ((row: number) => boolean) | undefined): { documents: number; meanLength: number } {
    let documents = 0;
    let terms = 0;
    this.#lengths.forEach((length, row) => {
      if (within && !within(row)) return;
      documents++;
      terms += length;
    });
    // Documents without terms only: any mean does, nothing is found.
    return { documents, meanLength: terms === 0 ? 1 : terms / documents };
  }

  #meanOfIdf(): number {
    if (this.#meanIdf === undefined) {
      let sum = 0;
      for (const { rows } of this.#postings.values()) sum += plainIdf(rows.length, this.#ids.length);
      this.#meanIdf = sum / this.#postings.size;
    }
    return this.#meanIdf;
  }
}

/** Whether the first row ranks below the second. */
type Worse = (a: number, b: number) => boolean;

function pushHeap(heap: number[], row: number, worse: Worse): void {
  heap.push(row);
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(heap[at] as number, heap[parent] as number)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function replaceTop(heap: number[], row: number, worse: Worse): void {
  heap[0] = row;
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && worse(heap[child] as number, heap[worst] as number)) worst = child;
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
}
