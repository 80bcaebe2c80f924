import { describe, expect, it } from 'vitest';
import type { LoadedGraph } from '../../../workers/encode/graph.ts';
import { LateInteraction } from '../../../workers/rerank/late-interaction.ts';
import { BUNDLED_FOLDER, filesOf, prepareNode } from '../encode/node-model.ts';

describe('late interaction over the bundled model', async () => {
  await prepareNode();
  const { loadGraph } = await import('../../../workers/encode/graph.ts');
  const { loadTokenizer } = await import('../../../workers/encode/tokenizer.ts');
  const files = filesOf(BUNDLED_FOLDER);
  const tokenizer = await loadTokenizer('all-MiniLM-L6-v2', files, false);
  const loaded = await loadGraph({
    modelId: 'all-MiniLM-L6-v2',
    files,
    weightsPath: 'onnx/model_quantized.onnx',
    dtype: 'q8',
    device: 'wasm',
    transformersDevice: 'auto',
  });
  let texts = 0;
  const graph: LoadedGraph = {
    ...loaded,
    run(batch, want) {
      texts += batch.rows;
      return loaded.run(batch, want);
    },
  };
  const options = { maxTokens: 256, batchTokens: 512 };
  const query = 'reverse a list';
  const documents = ['def reverse(items):\n    return items[::-1]', 'SELECT name FROM users', query, ''];

  it('scores a text against itself with its number of tokens, and the right code above another', async () => {
    const scores = await new LateInteraction(graph, tokenizer, options).score(query, documents);
    expect(scores[2]).toBeCloseTo(tokenizer.tokenise(query).length, 4);
    expect(scores[0]).toBeGreaterThan(scores[1] ?? NaN);
    expect([...scores].every(Number.isFinite)).toBe(true);
  });

  it('does not depend on batching, and encodes a document once for many queries', async () => {
    const one = await new LateInteraction(graph, tokenizer, { ...options, batchTokens: 1 }).score(
      query,
      documents,
    );
    const pool = new LateInteraction(graph, tokenizer, options);
    texts = 0;
    const first = await pool.score(query, [...documents, documents[0] as string]);
    expect(texts).toBe(5);
    first.slice(0, 4).forEach((score, i) => expect(score).toBeCloseTo(one[i] ?? NaN, 4));
    expect(first[4]).toBe(first[0]);
    const again = await pool.score('sort a list', documents);
    expect(texts).toBe(6);
    expect(again).toHaveLength(4);
    expect(await pool.score(query, documents)).toEqual(first.slice(0, 4));
  });

  it('keeps no more than it may, with the same scores', async () => {
    const small = new LateInteraction(graph, tokenizer, { ...options, cacheBytes: 30_000 });
    const first = await small.score(query, documents);
    texts = 0;
    expect(await small.score(query, documents)).toEqual(first);
    expect(texts).toBeGreaterThan(1);
  });
});
