import { seedWords } from './seed-sequence.ts';

const TWO_32 = 4294967296;
const INVERSE_TWO_32 = 1 / TWO_32;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

// 128-bit numbers as six limbs of 24 bits (the last one of 8): a product of limbs has 48 bits and a sum of six such
// products still fits a double, so that the inner loop needs neither BigInt nor splitting.
const LIMB = 16777216;
const INVERSE_LIMB = 1 / LIMB;
const [M0, M1, M2, M3, M4, M5] = limbsOf(MULTIPLIER);

/** 32-bit words made at a time; even, since an output has two. */
const BUFFER_WORDS = 512;

/**
 * numpy's default generator, bit for bit: `new Pcg64(seed)` draws what `numpy.random.default_rng(seed)` draws.
 * PCG XSL-RR 128/64 (O'Neill 2014), seeded through numpy's SeedSequence; bounded integers by Lemire's method on
 * 32-bit halves, the low half of each 64-bit output first and the high half kept for the next call.
 */
export class Pcg64 {
  readonly #increment: bigint;
  /** State before the outputs in the buffer; every one of them is a step further. */
  #start: bigint;
  /** State after them, as limbs. */
  readonly #limbs: Float64Array;
  readonly #incrementLimbs: Float64Array;
  /** Outputs as pairs of words, low half first. At an odd place the high half is kept for `next32`. */
  readonly #words = new Uint32Array(BUFFER_WORDS);
  #place = BUFFER_WORDS;

  /** `seed` is a non-negative whole number of any size; throws RangeError otherwise. */
  constructor(seed: number | bigint) {
    const words = seedWords(seed, 8);
    const word = (i: number): bigint => BigInt(words[i] as number);
    const join = (i: number): bigint =>
      (((word(i + 1) << 32n) | word(i)) << 64n) | (word(i + 3) << 32n) | word(i + 2);
    this.#increment = BigInt.asUintN(128, (join(4) << 1n) | 1n);
    this.#start = this.#stepped(this.#increment + join(0));
    this.#limbs = Float64Array.from(limbsOf(this.#start));
    this.#incrementLimbs = Float64Array.from(limbsOf(this.#increment));
  }

  #stepped(state: bigint): bigint {
    return BigInt.asUintN(128, state * MULTIPLIER + this.#increment);
  }

