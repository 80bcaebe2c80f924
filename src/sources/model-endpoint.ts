/** OpenAI-compatible servers: `/v1/embeddings`, and `/v1/rerank` as Jina, Cohere and vLLM spell it. */
import * as v from 'valibot';
import { AppError, messageOf } from '../domain/app-error.ts';
import { abortedError } from '../contracts/calls.ts';
import { statusError } from './http-source.ts';
import { attemptsOf, type RetryPolicy } from './retry.ts';

/** A server that embeds or reranks. The key stays in memory: it is sent in one header to this address and nowhere else. */
export interface ModelEndpoint {
  /** Up to and with `/v1`, e.g. `https://api.example.org/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key?: string;
  /** Texts a request; default 64. */
  readonly batchTexts?: number;
  /** Requests at once; default 4. */
  readonly concurrency?: number;
  /** Asked for where the server can shorten vectors. */
  readonly dimensions?: number;
  readonly retry?: RetryPolicy;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

/** What an endpoint call needs beside its input. */
export interface EndpointOptions {
  readonly signal?: AbortSignal;
  readonly onDone?: (doneTexts: number, totalTexts: number) => void;
}

/** One sentence that says which texts leave the machine; to be agreed to before anything is sent. */
export function consentSentence(endpoint: ModelEndpoint, texts: number): string {
  const { host } = new URL(endpoint.baseUrl);
  return `${texts} texts of this evaluation (documents and queries as they are embedded) will be sent to ${host} for the model "${endpoint.model}".`;
}

/**
 * Says why a page cannot reach this address, or undefined when nothing is known to be in the way: an https page may call
 * plain http on this machine only; Chromium asks the user before a public page calls the local network.
 */
export function reachabilityProblem(baseUrl: string, pageUrl: string): string | undefined {
  let target: URL;
  try {
    target = new URL(baseUrl);
  } catch {
    return `"${baseUrl}" is not an address. It should look like https://api.example.org/v1.`;
  }
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    return `${baseUrl}: only http and https addresses can be called.`;
  const page = new URL(pageUrl);
  const local = isThisMachine(target.hostname);
  if (page.protocol === 'https:' && target.protocol === 'http:' && !local)
    return `This page was opened over https: browsers let it call http only on this machine (localhost), not ${target.host}. Use https there, or a tunnel to localhost.`;
  if (!isThisMachine(page.hostname) && (local || isPrivate(target.hostname)))
    return `${target.host} is on your machine or local network: the browser may ask for permission to reach it. Allow it, and see that the server allows this page's origin (CORS).`;
  return undefined;
}

/** Whether {@link reachabilityProblem} rules the call out, or only warns. */
export function isUnreachable(baseUrl: string, pageUrl: string): boolean {
  const problem = reachabilityProblem(baseUrl, pageUrl);
  return problem !== undefined && !problem.includes('may ask for permission');
}

const embeddingsSchema = v.looseObject({
  data: v.array(v.looseObject({ index: v.optional(v.number()), embedding: v.array(v.nullable(v.number())) })),
  model: v.optional(v.string()),
});

/** Vectors of texts as a server gave them. */
export interface EndpointVectors {
  /** Row-major, in the order of the texts, as the server scaled them. */
  readonly values: Float32Array;
  readonly rows: number;
  readonly dimensions: number;
  /** What the server calls its model. */
  readonly model?: string;
}

/**
 * Embeds texts. Results are put in order by the server's `index` where it gives one. Errors: `endpoint-answer` (fewer or
 * doubled vectors, other dimensions, NaN, all naming the text), those of HTTP, `unreachable`, `aborted`.
 */
export async function embedTexts(
  endpoint: ModelEndpoint,
  texts: readonly string[],
  options: EndpointOptions = {},
): Promise<EndpointVectors> {
  const size = endpoint.batchTexts ?? 64;
  const starts = Array.from({ length: Math.ceil(texts.length / size) }, (_, i) => i * size);
  const rows: (readonly number[])[] = new Array<readonly number[]>(texts.length);
  let model: string | undefined;
  let done = 0;
  await inParallel(endpoint.concurrency ?? 4, starts, async (start) => {
    const input = texts.slice(start, start + size);
    const body = {
      model: endpoint.model,
      input,
      encoding_format: 'float',
      ...(endpoint.dimensions !== undefined && { dimensions: endpoint.dimensions }),
    };
    const answer = await post(endpoint, 'embeddings', body, embeddingsSchema, options.signal);
    model ??= answer.model;
    const { data } = answer;
    data.forEach(({ index = -1, embedding }, position) => {
      const at = data.every((entry) => entry.index !== undefined) ? index : position;
      if (!(Number.isInteger(at) && at >= 0 && at < input.length))
        throw wrong(endpoint, `gave a vector with index ${at} for ${input.length} texts`);
      if (rows[start + at]) throw wrong(endpoint, `gave two vectors for text ${start + at}`);
      const bad = embedding.findIndex((value) => value === null || !Number.isFinite(value));
      if (bad >= 0)
        throw wrong(endpoint, `gave a vector for text ${start + at} that is no number at position ${bad}`);
      rows[start + at] = embedding as number[];
    });
    const missing = input.findIndex((_, i) => !rows[start + i]);
    if (missing >= 0)
      throw wrong(
        endpoint,
        `gave ${data.length} vectors for ${input.length} texts (text ${start + missing} has none)`,
      );
    done += input.length;
    options.onDone?.(done, texts.length);
  });
  const dimensions = rows[0]?.length ?? endpoint.dimensions ?? 0;
  const values = new Float32Array(texts.length * dimensions);
  rows.forEach((row, i) => {
    if (row.length !== dimensions)
      throw wrong(endpoint, `gave ${row.length} dimensions for text ${i} and ${dimensions} for text 0`);
    values.set(row, i * dimensions);
  });
  return { values, rows: texts.length, dimensions, ...(model !== undefined && { model }) };
}

const rerankSchema = v.looseObject({
  results: v.array(
    v.looseObject({
      index: v.number(),
      relevance_score: v.optional(v.number()),
      score: v.optional(v.number()),
    }),
  ),
});

/**
 * Returns one score a document, in the order of the documents, for one query. Errors as {@link embedTexts}: a document
 * without a score is an error, since a reranker that answers for some only has not ranked.
 */
export async function rerankTexts(
  endpoint: ModelEndpoint,
  query: string,
  documents: readonly string[],
  { signal }: EndpointOptions = {},
): Promise<Float64Array> {
  const body = { model: endpoint.model, query, documents, top_n: documents.length, return_documents: false };
  const { results } = await post(endpoint, 'rerank', body, rerankSchema, signal);
  const scores = new Float64Array(documents.length).fill(NaN);
  for (const { index, relevance_score, score } of results) {
    const value = relevance_score ?? score ?? NaN;
    if (!(Number.isInteger(index) && index >= 0 && index < documents.length))
      throw wrong(endpoint, `gave a score with index ${index} for ${documents.length} documents`);
    if (!Number.isFinite(value)) throw wrong(endpoint, `gave document ${index} a score that is no number`);
    scores[index] = value;
  }
  const missing = scores.findIndex((score) => Number.isNaN(score));
  if (missing >= 0)
    throw wrong(
      endpoint,
      `gave ${results.length} scores for ${documents.length} documents (${missing} has none)`,
    );
  return scores;
}

async function post<S extends v.GenericSchema>(
  endpoint: ModelEndpoint,
  path: string,
  body: unknown,
  schema: S,
  signal: AbortSignal | undefined,
): Promise<v.InferOutput<S>> {
  const url = `${endpoint.baseUrl.replace(/\/$/, '')}/${path}`;
  const get = endpoint.fetch ?? fetch;
  const attempts = attemptsOf(endpoint.retry);
  for (;;) {
    if (signal?.aborted) throw abortedError();
    try {
      const response = await get(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
        },
        body: JSON.stringify(body),
        // A key must not follow a redirect to another host.
        redirect: 'error',
        ...(signal && { signal }),
      }).catch((cause: unknown) => {
        if (signal?.aborted) throw abortedError();
        throw new AppError(
          'source',
          'unreachable',
          `${url} cannot be reached (no answer, a redirect, or CORS does not allow this page): ${messageOf(cause)}`,
          { cause },
        );
      });
      if (response.status === 401 || response.status === 403)
        throw new AppError(
          'source',
          'forbidden',
          `${url} answers ${response.status}: the key is missing or wrong.`,
        );
      if (!response.ok) throw statusError(url, response);
      const parsed = v.safeParse(schema, await response.json().catch((): unknown => undefined));
      if (!parsed.success)
        throw wrong(
          endpoint,
          `answered something else than ${path}: ${v.getDotPath(parsed.issues[0]) ?? 'the whole'}: ${parsed.issues[0].message}`,
        );
      return parsed.output;
    } catch (error) {
      await attempts.failed(error, signal);
    }
  }
}

/** Runs work over items, so many at once; the first failure ends it. */
async function inParallel<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const take = async (): Promise<void> => {
    for (const item of waiting) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, count) }, take));
}

function wrong(endpoint: ModelEndpoint, what: string): AppError {
  return new AppError(
    'source',
    'endpoint-answer',
    `The endpoint ${endpoint.baseUrl} (model "${endpoint.model}") ${what}.`,
  );
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host);
}

function isPrivate(host: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/.test(host) || host.endsWith('.local');
}
