import { AppError } from '../domain/app-error.ts';
import { discountTable } from './discounts.ts';

/** How a grade becomes gain: the grade itself, or 2^grade - 1. */
export type GainKind = 'log2' | 'exp-log2';

/** Above this grade 2^grade is no longer an exact double, and a sum of such gains means nothing. */
const HIGHEST_EXPONENTIAL_GRADE = 52;

/** Gain of a grade: 0 for grades of 0 and below. Exact; the exponential kind refuses grades above 52. */
export function gainOf(grade: number, kind: GainKind): number {
  if (grade <= 0) return 0;
  if (kind === 'log2') return grade;
  return powerOfTwo(grade) - 1;
}

/** 2^grade by doubling, since `**` is not specified to the bit. */
export function powerOfTwo(grade: number): number {
  if (grade > HIGHEST_EXPONENTIAL_GRADE)
    throw new AppError(
      'score',
      'grade-too-high',
      `Grade ${grade} is too high for a gain of 2^grade; the highest is ${HIGHEST_EXPONENTIAL_GRADE}. Use a measure with linear gain.`,
    );
  let power = 1;
  for (let i = 0; i < grade; i++) power *= 2;
  return power;
}

/** Discounted gain of documents at the given 1-based ranks up to `cutoff`, summed from the top: gain / log2(rank + 1). */
export function discountedGain(
  ranks: readonly number[],
  grades: readonly number[],
  cutoff: number,
  kind: GainKind,
): number {
  const last = ranks[ranks.length - 1];
  if (last === undefined) return 0;
  const discounts = discountTable(Math.min(last, cutoff));
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    if (rank > cutoff) break;
    const grade = grades[i] as number;
    if (grade > 0) sum += gainOf(grade, kind) / (discounts[rank] as number);
  }
  return sum;
}

/** Discounted gain of the best possible ranking: the grades, highest first, at ranks 1, 2, 3 … up to `cutoff`. */
export function idealGain(idealGrades: readonly number[], cutoff: number, kind: GainKind): number {
  const length = Math.min(idealGrades.length, cutoff);
  const discounts = discountTable(length);
  let sum = 0;
  for (let i = 0; i < length; i++)
    sum += gainOf(idealGrades[i] as number, kind) / (discounts[i + 1] as number);
  return sum;
}
