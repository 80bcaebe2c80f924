import { describe, expect, it } from 'vitest';
import {
  consentSentence,
  embedTexts,
  isUnreachable,
  reachabilityProblem,
  rerankTexts,
  type ModelEndpoint,
} from '../../src/sources/model-endpoint.ts';

interface Call {
  url: string;
  init: RequestInit;
  body: { input?: string[]; documents?: string[]; model: string; dimensions?: number };
}

/** An endpoint whose answers a test makes; the calls are kept. */
function endpointThat(answer: (call: Call, number: number) => unknown, change: Partial<ModelEndpoint> = {}) {
  const calls: Call[] = [];
  const endpoint: ModelEndpoint = {
    baseUrl: 'https://api.test/v1/',
    model: 'm',
    key: 'secret',
    batchTexts: 2,
    retry: { firstWaitMs: 1 },
    fetch: async (input, init = {}) => {
      const call = { url: String(input), init, body: JSON.parse(String(init.body)) as Call['body'] };
      calls.push(call);
      const given = await answer(call, calls.length);
      return given instanceof Response ? given : Response.json(given);
    },
    ...change,
  };
  return { endpoint, calls };
}

const vectorOf = (text: string): number[] => [text.length, 1];
const good = ({ body }: Call) => ({
  data: (body.input ?? []).map((text, index) => ({ index, embedding: vectorOf(text) })),
});
const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];

describe('an embeddings endpoint', () => {
  it('is asked in batches, with the key in one header and no redirects', async () => {
    const { endpoint, calls } = endpointThat(good, { dimensions: 2 });
    const done: number[] = [];
    const vectors = await embedTexts(endpoint, texts, { onDone: (count) => done.push(count) });
    expect(vectors).toMatchObject({ rows: 5, dimensions: 2 });
    expect([...vectors.values]).toEqual(texts.flatMap(vectorOf));
    expect(calls.map(({ body }) => body.input?.length)).toEqual([2, 2, 1]);
    expect(done.at(-1)).toBe(5);
    for (const { url, init, body } of calls) {
      expect(url).toBe('https://api.test/v1/embeddings');
      expect(new Headers(init.headers).get('authorization')).toBe('Bearer secret');
      expect(init.redirect).toBe('error');
      expect(body.dimensions).toBe(2);
    }
  });

  it('may answer in any order and any time', async () => {
    const { endpoint } = endpointThat(async (call, number) => {
      await new Promise((resolve) => setTimeout(resolve, 5 * (4 - number)));
      return { data: good(call).data.reverse() };
    });
    expect([...(await embedTexts(endpoint, texts)).values]).toEqual(texts.flatMap(vectorOf));
  });

  it('has at most so many requests at once', async () => {
    let running = 0;
    let most = 0;
    const { endpoint } = endpointThat(
      async (call) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return good(call);
      },
      { concurrency: 2, batchTexts: 1 },
    );
    await embedTexts(endpoint, texts);
    expect(most).toBe(2);
  });

  it('is asked again when it is busy, as late as it says', async () => {
    const { endpoint, calls } = endpointThat((call, number) => {
      if (number === 1) return new Response('', { status: 429, headers: { 'Retry-After': '0' } });
      if (number === 2) return new Response('', { status: 503 });
      return good(call);
    });
    expect((await embedTexts(endpoint, ['a'])).rows).toBe(1);
    expect(calls).toHaveLength(3);
  });

  const wrong: [string, (call: Call) => unknown, RegExp][] = [
    [
      'fewer vectors',
      (call) => ({ data: good(call).data.slice(1) }),
      /gave 1 vectors for 2 texts \(text 0 has none\)/,
    ],
    [
      'a vector twice',
      (call) => ({ data: good(call).data.map((d) => ({ ...d, index: 0 })) }),
      /two vectors for text 0/,
    ],
    [
      'an index beyond',
      (call) => ({ data: good(call).data.map((d) => ({ ...d, index: 7 })) }),
      /index 7 for 2 texts/,
    ],
    [
      'NaN',
      (call) => ({ data: good(call).data.map((d) => ({ ...d, embedding: [1, null] })) }),
      /text 0 that is no number at position 1/,
    ],
    [
      'other dimensions',
      (call) => ({ data: good(call).data.map((d, i) => ({ ...d, embedding: new Array(2 + i).fill(1) })) }),
      /3 dimensions for text 1 and 2/,
    ],
    ['something else', () => ({ error: { message: 'no' } }), /something else than embeddings: data/],
    ['no JSON', () => new Response('<html>'), /something else than embeddings/],
    ['a refusal', () => new Response('', { status: 401 }), /answers 401: the key is missing or wrong/],
    ['nothing of that name', () => new Response('', { status: 404 }), /HTTP 404/],
  ];
  it.each(wrong)('that gives %s is named, and not asked again', async (_, answer, message) => {
    const { endpoint, calls } = endpointThat(answer, { concurrency: 1 });
    await expect(embedTexts(endpoint, ['a', 'b'])).rejects.toThrow(message);
    await expect(embedTexts(endpoint, ['a', 'b'])).rejects.not.toThrow(/secret/);
    expect(calls).toHaveLength(2);
  });

  it('ends with an abort', async () => {
    const abort = new AbortController();
    const { endpoint } = endpointThat(() => {
      abort.abort();
      return new Response('', { status: 503 });
    });
    await expect(embedTexts(endpoint, texts, { signal: abort.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('a rerank endpoint', () => {
  it('gives scores in the order of the documents', async () => {
    const { endpoint, calls } = endpointThat(() => ({
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, score: 0.1 },
      ],
    }));
    expect([...(await rerankTexts(endpoint, 'q', ['x', 'y']))]).toEqual([0.1, 0.9]);
    expect(calls[0]?.url).toBe('https://api.test/v1/rerank');
  });
  it('that leaves a document out is refused', async () => {
    const { endpoint } = endpointThat(() => ({ results: [{ index: 1, relevance_score: 0.9 }] }));
    await expect(rerankTexts(endpoint, 'q', ['x', 'y'])).rejects.toThrow(
      /1 scores for 2 documents \(0 has none\)/,
    );
  });
});

describe('reaching an endpoint', () => {
  it('is impossible for http elsewhere from an https page, and a question of permission on the local network', () => {
    const page = 'https://assay.example/';
    expect(reachabilityProblem('https://api.test/v1', page)).toBeUndefined();
    expect(isUnreachable('http://api.test/v1', page)).toBe(true);
    expect(reachabilityProblem('http://localhost:8080/v1', page)).toMatch(/may ask for permission/);
    expect(isUnreachable('http://localhost:8080/v1', page)).toBe(false);
    expect(reachabilityProblem('http://192.168.1.5:8080/v1', 'http://localhost:4173/')).toBeUndefined();
    expect(isUnreachable('ftp://x/', page)).toBe(true);
    expect(isUnreachable('nonsense', page)).toBe(true);
  });
  it('needs a consent that says what leaves the machine', () => {
    const { endpoint } = endpointThat(good);
    expect(consentSentence(endpoint, 42)).toMatch(/42 texts .* sent to api\.test for the model "m"/);
    expect(consentSentence(endpoint, 42)).not.toContain('secret');
  });
});
