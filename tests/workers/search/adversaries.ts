import type { SearchRequest } from '../../../src/contracts/search.ts';
import type { Corpus } from './reference.ts';

/** A stream of numbers in [0, 1). */
export type Random = () => number;

/** mulberry32: seeded, the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the float32 that is `steps` representable numbers away. */
export function nudge(value: number, steps: number): number {
  const float = Float32Array.of(value);
  const bits = new Int32Array(float.buffer);
  bits[0] = (bits[0] as number) + steps;
  return Number.isFinite(float[0]) ? (float[0] as number) : value;
}

type Maker = (
  random: Random,
  query: Float32Array,
  row: Float32Array,
  index: number,
  base: Float32Array,
) => void;

const signed = (random: Random): number => 2 * random() - 1;

/** Ways to make a document that the fast pass could get wrong. `query` is the first query, `base` the same for all rows. */
const MAKERS: Readonly<Record<string, Maker>> = {
  ordinary: (random, _, row) => row.forEach((__, i) => (row[i] = signed(random))),
  /** One unit in the last place apart: only float64 sums tell them apart. */
  'near-ties': (random, _, row, __, base) => {
    row.set(base);
    const at = Math.floor(random() * row.length);
    row[at] = nudge(row[at] as number, Math.floor(random() * 3) - 1);
  },
  'near-copies of the query': (random, query, row) => {
    row.forEach((_, i) => (row[i] = (query[i] as number) * (1 + 1e-6 * signed(random))));
  },
  'huge and tiny norms': (random, _, row) => {
    const scale = 2 ** Math.floor(signed(random) * 120);
    row.forEach((__, i) => (row[i] = scale * signed(random)));
  },
  'huge and tiny components': (random, _, row) => {
    row.forEach((__, i) => (row[i] = 2 ** Math.floor(signed(random) * 60) * signed(random)));
  },
  cancellation: (random, query, row) => {
    const big = 2 ** (10 + Math.floor(random() * 20));
    for (let i = 0; i < row.length; i++) row[i] = signed(random);
    for (let i = 0; i + 1 < row.length; i += 2) {
      if (random() < 0.4) {
        row[i] = big * (query[i + 1] as number);
        row[i + 1] = -big * (query[i] as number);
      }
    }
  },
  denormals: (random, _, row) => {
    row.forEach((__, i) => (row[i] = 2 ** -140 * signed(random)));
  },
  duplicates: (_, __, row, index, base) => {
    row.set(base);
    if (index % 5 === 4) row[0] = -(row[0] as number);
  },
  zeros: (random, _, row) => row.fill(random() < 0.5 ? 0 : -0),
  /** All levels at their largest: the sums of 16 bits come as near to their limits as they can. */
  'largest levels': (random, query, row) => {
    row.forEach((_, i) => (row[i] = (random() < 0.9 ? 1 : -1) * Math.sign(query[i] as number)));
  },
  /** One component takes the whole scale, the others vanish in rounding. */
  spikes: (random, query, row) => {
    row.forEach((_, i) => (row[i] = 0.0039 * Math.sign(query[i] as number) * (0.9 + 0.2 * random())));
    row[Math.floor(random() * row.length)] = random() < 0.5 ? 1 : -1;
  },
  /** Every rounding error points along the query, or against it: the bound of Cauchy and Schwarz is nearly reached. */
  'aligned errors': (random, query, row, index) => {
    const direction = index % 2 === 0 ? 1 : -1;
    row.forEach((_, i) => {
      const level = Math.floor(signed(random) * 40);
      row[i] = (level + direction * 0.49 * Math.sign(query[i] as number)) / 127;
    });
    row[0] = 1;
  },
};

/** The names of the ways. */
export const KINDS = Object.keys(MAKERS);

/** One random case: a corpus, a request, and how to cut it up. */
export interface SearchCase {
  readonly kinds: readonly string[];
  readonly corpus: Corpus;
  readonly request: SearchRequest;
  readonly blockSizes: readonly number[];
  readonly groupRows: number;
  readonly gatherRows: number;
  readonly reverse: boolean;
}

/** Makes one case. Most corpora mix two kinds of document, so that thresholds from one meet the other. */
export function makeCase(seed: number): SearchCase {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const dimensions = pick([1, 2, 3, 5, 8, 17, 33, 64, 65, 100, 130]);
  const documents = Math.floor(random() ** 2 * 400);
  const count = pick([1, 1, 2, 3, 4, 5, 6, 7, 13]);
  const kinds = random() < 0.4 ? [pick(KINDS)] : [pick(KINDS), pick(KINDS)];
  const queries = new Float32Array(count * dimensions);
  for (let query = 0; query < count; query++) {
    const into = queries.subarray(query * dimensions, (query + 1) * dimensions);
    const kind = random();
    if (kind < 0.05) continue;
    const scale = kind < 0.2 ? 2 ** Math.floor(signed(random) * 100) : 1;
    into.forEach((_, i) => (into[i] = scale * (kind < 0.35 ? Math.sign(signed(random)) : signed(random))));
  }
  const base = Float32Array.from({ length: dimensions }, () => signed(random));
  const values = new Float32Array(documents * dimensions);
  for (let row = 0; row < documents; row++) {
    const maker = MAKERS[pick(kinds)] as Maker;
    maker(
      random,
      queries.subarray(0, dimensions),
      values.subarray(row * dimensions, (row + 1) * dimensions),
      row,
      base,
    );
  }
  const ids = Array.from(
    { length: documents },
    (_, i) => `${pick(['d', '中', '\u{1F600}', '\uFFEE', 'é'])}${i}`,
  );
  const restricted = random();
  const bitmaps = [0, 1, 2].map(() => {
    const share = pick([0, 0.03, 0.5, 0.9]);
    return new Uint8Array(Math.ceil(documents / 8)).map(() => {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) if (random() < share) byte |= 1 << bit;
      return byte;
    });
  });
  return {
    kinds,
    corpus: { ids, dimensions, values },
    request: {
      queries: { ids: Array.from({ length: count }, (_, i) => `q${i}`), dimensions, values: queries },
      similarity: random() < 0.5 ? 'dot' : 'cosine',
      k: pick([1, 2, 3, 10, 10, 25, 100, 1_000]),
      ...(restricted < 0.3
        ? {
            visible: {
              bitmaps,
              bitmapOf: Int32Array.from({ length: count }, () => Math.floor(random() * 4) - 1),
            },
          }
        : {}),
      ...(restricted > 0.2 && restricted < 0.5
        ? {
            excluded: Array.from({ length: count }, () =>
              Array.from({ length: Math.floor(random() * 3) }, () => (ids.length > 0 ? pick(ids) : 'nobody')),
            ),
          }
        : {}),
    },
    blockSizes: pick([[documents || 1], [1 + Math.floor(random() * 50)], [7, 40, 13], [64]]),
    groupRows: pick([8, 16, 64, 1_024]),
    gatherRows: pick([1, 1, 100, 5_000]),
    reverse: random() < 0.5,
  };
}
