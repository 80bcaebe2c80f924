import { Pcg64 } from '../stats/pcg64.ts';

/** A repository (or another part) of a benchmark that is too large to load whole. */
export interface BenchmarkPart {
  readonly part: string;
  /** The group that it is drawn from. */
  readonly subdataset: string;
}

/**
 * Draws parts of a benchmark at random, spread over its sub-datasets in proportion to their sizes (every sub-dataset gets
 * at least one while there are enough draws), without replacement. The same parts, number and seed give the same sample.
 * A number that is not below the number of parts returns all. What is measured on it is a sample, never a full run.
 */
export function sampleParts<P extends BenchmarkPart>(parts: readonly P[], count: number, seed: number): P[] {
  if (count >= parts.length) return [...parts];
  const groups = new Map<string, P[]>();
  for (const part of parts) groups.set(part.subdataset, [...(groups.get(part.subdataset) ?? []), part]);
  const random = new Pcg64(seed);
  const shares = sharesOf(
    [...groups.values()].map((group) => group.length),
    count,
  );
  const chosen = [...groups.values()].flatMap((group, i) => shuffled(group, random).slice(0, shares[i]));
  const drawn = new Set(chosen);
  return parts.filter((part) => drawn.has(part));
}

/** Largest remainders, with one for everybody first; of equal remainders the earlier group wins. */
function sharesOf(sizes: readonly number[], count: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const quotas = sizes.map((size) => (size / total) * count);
  const everyone = count >= sizes.length ? 1 : 0;
  const shares = sizes.map((size, i) => Math.min(size, Math.max(everyone, Math.floor(quotas[i] as number))));
  const left = (): number => count - shares.reduce((sum, share) => sum + share, 0);
  while (left() !== 0) {
    const step = Math.sign(left());
    const best = sizes
      .map((size, i) => ({
        i,
        gap: step * ((quotas[i] as number) - (shares[i] as number)),
        free: step > 0 ? size - (shares[i] as number) : (shares[i] as number) - everyone,
      }))
      .filter(({ free }) => free > 0)
      .sort((a, b) => b.gap - a.gap || a.i - b.i)[0];
    if (best === undefined) break;
    shares[best.i] = (shares[best.i] as number) + step;
  }
  return shares;
}

function shuffled<T>(items: readonly T[], random: Pcg64): T[] {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}