  /** Returns state and increment as 128-bit integers, as numpy's `bit_generator.state` prints them after the draws so far. */
  state(): { state: bigint; increment: bigint } {
    let state = this.#start;
    const unused = this.#place === BUFFER_WORDS && state === joinLimbs(this.#limbs);
    const outputs = unused ? 0 : Math.ceil(this.#place / 2);
    for (let i = 0; i < outputs; i++) state = this.#stepped(state);
    return { state, increment: this.#increment };
  }

  #refill(): void {
    const limbs = this.#limbs;
    const increment = this.#incrementLimbs;
    const words = this.#words;
    this.#start = joinLimbs(limbs);
    let [a0, a1, a2, a3, a4, a5] = limbs as unknown as Six;
    const [i0, i1, i2, i3, i4, i5] = increment as unknown as Six;
    for (let k = 0; k < BUFFER_WORDS; k += 2) {
      let sum = a0 * M0 + i0;
      let carry = Math.floor(sum * INVERSE_LIMB);
      const b0 = sum - carry * LIMB;
      sum = a0 * M1 + a1 * M0 + i1 + carry;
      carry = Math.floor(sum * INVERSE_LIMB);
      const b1 = sum - carry * LIMB;
      sum = a0 * M2 + a1 * M1 + a2 * M0 + i2 + carry;
      carry = Math.floor(sum * INVERSE_LIMB);
      const b2 = sum - carry * LIMB;
      sum = a0 * M3 + a1 * M2 + a2 * M1 + a3 * M0 + i3 + carry;
      carry = Math.floor(sum * INVERSE_LIMB);
      const b3 = sum - carry * LIMB;
      sum = a0 * M4 + a1 * M3 + a2 * M2 + a3 * M1 + a4 * M0 + i4 + carry;
      carry = Math.floor(sum * INVERSE_LIMB);
      const b4 = sum - carry * LIMB;
      sum = a0 * M5 + a1 * M4 + a2 * M3 + a3 * M2 + a4 * M1 + a5 * M0 + i5 + carry;
      a5 = sum - Math.floor(sum / 256) * 256;
      a0 = b0;
      a1 = b1;
      a2 = b2;
      a3 = b3;
      a4 = b4;
      // XSL-RR: the halves xored, rotated right by the top six bits.
      const top = a4 | (a5 << 24);
      const low = a0 ^ (a1 << 24) ^ (a2 >>> 16) ^ (a3 << 8);
      const high = (a1 >>> 8) ^ (a2 << 16) ^ top;
      const rotation = top >>> 26;
      const r = rotation & 31;
      const x = rotation < 32 ? low : high;
      const y = rotation < 32 ? high : low;
      words[k] = r === 0 ? x : (x >>> r) | (y << (32 - r));
      words[k + 1] = r === 0 ? y : (y >>> r) | (x << (32 - r));
    }
    limbs[0] = a0;
    limbs[1] = a1;
    limbs[2] = a2;
    limbs[3] = a3;
    limbs[4] = a4;
    limbs[5] = a5;
    this.#place = 0;
  }

  /** Returns the next raw 64-bit output. A kept 32-bit half is left alone, as in numpy. */
  next64(): bigint {
    const kept = this.#place % 2 === 1 ? (this.#words[this.#place] as number) : undefined;
    let place = kept === undefined ? this.#place : this.#place + 1;
    if (place >= BUFFER_WORDS) {
      this.#refill();
      place = 0;
    }
    const value = (BigInt(this.#words[place + 1] as number) << 32n) | BigInt(this.#words[place] as number);
    this.#place = place + 2;
    if (kept !== undefined) {
      // The kept half moves behind the output that was just taken.
      this.#place = place + 1;
      this.#words[place + 1] = kept;
    }
    return value;
  }

  /** Returns the next unsigned 32-bit word: the low half of an output, then its high half. */
  next32(): number {
    if (this.#place === BUFFER_WORDS) this.#refill();
    return this.#words[this.#place++] as number;
  }

  /** Returns a float64 in [0, 1) with 53 random bits, as numpy's `random()`. */
  random(): number {
    return Number(this.next64() >> 11n) / 9007199254740992;
  }

  /**
   * Returns a uniform integer in [0, bound), as numpy's `integers(0, bound)`. `bound` is a whole number in 1..2^32
   * (numpy takes another path beyond, which no list here can need); throws RangeError otherwise.
   */
  below(bound: number): number {
    return this.fillBelow(bound, new Uint32Array(1))[0] as number;
  }

  /** Fills `target` with uniform integers in [0, bound) and returns it, as numpy's `integers(0, bound, size)`. */
  fillBelow(bound: number, target: Uint32Array): Uint32Array {
    if (!Number.isInteger(bound) || bound < 1 || bound > TWO_32)
      throw new RangeError(`A bound is a whole number from 1 to 2^32, got ${bound}.`);
    if (bound === 1) return target.fill(0);
    const threshold = (TWO_32 - bound) % bound;
    const words = this.#words;
    let place = this.#place;
    for (let i = 0; i < target.length; i++) {
      let low: number;
      let word: number;
      do {
        if (place === BUFFER_WORDS) {
          this.#refill();
          place = 0;
        }
        word = words[place++] as number;
        low = Math.imul(word, bound) >>> 0;
      } while (low < threshold);
      // The product has up to 64 bits; without its low half the rounded one is a multiple of 2^32 again.
      target[i] = Math.floor((word * bound - low) * INVERSE_TWO_32 + 0.5);
    }
    this.#place = place;
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

type Six = readonly [number, number, number, number, number, number];

/** Least significant first. */
function limbsOf(value: bigint): Six {
  const limb = (i: number): number => Number((value >> BigInt(24 * i)) & 0xffffffn);
  return [limb(0), limb(1), limb(2), limb(3), limb(4), limb(5)];
}

function joinLimbs(limbs: Float64Array): bigint {
  return limbs.reduceRight((value, limb) => (value << 24n) | BigInt(limb), 0n);
}
