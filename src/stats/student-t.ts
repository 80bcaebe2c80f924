import { incompleteBeta } from './beta-function.ts';

/** Returns P(T > t) for Student's t with `degrees` (> 0) degrees of freedom, accurate in the far tail. */
export function studentUpperTail(t: number, degrees: number): number {
  if (Number.isNaN(t) || !(degrees > 0)) return NaN;
  const square = t * t;
  const tail =
    0.5 * incompleteBeta(degrees / (degrees + square), degrees / 2, 0.5, square / (degrees + square));
  return t >= 0 ? tail : 1 - tail;
}

/** Returns the two-sided p of a t statistic. */
export function studentTwoSided(t: number, degrees: number): number {
  return Math.min(1, 2 * studentUpperTail(Math.abs(t), degrees));
}

/** Returns the t with P(T <= t) = probability, for probability in (0, 1), by bisection to the last bit. */
export function studentQuantile(probability: number, degrees: number): number {
  if (!(probability > 0 && probability < 1)) return NaN;
  if (probability < 0.5) return -studentQuantile(1 - probability, degrees);
  const tail = 1 - probability;
  let low = 0;
  let high = 1;
  while (studentUpperTail(high, degrees) > tail) high *= 2;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (studentUpperTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
}
