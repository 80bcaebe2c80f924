import { AppError } from '../../src/domain/app-error.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import type { RerankerKind } from '../../src/models/rerankers/reranker-definition.ts';
import { fillBatch, planBatches } from '../encode/batching.ts';
import type { LoadedGraph } from '../encode/graph.ts';
import type { PairTokenizer } from '../encode/tokens.ts';
import { cutPair, joinPrompt, yesProbability, type TokenisedPair } from './pairs.ts';

/** How pairs are scored. */
export interface PairScorerOptions {
  readonly scoring: Exclude<RerankerKind, { readonly kind: 'max-sim' }>;
  readonly maxTokens: number;
  /** Rows × length computed at once. */
  readonly batchTokens: number;
  readonly signal?: AbortSignal;
  readonly onBatch?: (donePairs: number) => void;
}

/** Scores of one query's documents, in their order. */
export interface PairScores {
  readonly scores: Float64Array;
  readonly truncatedRows: readonly number[];
}

/**
 * Scores documents for a query with a cross-encoder (the logit) or a causal model (the probability of yes). The document
 * loses its end where a pair is too long. Errors: `rerank-logits` (not one logit a pair, or no yes and no in the vocabulary),
 * `rerank-scores` (not finite), `aborted`, those of the runtime.
 */
export async function scorePairs(
  graph: LoadedGraph,
  tokenizer: PairTokenizer,
  query: string,
  documents: readonly string[],
  options: PairScorerOptions,
): Promise<PairScores> {
  const { scoring, maxTokens, batchTokens, signal, onBatch } = options;
  const pairs = documents.map((document) => tokenisePair(tokenizer, query, document, scoring, maxTokens));
  const read = readerOf(tokenizer, scoring);
  const scores = new Float64Array(documents.length);
  // A causal model reads its answer at the last position.
  const padding = scoring.kind === 'yes-no' ? 'left' : 'right';
  let done = 0;
  for (const batch of planBatches(
    pairs.map(({ ids }) => ids.length),
    batchTokens,
  )) {
    if (signal?.aborted) throw abortedError();
    const filled = fillBatch(batch, (i) => pairs[i]?.ids ?? [], padding, tokenizer.padId);
    const hasSegments = batch.indices.every((i) => pairs[i]?.segments);
    const segments = hasSegments
      ? fillBatch(batch, (i) => pairs[i]?.segments ?? [], padding, 0).ids
      : undefined;
    const logits = await graph.logits(filled, segments);
    const width = logits.length / filled.rows;
    batch.indices.forEach((index, row) => {
      const score = read(logits.subarray(row * width, (row + 1) * width));
      if (!Number.isFinite(score))
        throw new AppError(
          'rerank',
          'rerank-scores',
          `document ${index} got the score ${score}: the model overflowed. Choose another dtype or device.`,
        );
      scores[index] = score;
    });
    done += filled.rows;
    onBatch?.(done);
  }
  return { scores, truncatedRows: pairs.flatMap(({ truncated }, row) => (truncated ? [row] : [])) };
}

function tokenisePair(
  tokenizer: PairTokenizer,
  query: string,
  document: string,
  scoring: PairScorerOptions['scoring'],
  maxTokens: number,
): TokenisedPair {
  if (scoring.kind === 'one-logit') {
    const { ids, segments } = tokenizer.tokenisePair(query, document);
    return cutPair(ids, segments, maxTokens, tokenizer.closing);
  }
  const { prefix, suffix, body, instruction } = scoring;
  return joinPrompt(
    tokenizer.tokeniseBare(prefix),
    tokenizer.tokeniseBare(body(instruction, query, document)),
    tokenizer.tokeniseBare(suffix),
    maxTokens,
  );
}

/** Returns how a score is read from the logits of one pair. */
function readerOf(
  tokenizer: PairTokenizer,
  scoring: PairScorerOptions['scoring'],
): (logits: Float32Array) => number {
  if (scoring.kind === 'one-logit')
    return (logits) => {
      if (logits.length !== 1)
        throw new AppError(
          'rerank',
          'rerank-logits',
          `the model gives ${logits.length} logits a pair; one is needed`,
        );
      return logits[0] as number;
    };
  const [yes, no] = [tokenizer.idOf(scoring.yes), tokenizer.idOf(scoring.no)];
  if (yes === undefined || no === undefined)
    throw new AppError(
      'rerank',
      'rerank-logits',
      `the vocabulary has no token "${yes === undefined ? scoring.yes : scoring.no}", by which the model answers`,
    );
  return (logits) => yesProbability(logits[yes] ?? NaN, logits[no] ?? NaN);
}
