import { AppError } from '../domain/app-error.ts';
import { compareRanked, rank, type Ranking } from '../domain/ranking.ts';

/** What becomes of a document that a query names twice; see the protocol's setting of the same name. */
export type DuplicateDocuments = 'refused' | 'first-kept';

/** A run as read, and what its reader should be told. */
export interface RunReading {
  readonly run: Map<string, Ranking>;
  /** Lines (or members) left out because their document stood in the ranking already. */
  readonly droppedDuplicates: number;
}

/** Gathers the scored documents of a run in any order and turns them into rankings. Documents are numbers until then: indices into one list of ids. */
export class RunBuilder {
  readonly #file: string;
  readonly #ids: readonly string[];
  readonly #duplicates: DuplicateDocuments;
  readonly #queries = new Map<string, GatheredQuery>();

  /** `ids` may grow while documents are added. */
  constructor(file: string, ids: readonly string[], duplicates: DuplicateDocuments = 'refused') {
    this.#file = file;
    this.#ids = ids;
    this.#duplicates = duplicates;
  }

  /** The query's place for documents; also makes an empty ranking of a query that gets none. */
  query(queryId: string): GatheredQuery {
    let gathered = this.#queries.get(queryId);
    if (gathered === undefined) {
      gathered = new GatheredQuery();
      this.#queries.set(queryId, gathered);
    }
    return gathered;
  }

  /** Rankings in the total order. Empties the builder. Throws AppError `duplicate-document` with file, lines, query and document. */
  finish(): RunReading {
    const run = new Map<string, Ranking>();
    // By document: where it was met last, counted over all queries; at or above a query's start means met in this query.
    const lastMet = new Float64Array(this.#ids.length).fill(-1);
    let start = 0;
    let droppedDuplicates = 0;
    for (const [queryId, gathered] of this.#queries) {
      const before = gathered.count;
      droppedDuplicates += this.#settleDuplicates(queryId, gathered, lastMet, start);
      start += before;
      run.set(queryId, gathered.toRanking(queryId, this.#ids));
      // Given back at once: a run is large, and must not be held twice.
      gathered.clear();
    }
    this.#queries.clear();
    return { run, droppedDuplicates };
  }

  #settleDuplicates(queryId: string, gathered: GatheredQuery, lastMet: Float64Array, start: number): number {
    const { count, documents, scores, lines } = gathered;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = documents[i] as number;
      const met = lastMet[document] as number;
      if (met >= start) {
        if (this.#duplicates === 'refused')
          throw new AppError(
            'codec',
            'duplicate-document',
            `${this.#file}, line ${lines[i]}: document ${JSON.stringify(this.#ids[document])} stands twice in the ranking of query ${JSON.stringify(queryId)} (first on line ${lines[met - start]}). ` +
              'A ranking names each document once.',
          );
        continue;
      }
      lastMet[document] = start + i;
      documents[kept] = document;
      scores[kept] = scores[i] as number;
      kept++;
    }
    gathered.count = kept;
    return count - kept;
  }
}

/** The documents of one query, column by column; only the first `count` entries count. */
export class GatheredQuery {
  count = 0;
  documents = new Uint32Array(8);
  scores = new Float64Array(8);
  lines = new Uint32Array(8);

  /** Takes a document with a finite score, from a line. */
  add(document: number, score: number, line: number): void {
    if (this.count === this.documents.length) this.#grow();
    this.documents[this.count] = document;
    this.scores[this.count] = score;
    this.lines[this.count] = line;
    this.count++;
  }

  #grow(): void {
    const length = this.count * 2;
    const documents = new Uint32Array(length);
    documents.set(this.documents);
    const scores = new Float64Array(length);
    scores.set(this.scores);
    const lines = new Uint32Array(length);
    lines.set(this.lines);
    this.documents = documents;
    this.scores = scores;
    this.lines = lines;
  }

  clear(): void {
    this.count = 0;
    this.documents = new Uint32Array(0);
    this.scores = new Float64Array(0);
    this.lines = new Uint32Array(0);
  }

  toRanking(queryId: string, ids: readonly string[]): Ranking {
    const { count, documents } = this;
    const documentIds = new Array<string>(count);
    for (let i = 0; i < count; i++) documentIds[i] = ids[documents[i] as number] as string;
    const scores = this.scores.slice(0, count);
    // Most files are written best first: then there is nothing to sort.
    for (let i = 1; i < count; i++)
      if (
        compareRanked(
          scores[i - 1] as number,
          documentIds[i - 1] as string,
          scores[i] as number,
          documentIds[i] as string,
        ) > 0
      )
        return rank(queryId, documentIds, scores);
    return { queryId, documentIds, scores };
  }
}
