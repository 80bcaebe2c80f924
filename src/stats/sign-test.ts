import { mcnemarExact } from './mcnemar.ts';

/** Returns the exact two-sided sign test on paired differences: zeros are left out, only directions count. */
export function signTest(differences: ArrayLike<number>): { positive: number; negative: number; p: number } {
  let positive = 0;
  let negative = 0;
  for (let i = 0; i < differences.length; i++) {
    const difference = differences[i] as number;
    if (difference > 0) positive++;
    else if (difference < 0) negative++;
  }
  // The same binomial tail: McNemar's test is the sign test on 0/1 outcomes.
  return { positive, negative, p: mcnemarExact(positive, negative).p };
}
