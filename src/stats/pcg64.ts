import { seedWords } from './seed-sequence.ts';

const TWO_32 = 4294967296;

// The multiplier 0x2360ed051fc65da44385df649fccf645, least significant 32 bits first, each split into 16-bit halves:
// products of halves fit a double and Math.imul, so that no BigInt is met in the inner loop.
const M0 = 0x9fccf645;
const M1 = 0x4385df64;
const M2 = 0x1fc65da4;
const M3 = 0x2360ed05;

/** High 32 bits of the unsigned product of two 32-bit words. */
function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

/**
 * numpy's default generator, bit for bit: `new Pcg64(seed)` draws what `numpy.random.default_rng(seed)` draws.
 * PCG XSL-RR 128/64 (O'Neill 2014), seeded through numpy's SeedSequence; bounded integers by Lemire's method on
 * 32-bit halves, the low half of each 64-bit output first and the high half kept for the next call.
 */
export class Pcg64 {
  // 128-bit state and increment as four unsigned words, least significant first.
  #s0 = 0;
  #s1 = 0;
  #s2 = 0;
  #s3 = 0;
  readonly #i0: number;
  readonly #i1: number;
  readonly #i2: number;
  readonly #i3: number;
  // The last 64-bit output.
  #low = 0;
  #high = 0;
  #kept = false;

  /** `seed` is a non-negative whole number of any size; throws RangeError otherwise. */
  constructor(seed: number | bigint) {
    const words = seedWords(seed, 8);
    const word = (i: number): bigint => BigInt(words[i] as number);
    const join = (i: number): bigint =>
      (((word(i + 1) << 32n) | word(i)) << 64n) | (word(i + 3) << 32n) | word(i + 2);
    const part = (value: bigint, i: number): number => Number((value >> BigInt(32 * i)) & 0xffffffffn);
    const increment = BigInt.asUintN(128, (join(4) << 1n) | 1n);
    const state = BigInt.asUintN(128, increment + join(0));
    this.#i0 = part(increment, 0);
    this.#i1 = part(increment, 1);
    this.#i2 = part(increment, 2);
    this.#i3 = part(increment, 3);
    this.#s0 = part(state, 0);
    this.#s1 = part(state, 1);
    this.#s2 = part(state, 2);
    this.#s3 = part(state, 3);
    this.#step();
  }

  /** Returns state and increment as 128-bit integers, as numpy's `bit_generator.state` prints them. */
  state(): { state: bigint; increment: bigint } {
    const join = (a: number, b: number, c: number, d: number): bigint =>
      (BigInt(d) << 96n) | (BigInt(c) << 64n) | (BigInt(b) << 32n) | BigInt(a);
    return {
      state: join(this.#s0, this.#s1, this.#s2, this.#s3),
      increment: join(this.#i0, this.#i1, this.#i2, this.#i3),
    };
  }

  #step(): void {
    const a0 = this.#s0;
    const a1 = this.#s1;
    const a2 = this.#s2;
    const a3 = this.#s3;
    // Schoolbook product modulo 2^128; every sum stays far below 2^53.
    let sum = (Math.imul(a0, M0) >>> 0) + this.#i0;
    this.#s0 = sum >>> 0;
    sum =
      (sum >= TWO_32 ? 1 : 0) +
      this.#i1 +
      multiplyHigh(a0, M0) +
      (Math.imul(a0, M1) >>> 0) +
      (Math.imul(a1, M0) >>> 0);
    this.#s1 = sum >>> 0;
    sum =
      Math.floor(sum / TWO_32) +
      this.#i2 +
      multiplyHigh(a0, M1) +
      multiplyHigh(a1, M0) +
      (Math.imul(a0, M2) >>> 0) +
      (Math.imul(a1, M1) >>> 0) +
      (Math.imul(a2, M0) >>> 0);
    this.#s2 = sum >>> 0;
    sum =
      Math.floor(sum / TWO_32) +
      this.#i3 +
      multiplyHigh(a0, M2) +
      multiplyHigh(a1, M1) +
      multiplyHigh(a2, M0) +
      (Math.imul(a0, M3) >>> 0) +
      (Math.imul(a1, M2) >>> 0) +
      (Math.imul(a2, M1) >>> 0) +
      (Math.imul(a3, M0) >>> 0);
    this.#s3 = sum >>> 0;
  }

  #draw(): void {
    this.#step();
    const low = this.#s0 ^ this.#s2;
    const high = this.#s1 ^ this.#s3;
    const rotation = this.#s3 >>> 26;
    const r = rotation & 31;
    const a = rotation < 32 ? low : high;
    const b = rotation < 32 ? high : low;
    if (r === 0) {
      this.#low = a >>> 0;
      this.#high = b >>> 0;
    } else {
      this.#low = ((a >>> r) | (b << (32 - r))) >>> 0;
      this.#high = ((b >>> r) | (a << (32 - r))) >>> 0;
    }
  }

  /** Returns the next raw 64-bit output. A kept 32-bit half is left alone, as in numpy. */
  next64(): bigint {
    const kept = this.#kept ? this.#high : undefined;
    this.#draw();
    const value = (BigInt(this.#high) << 32n) | BigInt(this.#low);
    if (kept !== undefined) this.#high = kept;
    return value;
  }

  /** Returns the next unsigned 32-bit word: the low half of an output, then its high half. */
  next32(): number {
    if (this.#kept) {
      this.#kept = false;
      return this.#high;
    }
    this.#draw();
    this.#kept = true;
    return this.#low;
  }

  /** Returns a float64 in [0, 1) with 53 random bits, as numpy's `random()`. */
  random(): number {
    const value = this.next64();
    return Number(value >> 11n) / 9007199254740992;
  }

  /**
   * Returns a uniform integer in [0, bound), as numpy's `integers(0, bound)`. `bound` is a whole number in 1..2^32
   * (numpy takes another path beyond, which no list here can need); throws RangeError otherwise.
   */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > TWO_32)
      throw new RangeError(`A bound is a whole number from 1 to 2^32, got ${bound}.`);
    if (bound === 1) return 0;
    if (bound === TWO_32) return this.next32();
    let word = this.next32();
    let low = Math.imul(word, bound) >>> 0;
    if (low < bound) {
      const threshold = (TWO_32 - bound) % bound;
      while (low < threshold) {
        word = this.next32();
        low = Math.imul(word, bound) >>> 0;
      }
    }
    return multiplyHigh(word, bound);
  }

  /** Fills `target` with uniform integers in [0, bound) and returns it, as numpy's `integers(0, bound, size)`. */
  fillBelow(bound: number, target: Uint32Array): Uint32Array {
    for (let i = 0; i < target.length; i++) target[i] = this.below(bound);
    return target;
  }

  /** Returns 0..length-1 in random order, as numpy's `permutation(length)` (length below 2^31). */
  permutation(length: number): Uint32Array {
    const order = Uint32Array.from({ length }, (_, i) => i);
    for (let i = length - 1; i > 0; i--) {
      // numpy shuffles by masked rejection, not by Lemire's method.
      const mask = 0xffffffff >>> Math.clz32(i);
      let j = this.next32() & mask;
      while (j > i) j = this.next32() & mask;
      const value = order[i] as number;
      order[i] = order[j] as number;
      order[j] = value;
    }
    return order;
  }
}
