import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { PairScorerOptions } from '../../../workers/rerank/pair-scorer.ts';
import type { GraphTask } from '../../../workers/encode/graph.ts';
import { filesOf, prepareNode } from '../encode/node-model.ts';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/tiny-models');
/** What a plain numpy implementation gives; see make_tiny_models.py there. */
const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as {
  pairs: { query: string; document: string; logit: number }[];
  answers: { query: string; document: string; yes: number }[];
};

async function load(name: string, task: GraphTask) {
  await prepareNode();
  const { loadGraph } = await import('../../../workers/encode/graph.ts');
  const { loadTokenizer } = await import('../../../workers/encode/tokenizer.ts');
  const { scorePairs } = await import('../../../workers/rerank/pair-scorer.ts');
  const files = filesOf(path.join(folder, name));
  const tokenizer = await loadTokenizer(name, files, false);
  const graph = await loadGraph({
    modelId: name,
    files,
    weightsPath: 'onnx/model.onnx',
    dtype: 'fp32',
    device: 'wasm',
    transformersDevice: 'auto',
    task,
  });
  return (query: string, documents: readonly string[], options: PairScorerOptions) =>
    scorePairs(graph, tokenizer, query, documents, options);
}

const oneLogit: PairScorerOptions = { scoring: { kind: 'one-logit' }, maxTokens: 48, batchTokens: 1_000 };
const yesNo: PairScorerOptions = {
  scoring: {
    kind: 'yes-no',
    prefix: 'sort ',
    body: (_, query, document) => `${query} list ${document}`,
    suffix: ' return',
    yes: 'yes',
    no: 'no',
    instruction: '',
  },
  maxTokens: 48,
  batchTokens: 1_000,
};

describe('a cross-encoder with one logit', async () => {
  const score = await load('cross-encoder', 'classify');

  it('scores pairs by the logit, segments included, as numpy does', async () => {
    for (const { query, document, logit } of expected.pairs)
      expect((await score(query, [document], oneLogit)).scores[0]).toBeCloseTo(logit, 4);
  });

  it('scores many documents at once as it does each alone, in their order', async () => {
    const documents = [...expected.pairs.map(({ document }) => document), '', 'sort a list of numbers'];
    const together = await score('sort a list', documents, oneLogit);
    const alone = await score('sort a list', documents, { ...oneLogit, batchTokens: 1 });
    together.scores.forEach((value, i) => expect(value).toBeCloseTo(alone.scores[i] ?? NaN, 4));
    expect(together.scores[0]).toBeCloseTo(expected.pairs[0]?.logit ?? NaN, 4);
    expect(together.truncatedRows).toEqual([]);
  });

  it('cuts the document and says so', async () => {
    const options = { ...oneLogit, maxTokens: 8 };
    const { scores, truncatedRows } = await score('read file', ['x', 'x y x y x y', 'x y x y y y'], options);
    expect(truncatedRows).toEqual([1, 2]);
    expect(scores[1]).toBeCloseTo(scores[2] ?? NaN, 6);
  });
});

describe('a causal model that answers yes or no', async () => {
  const score = await load('causal', 'causal');

  it('scores by the probability of yes at the last position, as numpy does, in one batch padded on the left', async () => {
    for (const { query, document, yes } of expected.answers) {
      const others = [document, `${document} read file line`, ''];
      expect((await score(query, others, yesNo)).scores[0]).toBeCloseTo(yes, 4);
    }
  });

  it('is refused when its vocabulary lacks the answers', async () => {
    const scoring = { ...yesNo.scoring, yes: 'oui' } as PairScorerOptions['scoring'];
    await expect(score('x', ['y'], { ...yesNo, scoring })).rejects.toThrow(/no token "oui"/);
  });

  it('ends with an abort', async () => {
    const signal = AbortSignal.abort();
    await expect(score('x', ['y'], { ...yesNo, signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});
