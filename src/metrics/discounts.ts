/*
 * log2 differs in the last bit between engines (ECMA-262 leaves it "implementation-approximated"), and a value that enters
 * a digest must not. This table is made of + - * / alone, which IEEE 754 fixes to the bit.
 */

const TERMS = 14;
const INVERSE_LN2_TIMES_2 = 2.8853900817779268;

let table = new Float64Array(0);

/** Returns a table whose entry i is log2(i + 1), so that entry r is the discount of rank r (1-based); at least `ranks + 1` long. Entry 0 is 0 and unused. */
export function discountTable(ranks: number): Float64Array {
  if (table.length <= ranks) {
    const longer = new Float64Array(Math.max(1_024, ranks + 1, table.length * 2));
    longer.set(table);
    for (let rank = table.length; rank < longer.length; rank++) longer[rank] = log2Portable(rank + 1);
    table = longer;
  }
  return table;
}

/**
 * log2 of a positive integer, the same bits on every engine and within 2 units in the last place of the true value;
 * exact for powers of two. Series of the inverse hyperbolic tangent after taking out the power of two.
 */
export function log2Portable(value: number): number {
  let exponent = 0;
  let mantissa = value;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent++;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const square = s * s;
  let sum = 0;
  for (let term = TERMS; term >= 0; term--) sum = sum * square + 1 / (2 * term + 1);
  return exponent + INVERSE_LN2_TIMES_2 * s * sum;
}
