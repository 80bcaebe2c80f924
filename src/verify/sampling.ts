import { Pcg64 } from '../stats/pcg64.ts';

/**
 * Returns `size` different indices below `total`, ascending: all of them when `size` is not smaller. Every subset is as
 * likely as any other; the seed decides.
 */
export function sampleIndices(total: number, size: number, seed: number): number[] {
  if (size >= total) return Array.from({ length: total }, (_, i) => i);
  const generator = new Pcg64(seed);
  const chosen = new Set<number>();
  // Floyd's method: one draw an index, no list of all of them.
  for (let last = total - size; last < total; last++) {
    const drawn = generator.below(last + 1);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return [...chosen].sort((a, b) => a - b);
}

/**
 * Returns the chance, 0 to 1, that a sample without replacement of `sampled` out of `total` holds none of `altered` items:
 * what a fraud of that size has to hope for.
 */
export function chanceOfMissing(total: number, altered: number, sampled: number): number {
  if (sampled + altered > total) return 0;
  let chance = 1;
  for (let i = 0; i < altered; i++) chance *= (total - sampled - i) / (total - i);
  return chance;
}

/** The sizes of fraud that are named, as shares of all items. */
const NAMED_SHARES = [0.01, 0.05, 0.2];

/** Returns e.g. `50 of 1,500 drawn with seed 7; had 1 % been altered, 60 % chance to miss it; …`, or that all were checked. */
export function samplingSentence(total: number, sampled: number, seed: number, what: string): string {
  if (sampled >= total) return `all ${total} ${what}`;
  const misses = NAMED_SHARES.map((share) => {
    const altered = Math.max(1, Math.round(share * total));
    return `${percent(altered / total)} altered: missed with chance ${percent(chanceOfMissing(total, altered, sampled))}`;
  });
  return `${sampled} of ${total} ${what}, drawn with seed ${seed}; ${misses.join('; ')}`;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value < 0.1 && value > 0 ? value.toExponential(1) : Number(value.toPrecision(2))} %`;
}
