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

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/**
 * The number of a plain decimal such as `-12.375`, straight from its bytes; null for anything else, which
 * {@link scoreOf} then reads or refuses. Exact: an integer up to 2^53 and a power of ten up to 10^22 are both doubles, and their
 * quotient is rounded once, as the decimal itself would be (Clinger, PLDI 1990).
 */
export function plainDecimal(bytes: Uint8Array, start: number, end: number): number | null {
  let at = start;
  const negative = bytes[at] === 45;
  if (negative) at++;
  let mantissa = 0;
  let digits = 0;
  let fraction = -1;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 46 && fraction < 0) fraction = 0;
    else if (byte >= 48 && byte <= 57) {
      mantissa = mantissa * 10 + (byte - 48);
      digits++;
      if (fraction >= 0) fraction++;
    } else return null;
  }
  if (digits === 0 || mantissa > Number.MAX_SAFE_INTEGER || fraction > 22) return null;
  const value = fraction > 0 ? mantissa / (POWERS_OF_TEN[fraction] as number) : mantissa;
  return negative ? -value : value;
}
