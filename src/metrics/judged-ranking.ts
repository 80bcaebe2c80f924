import type { Judgements } from '../domain/qrels.ts';
import type { Ranking } from '../domain/ranking.ts';
import { collapseToFiles, type FileOf } from './file-ranking.ts';

/** What some metrics need beside ranking and grades; absent where nobody asked for them. */
export interface JudgedRankingExtras {
  /** Ids of the documents that pass every test of this query. */
  readonly passing?: ReadonlySet<string>;
  /** The file that a document (a chunk) belongs to. */
  readonly fileOf?: FileOf;
  /** Every document that any query has judged. */
  readonly judgedAnywhere?: ReadonlySet<string>;
}

/**
 * One query's ranking joined with its judgements: the single pass over the ranking that every metric shares. Metrics see
 * only the judged documents, as rank and grade side by side, since the others change nothing but ranks.
 */
export class JudgedRanking {
  readonly ranking: Ranking;
  readonly judgements: Judgements;
  readonly extras: JudgedRankingExtras;
  /** Number of documents in the ranking. */
  readonly length: number;
  /** Ranks, 1-based and rising, of the judged documents in the ranking. */
  readonly ranks: readonly number[];
  /** Grades of the documents at {@link ranks}. */
  readonly grades: readonly number[];
  #idealGrades: readonly number[] | null = null;
  #files: JudgedRanking | null = null;

  constructor(ranking: Ranking, judgements: Judgements, extras: JudgedRankingExtras = {}) {
    const { documentIds } = ranking;
    const ranks: number[] = [];
    const grades: number[] = [];
    for (let i = 0; i < documentIds.length; i++) {
      const grade = judgements.get(documentIds[i] as string);
      if (grade === undefined) continue;
      ranks.push(i + 1);
      grades.push(grade);
    }
    this.ranking = ranking;
    this.judgements = judgements;
    this.extras = extras;
    this.length = documentIds.length;
    this.ranks = ranks;
    this.grades = grades;
  }

  /** Positive grades of all judged documents, highest first: the ideal ranking. */
  get idealGrades(): readonly number[] {
    if (this.#idealGrades === null) {
      const positive: number[] = [];
      for (const grade of this.judgements.values()) if (grade > 0) positive.push(grade);
      this.#idealGrades = positive.sort((a, b) => b - a);
    }
    return this.#idealGrades;
  }

  /** Number of judged documents, retrieved or not, with a grade of at least `level` (1 or more). */
  relevantCount(level: number): number {
    const ideal = this.idealGrades;
    let count = 0;
    while (count < ideal.length && (ideal[count] as number) >= level) count++;
    return count;
  }

  /** Number of judged documents that are not relevant: grade from 0 to below `level`. Negative grades are neither. */
  nonRelevantCount(level: number): number {
    let count = 0;
    for (const grade of this.judgements.values()) if (grade >= 0 && grade < level) count++;
    return count;
  }

  /** Number of documents with a grade of at least `level` among the first `cutoff` ranks. */
  relevantWithin(cutoff: number, level: number): number {
    const { ranks, grades } = this;
    let count = 0;
    for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++)
      if ((grades[i] as number) >= level) count++;
    return count;
  }

  /** The same query by files instead of documents: each file at the rank of its best document, graded by its highest grade. */
  byFile(): JudgedRanking {
    if (this.#files === null) {
      const { fileOf } = this.extras;
      if (fileOf === undefined)
        throw new TypeError('JudgedRanking.byFile: the evaluation was given no way from documents to files');
      const files = collapseToFiles(this.ranking, this.judgements, fileOf);
      this.#files = new JudgedRanking(files.ranking, files.judgements);
    }
    return this.#files;
  }
}
