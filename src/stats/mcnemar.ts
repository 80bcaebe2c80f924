import { chiSquare1UpperTail } from './normal.ts';

const TWO_512 = 1.3407807929942597e154;

/** The paired outcomes of two systems on the same queries. */
export interface PairedTable {
  /** Queries that both solve. */
  readonly both: number;
  /** Queries that only the first solves. */
  readonly aOnly: number;
  /** Queries that only the second solves. */
  readonly bOnly: number;
  /** Queries that neither solves. */
  readonly neither: number;
}

/** Returns the table of two lists of outcomes (non-zero = solved) over the same queries in the same order. */
export function pairedTable(a: ArrayLike<number>, b: ArrayLike<number>): PairedTable {
  if (a.length !== b.length)
    throw new RangeError(`Paired outcomes have equal length, got ${a.length} and ${b.length}.`);
  let both = 0;
  let aOnly = 0;
  let bOnly = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== 0) {
      if (b[i] !== 0) both++;
      else aOnly++;
    } else if (b[i] !== 0) bOnly++;
  }
  return { both, aOnly, bOnly, neither: a.length - both - aOnly - bOnly };
}

/** Result of a McNemar test on discordant counts. */
export interface McNemarResult {
  /** Two-sided, in 0..1; 0 only below 5e-324. */
  readonly p: number;
  /** log10 of the two-sided p, finite also where `p` is 0. */
  readonly log10P: number;
}

/**
 * Returns the exact two-sided McNemar test: twice the smaller tail of Binomial(b + c, 1/2), clamped to 1; nothing
 * discordant gives 1. Uses only additions, multiplications and divisions, so every engine gets the same bits.
 * `b` and `c` are the discordant counts; throws RangeError unless both are non-negative whole numbers.
 */
export function mcnemarExact(b: number, c: number): McNemarResult {
  const { tail, exponent } = smallerTail(b, c);
  if (Math.abs(b - c) <= 1) return { p: 1, log10P: 0 };
  return toProbability(2 * tail, exponent);
}

/**
 * Returns the two-sided mid-p McNemar test: the exact one less the probability of the observed table. Less
 * conservative; not guaranteed to hold its level. Source: Fagerland, Lydersen and Laake 2013.
 */
export function mcnemarMidP(b: number, c: number): McNemarResult {
  const { term, tail, exponent } = smallerTail(b, c);
  if (b === c) return { p: 1, log10P: 0 };
  return toProbability(2 * tail - term, exponent);
}

/** A McNemar test by the chi-square approximation with one degree of freedom. */
export interface McNemarApproximation {
  readonly chiSquare: number;
  readonly p: number;
}

/**
 * Returns McNemar's chi-square approximation, kept for comparison with papers; null when nothing is discordant.
 * `correction`: `none` (b - c)^2 / (b + c); `edwards` (|b - c| - 1)^2 / (b + c), not clamped, as statsmodels has it;
 * `edwards-clamped` takes 0 for a negative |b - c| - 1.
 */
export function mcnemarApproximate(
  b: number,
  c: number,
  correction: 'none' | 'edwards' | 'edwards-clamped' = 'edwards-clamped',
): McNemarApproximation | null {
  if (b + c === 0) return null;
  const distance = Math.abs(b - c) - (correction === 'none' ? 0 : 1);
  const used = correction === 'edwards-clamped' ? Math.max(0, distance) : distance;
  const chiSquare = (used * used) / (b + c);
  return { chiSquare, p: chiSquare1UpperTail(chiSquare) };
}

/** C(n, k) and the sum of C(n, i) for i <= k, both times 2^exponent; n = b + c, k the smaller count. Exact up to n = 53. */
function smallerTail(b: number, c: number): { term: number; tail: number; exponent: number } {
  for (const count of [b, c]) {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError(`Discordant counts are non-negative whole numbers, got ${b} and ${c}.`);
  }
  const n = b + c;
  const k = Math.min(b, c);
  let term = 1;
  let tail = 1;
  let exponent = -n;
  for (let i = 1; i <= k; i++) {
    term = (term * (n - i + 1)) / i;
    tail += term;
    if (term > TWO_512) {
      term /= TWO_512;
      tail /= TWO_512;
      exponent += 512;
    }
  }
  return { term, tail, exponent };
}

/** mantissa * 2^exponent as a probability. Binomial terms leave the range of float64, hence the two parts. */
function toProbability(mantissa: number, exponent: number): McNemarResult {
  const log10P = Math.min(0, Math.log10(mantissa) + exponent * Math.LOG10E * Math.LN2);
  const shift = Math.floor(Math.log2(mantissa));
  const normal = mantissa / powerOfTwo(shift);
  const total = shift + exponent;
  // Below the normal range in two steps, so that only the last one rounds.
  const p =
    total >= -1022
      ? normal * powerOfTwo(total)
      : total < -1100
        ? 0
        : normal * powerOfTwo(-1022) * powerOfTwo(total + 1022);
  return { p: Math.min(1, p), log10P };
}

/** 2^exponent for -1022..1023, from its bits: the standard does not promise that `2 ** x` is exact. */
function powerOfTwo(exponent: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, (exponent + 1023) * 0x100000);
  return view.getFloat64(0);
}
