import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PaperClaim } from '../../src/benchmarks/claims/claim.ts';
import { PAPERS } from '../../src/benchmarks/claims/list.ts';
import { readExecResults } from '../../src/share/imports/exec-results.ts';
import { reproduce, reproduceClaim } from '../../src/verify/reproduce.ts';

const NOTHING = new Map<string, never>();

describe('the papers', () => {
  for (const paper of PAPERS) {
    it(`${paper.id}: every table and finding has a claim, and every claim a place`, () => {
      const claimed = new Set(paper.claims.map(({ place }) => place));
      expect(paper.places.filter((place) => !claimed.has(place))).toEqual([]);
      expect([...claimed].filter((place) => !paper.places.includes(place))).toEqual([]);
      const ids = paper.claims.map(({ id }) => id);
      expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    });

    it(`${paper.id}: what is recomputed from published numbers is equal, save for the known slips`, () => {
      const all = reproduce(paper, NOTHING);
      const count = (state: string): number => all.filter((one) => one.state === state).length;
      console.log(
        `${paper.id}: ${all.length} numbers, ${count('equal')} equal, ${count('differs')} differ, ${count('not-recomputable')} not recomputable here`,
      );
      const differ = all
        .filter(({ state }) => state === 'differs')
        .map(
          ({ claim, found }) => `${claim.place}: ${claim.statement}: ${claim.value}, found ${String(found)}`,
        );
      expect(differ).toMatchSnapshot();
      for (const { state, note } of all) if (state === 'not-recomputable') expect(note).toBeTruthy();
    });
  }

  const papers = path.resolve(import.meta.dirname, '../../../shared/papers');
  it.skipIf(!existsSync(papers))(
    'no table or main finding of the texts is without a place (skipped where the papers are not)',
    () => {
      for (const paper of PAPERS) {
        const text = readFileSync(path.join(papers, `${paper.id}.txt`), 'utf8');
        const tables = new Set([...text.matchAll(/^Table (\d+):/gmu)].map(([, n]) => `Table ${n ?? ''}`));
        expect([...tables].filter((table) => !paper.places.includes(table))).toEqual([]);
        if (paper.id === 'execretrieval') {
          const findings = text.slice(
            text.indexOf('Main Findings'),
            text.indexOf('Methodology in Plain English'),
          );
          const bullets = [...findings.matchAll(/^• /gmu)].length;
          expect(paper.places.filter((place) => place.startsWith('Main findings'))).toHaveLength(bullets);
        }
      }
    },
  );
});

describe('recomputing', () => {
  const claim = (
    value: number,
    decimals: number,
    from: PaperClaim['from'],
    more: Partial<PaperClaim> = {},
  ): PaperClaim => ({
    id: 'x',
    place: 'p',
    statement: 's',
    value,
    decimals,
    from,
    ...more,
  });
  const state = (one: PaperClaim): string => reproduceClaim(one, NOTHING).state;

  it('rounds as the paper does and names a number that is not that', () => {
    expect(state(claim(99.4, 1, { kind: 'ratio', of: 624, in: 628, scale: 100 }))).toBe('equal');
    expect(state(claim(99.3, 1, { kind: 'ratio', of: 624, in: 628, scale: 100 }))).toBe('differs');
    expect(state(claim(0.09, 2, { kind: 'mcnemar', aOnly: 47, bOnly: 66 }))).toBe('equal');
    expect(state(claim(6.5e-8, 9, { kind: 'ratio', of: 6.54e-8, in: 1 }, { significant: 2 }))).toBe('equal');
    expect(state(claim(6.5e-8, 9, { kind: 'ratio', of: 6.6e-8, in: 1 }, { significant: 2 }))).toBe('differs');
    expect(state(claim(10.4, 1, { kind: 'mean', of: [10.3, 10.4] }, { inputError: 0.05 }))).toBe('equal');
    expect(reproduceClaim(claim(1, 0, { kind: 'not-here', why: 'reason' }), NOTHING)).toMatchObject({
      state: 'not-recomputable',
      note: 'reason',
    });
  });

  it('takes released results where they are, and says what is missing where they are not', () => {
    const file = (model: string, firstPasses: boolean): string =>
      JSON.stringify({
        model,
        ks: [1],
        per_query: ['q1', 'q2'].map((query_id) => ({
          query_id,
          correct_corpus_ids: ['c1'],
          top_results: [
            { rank: 1, corpus_id: firstPasses ? 'c1' : 'c2', similarity: 0.5, passes_all_tests: firstPasses },
          ],
        })),
      });
    const paired = new Map([['q1', ['c2']]]);
    const released = new Map(
      [file('Gemini-Embedding-2', true), file('mistral_embed', false)].map((text) => {
        const { system, report } = readExecResults(text, 'x', paired, {
          resamples: 50,
          domains: new Map([['q1', 'date_time']]),
        });
        return [system, report] as const;
      }),
    );
    const found = (from: PaperClaim['from']) => reproduceClaim(claim(0, 0, from), released);
    expect(found({ kind: 'released-metric', system: 'gemini-embedding-2', metric: 'exec@1' }).found).toBe(1);
    expect(
      found({
        kind: 'released-pair',
        a: 'gemini-embedding-2',
        b: 'mistral-embed',
        metric: 'exec@1',
        part: 'difference',
      }).found,
    ).toBe(1);
    expect(
      found({
        kind: 'released-pair',
        a: 'gemini-embedding-2',
        b: 'mistral-embed',
        metric: 'exec@1',
        part: 'p',
      }).found,
    ).toBe(0.5);
    expect(found({ kind: 'released-near-clones', system: 'mistral-embed', part: 'count' }).found).toBe(1);
    expect(found({ kind: 'released-near-clones', system: 'mistral-embed', part: 'misses' }).found).toBe(2);
    expect(found({ kind: 'released-board', part: 'systems' }).found).toBe(2);
    expect(found({ kind: 'released-board', part: 'solved-by-none' }).found).toBe(0);
    expect(found({ kind: 'released-board', part: 'date-time' }).found).toBe(0.5);
    expect(found({ kind: 'released-metric', system: 'bm25', metric: 'exec@1' }).note).toMatch(
      /no results file of bm25/,
    );
    expect(reproduceClaim(claim(0, 0, { kind: 'released-board', part: 'systems' }), NOTHING).note).toMatch(
      /--data/,
    );
  });
});
