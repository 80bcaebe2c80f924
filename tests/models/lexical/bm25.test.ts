import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Bm25Index,
  BM25_VARIANTS,
  findTokenizer,
  findVariant,
  TOKENIZERS,
} from '../../../src/models/lexical/index.ts';
import { fuseReciprocalRanks, fuseWeighted, normaliseScores } from '../../../src/models/fusion.ts';
import { rank } from '../../../src/domain/ranking.ts';

interface Listed {
  ids: number[];
  scores: number[];
}
const golden = JSON.parse(readFileSync(new URL('../../golden/bm25.json', import.meta.url), 'utf8')) as {
  corpus: { id: number; text: string }[];
  queries: { query: string }[];
  results: Record<string, Listed[]>;
  tokenizers: { stopWords: string[] };
  tokenCases: { text: string; word: string[]; bm25sDefault: string[] }[];
  statistics: Record<string, { lengths: number[]; sha256OfTokens: string[]; queryTokens: string[][] }>;
  tiny: { docs: string[][]; query: string[]; scores: Record<string, number[]>; 'rank-bm25 Okapi': number[] };
  fusion: {
    lists: string[];
    perQuery: (Listed & { candidates: number })[];
    k1AndDepth3: (Listed & { candidates: number })[];
    hand: { lists: number[][]; scores: Record<string, number>; order: number[] };
  };
};
const OUR_NAMES: Record<string, string> = {
  'rank-bm25 Okapi': 'rank-bm25-okapi',
  'rank-bm25 Plus': 'rank-bm25-plus',
  'rank-bm25 L': 'rank-bm25-l',
  bm25sDefault: 'bm25s',
};
const ours = (name: string): string => OUR_NAMES[name] ?? name;
const idOf = (number: number): string => `c${String(number).padStart(4, '0')}`;

function goldenIndex(tokenizer: string, variant: string): Bm25Index {
  const index = new Bm25Index({ variant: findVariant(variant), tokenizer: findTokenizer(tokenizer) });
  for (const { id, text } of golden.corpus) index.add(idOf(id), text);
  return index;
}

describe('tokenizers', () => {
  it('cut as Python does, awkward texts too', () => {
    for (const { text, word, bm25sDefault } of golden.tokenCases) {
      expect(findTokenizer('word').tokenise(text)).toEqual(word);
      expect(findTokenizer('bm25s').tokenise(text)).toEqual(bm25sDefault);
    }
    for (const [name, { lengths, sha256OfTokens, queryTokens }] of Object.entries(golden.statistics)) {
      const { tokenise } = findTokenizer(ours(name));
      const terms = golden.corpus.map(({ text }) => tokenise(text));
      expect(terms.map(({ length }) => length)).toEqual(lengths);
      expect(
        terms.map((list) => createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 16)),
      ).toEqual(sha256OfTokens);
      expect(golden.queries.map(({ query }) => tokenise(query))).toEqual(queryTokens);
    }
  });

  it('give the parts of names beside the names', () => {
    const { tokenise } = findTokenizer('code');
    expect(tokenise('snake_case camelCase HTTPServer2')).toEqual([
      'snake_case',
      'snake',
      'case',
      'camelcase',
      'camel',
      'case',
      'httpserver2',
      'http',
      'server',
      '2',
    ]);
    expect(tokenise('parseJSON x MAX_VALUE getÜber')).toEqual([
      'parsejson',
      'parse',
      'json',
      'x',
      'max_value',
      'max',
      'value',
      'getüber',
      'get',
      'über',
    ]);
    expect(tokenise('__init__ = a2b')).toEqual(['__init__', 'a2b', 'a', '2', 'b']);
    expect(tokenise('')).toEqual([]);
  });

  it('list the stop words of bm25s', () => {
    const { tokenise } = findTokenizer('bm25s');
    expect(golden.tokenizers.stopWords.flatMap((word) => tokenise(word))).toEqual([]);
    expect(tokenise('those who know')).toEqual(['those', 'who', 'know']);
  });
});

