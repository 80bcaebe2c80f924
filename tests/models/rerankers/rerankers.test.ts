import { describe, expect, it } from 'vitest';
import { rank } from '../../../src/domain/ranking.ts';
import { findReranker, RERANKERS } from '../../../src/models/rerankers/index.ts';
import { applyReranking, rerankCandidates } from '../../../src/models/rerankers/rerank-order.ts';

describe('rerankers', () => {
  it('have unique ids and a dtype of their own', () => {
    expect(new Set(RERANKERS.map(({ id }) => id)).size).toBe(RERANKERS.length);
    for (const { dtypes, defaultDtype } of RERANKERS) expect(Object.keys(dtypes)).toContain(defaultDtype);
    expect(() => findReranker('maxsim')).toThrow(/no reranker "maxsim".*max-sim/);
  });

  it('spell the yes/no prompt to the letter', () => {
    const { scoring } = findReranker('Qwen3-Reranker-0.6B');
    if (scoring.kind !== 'yes-no') throw new Error('yes-no expected');
    expect(scoring.body('I', 'Q', 'D')).toBe('<Instruct>: I\n<Query>: Q\n<Document>: D');
    expect(scoring.suffix).toBe('<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n');
  });
});

describe('the order after reranking', () => {
  const first = rank('q', ['a', 'anchor', 'b', 'c', 'd', 'e'], [6, 5, 4, 3, 2, 1]);
  const isAnchor = (id: string): boolean => id === 'anchor';

  it('takes the anchor out before the cut, and keeps the rest behind in the order of the first stage', () => {
    const candidates = rerankCandidates(first, 3, isAnchor);
    expect(candidates).toEqual(['a', 'b', 'c']);
    const reranked = applyReranking(first, candidates, [-3, 0.5, -3], isAnchor);
    // a and c tie: the greater id first.
    expect(reranked.documentIds).toEqual(['b', 'c', 'a', 'd', 'e']);
    expect([...reranked.scores]).toEqual([0.5, -3, -3, -4, -5]);
  });

  it('changes nothing at depth 0 but the scores, and copes with short rankings', () => {
    expect(applyReranking(first, [], []).documentIds).toEqual(first.documentIds);
    expect(rerankCandidates(first, 100)).toHaveLength(6);
    expect(applyReranking(rank('q', [], []), [], []).documentIds).toEqual([]);
  });

  it('refuses scores that are missing or no numbers', () => {
    expect(() => applyReranking(first, ['a', 'b'], [1])).toThrow(/1 scores for 2 documents/);
    expect(() => applyReranking(first, ['a', 'b'], [1, NaN])).toThrow(/document b has the score NaN/);
  });
});
