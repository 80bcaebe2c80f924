import { DEFAULT_SEED } from './bootstrap.ts';
import { mcnemarExact } from './mcnemar.ts';
import { Pcg64 } from './pcg64.ts';

/** Result of a paired randomisation test. */
export interface RandomisationResult {
  /** Two-sided: how often flipping signs at random gives a mean difference at least as far from 0. */
  readonly p: number;
  /** Whether all sign patterns were counted; otherwise they were sampled. */
  readonly exact: boolean;
  /** Sign patterns looked at. */
  readonly patterns: number;
}

export interface RandomisationOptions {
  /** Sign patterns to sample when there are too many to count, default 10,000. */
  readonly samples?: number;
  /** Default 20260510. */
  readonly seed?: number | bigint;
}

/** Up to so many non-zero differences all sign patterns are counted. */
const EXACT_UP_TO = 20;

/**
 * Returns the paired randomisation (permutation, Fisher-Pitman) test on differences: exact up to 20 non-zero
 * differences and wherever all of them have one size (then it is McNemar's), sampled beyond with p = (1 + hits) / (1 + samples).
 * Source: Smucker, Allan and Carterette 2007.
 */
export function pairedRandomisation(
  differences: ArrayLike<number>,
  options: RandomisationOptions = {},
): RandomisationResult {
  return pairedRandomisations([differences], options)[0] as RandomisationResult;
}

/**
 * Returns {@link pairedRandomisation} of several lists of differences. Sampled sign patterns are drawn once for all of them,
 * which changes no result and is most of the work for many pairs of systems.
 */
export function pairedRandomisations(
  lists: readonly ArrayLike<number>[],
  options: RandomisationOptions = {},
): RandomisationResult[] {
  const patterns = new SignPatterns(options.samples ?? 10_000, options.seed ?? DEFAULT_SEED);
  return lists.map((differences) => randomise(differences, patterns));
}

/** Words kept for all lists; 16 MB. Patterns of more queries are drawn anew for each list. */
const KEPT_WORDS = 4_000_000;

/** Sampled sign patterns as words of 32 signs, for every list from the beginning of the same stream. */
class SignPatterns {
  readonly samples: number;
  readonly #seed: number | bigint;
  readonly #random: Pcg64;
  #kept = new Uint32Array(0);

  constructor(samples: number, seed: number | bigint) {
    this.samples = samples;
    this.#seed = seed;
    this.#random = new Pcg64(seed);
  }

  /** Calls `each` with the words of every pattern and the place where the pattern begins. */
  forEach(wordsEach: number, each: (words: Uint32Array, from: number) => void): void {
    const count = this.samples * wordsEach;
    if (count > KEPT_WORDS) {
      const random = new Pcg64(this.#seed);
      const row = new Uint32Array(wordsEach);
      for (let s = 0; s < this.samples; s++) {
        for (let i = 0; i < wordsEach; i++) row[i] = random.next32();
        each(row, 0);
      }
      return;
    }
    if (count > this.#kept.length) {
      // A longer list extends what shorter ones have drawn.
      const longer = new Uint32Array(count);
      longer.set(this.#kept);
      for (let i = this.#kept.length; i < count; i++) longer[i] = this.#random.next32();
      this.#kept = longer;
    }
    for (let s = 0; s < this.samples; s++) each(this.#kept, s * wordsEach);
  }
}

function randomise(differences: ArrayLike<number>, patterns: SignPatterns): RandomisationResult {
  const values = Array.from(differences).filter((difference) => difference !== 0);
  const n = values.length;
  if (n === 0) return { p: 1, exact: true, patterns: 1 };
  const size = Math.abs(values[0] as number);
  if (values.every((value) => Math.abs(value) === size)) {
    const positive = values.filter((value) => value > 0).length;
    return { p: mcnemarExact(positive, n - positive).p, exact: true, patterns: 2 ** n };
  }
  const total = values.reduce((sum, value) => sum + Math.abs(value), 0);
  // Sums of the same numbers in another order differ by rounding: what equals the observed one must count.
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0)) - 1e-12 * total;
  return n <= EXACT_UP_TO ? countAll(values, observed) : sample(values, observed, patterns);
}

/** All 2^n patterns as sums of two halves, so that no sum has more than n terms' rounding. */
function countAll(values: readonly number[], observed: number): RandomisationResult {
  const half = values.length >>> 1;
  const left = signedSums(values.slice(0, half));
  const right = signedSums(values.slice(half)).sort();
  let hits = 0;
  for (const sum of left) {
    // |sum + r| >= observed: r >= observed - sum, or r <= -observed - sum.
    hits += right.length - firstAtLeast(right, observed - sum);
    hits += firstAbove(right, -observed - sum);
  }
  const patterns = left.length * right.length;
  return { p: Math.min(1, hits / patterns), exact: true, patterns };
}

function signedSums(values: readonly number[]): Float64Array {
  let sums = Float64Array.of(0);
  for (const value of values) {
    const next = new Float64Array(sums.length * 2);
    sums.forEach((sum, i) => {
      next[2 * i] = sum + value;
      next[2 * i + 1] = sum - value;
    });
    sums = next;
  }
  return sums;
}

function firstAtLeast(sorted: Float64Array, bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) >= bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstAbove(sorted: Float64Array, bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Eight differences at a time: the 256 signed sums of each eight are made once, so that a pattern costs n / 8 additions. */
const GROUP = 8;

function sample(values: readonly number[], observed: number, patterns: SignPatterns): RandomisationResult {
  const groups = Math.ceil(values.length / GROUP);
  // Filled up to whole words of 32 bits; what is beyond the differences stays 0.
  const wordsEach = Math.ceil(groups / 4);
  const table = new Float64Array(wordsEach * 4 * 256);
  for (let g = 0; g < groups; g++) {
    const sums = signedSums(values.slice(g * GROUP, (g + 1) * GROUP));
    // A last group of fewer differences takes no notice of the bits that it does not need.
    for (let pattern = 0; pattern < 256; pattern++)
      table[g * 256 + pattern] = sums[pattern % sums.length] as number;
  }
  let hits = 0;
  patterns.forEach(wordsEach, (words, from) => {
    let sum = 0;
    for (let word = 0; word < wordsEach; word++) {
      const bits = words[from + word] as number;
      const at = word * 1024;
      sum +=
        (table[at + (bits & 255)] as number) +
        (table[at + 256 + ((bits >>> 8) & 255)] as number) +
        (table[at + 512 + ((bits >>> 16) & 255)] as number) +
        (table[at + 768 + (bits >>> 24)] as number);
    }
    if (Math.abs(sum) >= observed) hits++;
  });
  return { p: (1 + hits) / (1 + patterns.samples), exact: false, patterns: patterns.samples };
}