describe('BM25', () => {
  it.each(Object.keys(golden.results))('%s equals its package to 1e-11', (name) => {
    const [tokenizer = '', variant = ''] = name.split('/');
    const index = goldenIndex(ours(tokenizer), ours(variant));
    golden.results[name]?.forEach(({ ids, scores }, i) => {
      const found = index.search('q', golden.queries[i]?.query ?? '', ids.length);
      scores.forEach((score, r) => expect(Math.abs((found.scores[r] ?? NaN) - score)).toBeLessThan(1e-11));
      // Ids exactly, except among neighbours nearer than the tolerance.
      ids.forEach((id, r) => {
        const near = [r - 1, r + 1].some((o) => Math.abs((scores[o] ?? NaN) - (scores[r] as number)) < 1e-11);
        if (!near) expect(found.documentIds[r]).toBe(idOf(id));
      });
    });
  });

  it('copes with an empty document, repeated terms and unknown ones', () => {
    const all = { ...golden.tiny.scores, 'rank-bm25-okapi': golden.tiny['rank-bm25 Okapi'] };
    for (const [variant, scores] of Object.entries(all)) {
      const index = new Bm25Index({ variant: findVariant(variant), tokenizer: findTokenizer('word') });
      golden.tiny.docs.forEach((terms, row) => index.add(`d${row}`, terms.join(' ')));
      const found = index.scores(golden.tiny.query.join(' '));
      scores.forEach((score, row) => expect(found[row]).toBeCloseTo(score, 12));
    }
  });

  it('ranks what a full sort ranks, ties and cut included, for every variant', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'def');
    const texts = fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        texts,
        fc.array(word, { maxLength: 4 }),
        fc.integer({ min: 0, max: 35 }),
        fc.constantFrom(...BM25_VARIANTS),
        (documents, query, depth, variant) => {
          const index = new Bm25Index({ variant, tokenizer: findTokenizer('word') });
          documents.forEach((terms, row) => index.add(`d${row}`, terms.join(' ')));
          const ids = documents.map((_, row) => `d${row}`);
          const scores = index.scores(query.join(' '));
          expect([...scores].every(Number.isFinite)).toBe(true);
          expect(index.search('q', query.join(' '), depth)).toEqual(rank('q', ids, scores, depth));
        },
      ),
    );
  });

  it('sees only visible documents, with statistics of the corpus or of what is visible', () => {
    const texts = ['a a b', 'a', 'c', 'b c', 'a c c'];
    const settings = { variant: findVariant('lucene'), tokenizer: findTokenizer('word') };
    const index = new Bm25Index(settings);
    const part = new Bm25Index(settings);
    texts.forEach((text, row) => index.add(`d${row}`, text));
    [0, 2, 3].forEach((row) => part.add(`d${row}`, texts[row] as string));
    const visible = (row: number): boolean => [0, 2, 3].includes(row);
    const whole = index.search('q', 'a c', 10);
    const merged = index.search('q', 'a c', 10, { visible });
    expect(merged.documentIds).toEqual(whole.documentIds.filter((id) => ['d0', 'd2', 'd3'].includes(id)));
    merged.documentIds.forEach((id, i) => {
      expect(merged.scores[i]).toBe(whole.scores[whole.documentIds.indexOf(id)]);
    });
    expect(index.search('q', 'a c', 10, { visible, statistics: 'visible' })).toEqual(
      part.search('q', 'a c', 10),
    );
    expect(index.search('q', 'a c', 10, { visible: () => false, statistics: 'visible' }).documentIds).toEqual(
      [],
    );
  });

  it('refuses parameters without meaning and unknown names', () => {
    const make = (b: number) =>
      new Bm25Index({ variant: findVariant('lucene'), tokenizer: findTokenizer('word'), parameters: { b } });
    expect(() => make(1.5)).toThrow(/b between 0 and 1/);
    expect(() => make(NaN)).toThrow(/b NaN/);
    expect(() => findVariant('bm42')).toThrow(/no BM25 variant "bm42". Known: lucene, robertson/);
    expect(new Set(TOKENIZERS.map(({ id }) => id)).size).toBe(TOKENIZERS.length);
  });
});

describe('fusion', () => {
  const listOf = (ids: readonly number[]) =>
    rank(
      'q',
      ids.map(idOf),
      ids.map((_, i) => -i),
    );

  it('by reciprocal ranks equals the golden values', () => {
    const { lists, perQuery, k1AndDepth3, hand } = golden.fusion;
    const check = (expected: Listed & { candidates: number }, query: number, depth: number, k: number) => {
      const fused = fuseReciprocalRanks(
        'q',
        lists.map((name) => listOf(golden.results[name]?.[query]?.ids.slice(0, depth) ?? [])),
        k,
      );
      expect(fused.documentIds).toHaveLength(expected.candidates);
      expect(fused.documentIds.slice(0, 10)).toEqual(expected.ids.map(idOf));
      expected.scores.forEach((score, i) => expect(fused.scores[i]).toBeCloseTo(score, 14));
    };
    perQuery.forEach((expected, query) => check(expected, query, 20, 60));
    k1AndDepth3.forEach((expected, query) => check(expected, query, 3, 1));
    const byHand = fuseReciprocalRanks('q', hand.lists.map(listOf));
    expect(byHand.documentIds).toEqual(hand.order.map(idOf));
  });

  it('by weighted scores: each normalisation worked by hand', () => {
    expect(normaliseScores([3, 2, 1], 'min-max')).toEqual([1, 0.5, 0]);
    expect(normaliseScores([2, 2], 'min-max')).toEqual([1, 1]);
    expect(normaliseScores([3, 1], 'z-score')).toEqual([1, -1]);
    expect(normaliseScores([5, 5, 5], 'z-score')).toEqual([0, 0, 0]);
    expect(normaliseScores([9, 4, 4, 1], 'rank')).toEqual([1, 0.75, 0.5, 0.25]);
    expect(normaliseScores([], 'rank')).toEqual([]);
    const a = rank('q', ['x', 'y', 'z'], [3, 2, 1]);
    const b = rank('q', ['z', 'w'], [10, 0]);
    const fused = fuseWeighted(
      'q',
      [
        { ranking: a, weight: 1 },
        { ranking: b, weight: 0.5 },
      ],
      'min-max',
    );
    expect(fused.documentIds).toEqual(['x', 'z', 'y', 'w']);
    expect([...fused.scores]).toEqual([1, 0.5, 0.5, 0]);
    expect(
      fuseWeighted(
        'q',
        [
          { ranking: a, weight: 1 },
          { ranking: b, weight: 1 },
        ],
        'z-score',
      ).documentIds[0],
    ).toBe('x');
    expect(() => fuseWeighted('q', [{ ranking: a, weight: -1 }], 'rank')).toThrow(/weight of -1/);
  });
});
