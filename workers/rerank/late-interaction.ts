import { abortedError } from '../../src/contracts/calls.ts';
import { fillBatch, planBatches } from '../encode/batching.ts';
import type { LoadedGraph } from '../encode/graph.ts';
import { tokeniseAndCut, type TextTokenizer } from '../encode/tokens.ts';
import { maxSim, normaliseTokens, type TokenVectors } from './max-sim.ts';

/** How token vectors are made and kept. */
export interface LateInteractionOptions {
  readonly maxTokens: number;
  readonly batchTokens: number;
  /** Token vectors of documents kept for the next query, in bytes; the least recently used go first. Default 256 MiB. */
  readonly cacheBytes?: number;
}

/** How one call is watched and ended. */
export interface ScoringOptions {
  readonly signal?: AbortSignal;
  readonly onBatch?: (encodedTexts: number) => void;
}

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;

/**
 * Scores documents for queries by late interaction over the token vectors of an embedding model. Candidates of different
 * queries overlap, so their token vectors are kept; memory stays within the cache's size and one query's documents.
 */
export class LateInteraction {
  readonly #graph: LoadedGraph;
  readonly #tokenizer: TextTokenizer;
  readonly #options: LateInteractionOptions;
  readonly #kept = new Map<string, TokenVectors>();
  #keptBytes = 0;

  constructor(graph: LoadedGraph, tokenizer: TextTokenizer, options: LateInteractionOptions) {
    this.#graph = graph;
    this.#tokenizer = tokenizer;
    this.#options = options;
  }

  /** Returns one score a document, in their order. Errors: `aborted`, those of the runtime. */
  async score(
    query: string,
    documents: readonly string[],
    options: ScoringOptions = {},
  ): Promise<Float64Array> {
    const [queryTokens] = await this.#encode([query], options);
    const wanted = [...new Set(documents)].filter((text) => !this.#kept.has(text));
    const encoded = await this.#encode(wanted, options);
    const fresh = new Map(wanted.map((text, i) => [text, encoded[i] as TokenVectors]));
    const scores = Float64Array.from(documents, (text) => {
      const tokens = fresh.get(text) ?? this.#used(text);
      return queryTokens && tokens ? maxSim(queryTokens, tokens) : 0;
    });
    for (const [text, tokens] of fresh) this.#keep(text, tokens);
    return scores;
  }

  async #encode(texts: readonly string[], { signal, onBatch }: ScoringOptions): Promise<TokenVectors[]> {
    const { maxTokens, batchTokens } = this.#options;
    const ids = texts.map((text) => tokeniseAndCut(this.#tokenizer, text, maxTokens).ids);
    const vectors = ids.map(() => normaliseTokens(new Float32Array(0), 0));
    let done = 0;
    for (const batch of planBatches(
      ids.map(({ length }) => length),
      batchTokens,
    )) {
      if (signal?.aborted) throw abortedError();
      const filled = fillBatch(batch, (i) => ids[i] ?? [], 'right', this.#tokenizer.padId);
      const { values } = await this.#graph.run(filled, 'tokens');
      const width = values.length / (filled.rows * filled.length);
      batch.indices.forEach((index, row) => {
        const tokens = ids[index]?.length ?? 0;
        const start = row * filled.length * width;
        vectors[index] = normaliseTokens(values.subarray(start, start + tokens * width), tokens);
      });
      done += filled.rows;
      onBatch?.(done);
    }
    return vectors;
  }

  #used(text: string): TokenVectors | undefined {
    const tokens = this.#kept.get(text);
    if (tokens) {
      // Maps keep the order of insertion: the last one used goes to the end.
      this.#kept.delete(text);
      this.#kept.set(text, tokens);
    }
    return tokens;
  }

  #keep(text: string, tokens: TokenVectors): void {
    const limit = this.#options.cacheBytes ?? DEFAULT_CACHE_BYTES;
    this.#kept.set(text, tokens);
    this.#keptBytes += tokens.values.byteLength;
    for (const [oldest, { values }] of this.#kept) {
      if (this.#keptBytes <= limit) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= values.byteLength;
    }
  }
}
