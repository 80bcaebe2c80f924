import { AppError } from '../domain/app-error.ts';

const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/u;

/** A score from its text. Throws AppError `bad-score`, naming file, line, query and document, for what is not a finite decimal number. */
export function scoreOf(
  text: string,
  file: string,
  line: number,
  queryId: string,
  documentId: string,
): number {
  const score = NUMBER.test(text) ? Number(text) : NaN;
  if (Number.isFinite(score)) return score;
  throw new AppError(
    'codec',
    'bad-score',
    `${file}, line ${line}: the score of document ${JSON.stringify(documentId)} for query ${JSON.stringify(queryId)} is "${text.slice(0, 80)}"; scores are finite numbers. ` +
      'NaN and infinite scores have no rank; remove the documents or repair the system that wrote them.',
  );
}
