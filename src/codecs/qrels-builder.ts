import { AppError } from '../domain/app-error.ts';

/** Qrels as read, and what their reader should be told. */
export interface QrelsReading {
  readonly qrels: Map<string, Map<string, number>>;
  /** Judgements that stand in the file more than once with the same grade; taken once. */
  readonly repeated: number;
}

const HIGHEST_GRADE = 1_000_000;

/** Gathers judgements in any order. */
export class QrelsBuilder {
  readonly #file: string;
  readonly #qrels = new Map<string, Map<string, number>>();
  #repeated = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Names a query that may turn out to have no judgement. */
  addQuery(queryId: string): Map<string, number> {
    let judgements = this.#qrels.get(queryId);
    if (judgements === undefined) {
      judgements = new Map();
      this.#qrels.set(queryId, judgements);
    }
    return judgements;
  }

  /** Takes a judgement; `gradeText` is the grade as written. Throws AppError `bad-grade`, `contradicting-judgements`. */
  add(queryId: string, documentId: string, gradeText: string, line: number): void {
    const grade = gradeOf(gradeText);
    if (grade === null)
      throw new AppError(
        'codec',
        'bad-grade',
        `${this.#file}, line ${line}: the grade of document ${JSON.stringify(documentId)} for query ${JSON.stringify(queryId)} is "${gradeText.slice(0, 80)}"; grades are whole numbers from -${HIGHEST_GRADE} to ${HIGHEST_GRADE}.`,
      );
    const judgements = this.addQuery(queryId);
    const before = judgements.get(documentId);
    if (before === undefined) judgements.set(documentId, grade);
    else if (before === grade) this.#repeated++;
    else
      throw new AppError(
        'codec',
        'contradicting-judgements',
        `${this.#file}, line ${line}: document ${JSON.stringify(documentId)} is judged ${grade} for query ${JSON.stringify(queryId)}, and ${before} further up. Keep one of the two.`,
      );
  }

  finish(): QrelsReading {
    return { qrels: this.#qrels, repeated: this.#repeated };
  }
}

/** A grade from its text: a whole number, also as `1.0`; null for anything else. */
function gradeOf(text: string): number | null {
  if (!/^[+-]?[0-9]+(?:\.0*)?$/u.test(text)) return null;
  const grade = Number(text);
  return Math.abs(grade) > HIGHEST_GRADE ? null : grade === 0 ? 0 : grade;
}
