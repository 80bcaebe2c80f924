const POOL_SIZE = 4;

/**
 * Returns `words` unsigned 32-bit words derived from a seed, equal to numpy's
 * `SeedSequence(seed).generate_state(words, uint32)`: how numpy turns a seed into the state of a generator.
 * `seed` is a non-negative integer of any size; throws RangeError otherwise.
 * Source: numpy/random/bit_generator.pyx (after Melissa O'Neill's seed_seq).
 */
export function seedWords(seed: number | bigint, words: number): Uint32Array {
  const pool = entropyPool(splitSeed(seed));
  const state = new Uint32Array(words);
  let constant = 0x8b51f9dd;
  for (let i = 0; i < words; i++) {
    let value = (pool[i % POOL_SIZE] as number) ^ constant;
    constant = Math.imul(constant, 0x58f38ded);
    value = Math.imul(value, constant);
    state[i] = value ^ (value >>> 16);
  }
  return state;
}

/** Returns the four pool words that numpy's `SeedSequence(seed).pool` holds. */
export function seedPool(seed: number | bigint): Uint32Array {
  return entropyPool(splitSeed(seed));
}

function splitSeed(seed: number | bigint): number[] {
  if (typeof seed === 'number' && !Number.isSafeInteger(seed))
    throw new RangeError(`A seed is a non-negative whole number, got ${seed}.`);
  let rest = BigInt(seed);
  if (rest < 0n) throw new RangeError(`A seed is a non-negative whole number, got ${seed}.`);
  const words: number[] = [];
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

function entropyPool(entropy: readonly number[]): Uint32Array {
  const pool = new Uint32Array(POOL_SIZE);
  let constant = 0x43b0d7e5;
  const hash = (input: number): number => {
    let value = input ^ constant;
    constant = Math.imul(constant, 0x931e8875);
    value = Math.imul(value, constant);
    return value ^ (value >>> 16);
  };
  const mix = (x: number, y: number): number => {
    const value = Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y);
    return value ^ (value >>> 16);
  };
  for (let i = 0; i < POOL_SIZE; i++) pool[i] = hash(entropy[i] ?? 0);
  for (let source = 0; source < POOL_SIZE; source++) {
    for (let target = 0; target < POOL_SIZE; target++) {
      if (source !== target) pool[target] = mix(pool[target] as number, hash(pool[source] as number));
    }
  }
  for (let i = POOL_SIZE; i < entropy.length; i++) {
    for (let target = 0; target < POOL_SIZE; target++)
      pool[target] = mix(pool[target] as number, hash(entropy[i] as number));
  }
  return pool;
}
