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

/** Gathers the scored documents of a run in any order and turns them into rankings. */
export class RunBuilder {
  readonly #file: string;
  readonly #duplicates: DuplicateDocuments;
  readonly #queries = new Map<string, GatheredQuery>();

  constructor(file: string, duplicates: DuplicateDocuments = 'refused') {
    this.#file = file;
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
    let droppedDuplicates = 0;
    for (const [queryId, gathered] of this.#queries) {
      droppedDuplicates += this.#settleDuplicates(queryId, gathered);
      run.set(queryId, gathered.toRanking(queryId));
      // Given back at once: a run is large, and must not be held twice.
      gathered.clear();
    }
    this.#queries.clear();
    return { run, droppedDuplicates };
  }

  #settleDuplicates(queryId: string, gathered: GatheredQuery): number {
    const { documentIds, lines } = gathered;
    if (new Set(documentIds).size === documentIds.length) return 0;
    const firstLines = new Map<string, number>();
    const kept: number[] = [];
    documentIds.forEach((id, i) => {
      const first = firstLines.get(id);
      if (first === undefined) {
        firstLines.set(id, lines[i] as number);
        kept.push(i);
      } else if (this.#duplicates === 'refused')
        throw new AppError(
          'codec',
          'duplicate-document',
          `${this.#file}, line ${lines[i]}: document ${JSON.stringify(id)} stands twice in the ranking of query ${JSON.stringify(queryId)} (first on line ${first}). ` +
            'A ranking names each document once.',
        );
    });
    const dropped = documentIds.length - kept.length;
    gathered.keepOnly(kept);
    return dropped;
  }
}

/** The documents of one query, column by column. */
export class GatheredQuery {
  documentIds: string[] = [];
  lines = new Uint32Array(8);
  #scores = new Float64Array(8);

  /** Takes a document with a finite score, from a line (or, where a format has no lines, 0). */
  add(documentId: string, score: number, line: number): void {
    const count = this.documentIds.length;
    if (count === this.#scores.length) {
      const scores = new Float64Array(count * 2);
      scores.set(this.#scores);
      this.#scores = scores;
      const lines = new Uint32Array(count * 2);
      lines.set(this.lines);
      this.lines = lines;
    }
    this.documentIds.push(documentId);
    this.#scores[count] = score;
    this.lines[count] = line;
  }

  keepOnly(kept: readonly number[]): void {
    this.#scores = Float64Array.from(kept, (i) => this.#scores[i] as number);
    this.documentIds = kept.map((i) => this.documentIds[i] as string);
  }

  clear(): void {
    this.documentIds = [];
    this.lines = new Uint32Array(0);
    this.#scores = new Float64Array(0);
  }

  toRanking(queryId: string): Ranking {
    const { documentIds } = this;
    const scores = this.#scores;
    // Most files are written best first: then there is nothing to sort.
    for (let i = 1; i < documentIds.length; i++)
      if (
        compareRanked(
          scores[i - 1] as number,
          documentIds[i - 1] as string,
          scores[i] as number,
          documentIds[i] as string,
        ) > 0
      )
        return rank(queryId, documentIds, scores);
    return { queryId, documentIds, scores: scores.slice(0, documentIds.length) };
  }
}
