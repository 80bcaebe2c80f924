/** What a reranker reads: token ids of a query and a document together, cut so that the document loses its end. */

/** Ids of a pair with the segment of each position (BERT's token types; absent where the model has none). */
export interface TokenisedPair {
  readonly ids: readonly number[];
  readonly segments?: readonly number[];
  readonly truncated: boolean;
}

/** Returns a pair as a cross-encoder's tokenizer made it, cut to the limit; the closing special tokens stay. */
export function cutPair(
  ids: readonly number[],
  segments: readonly number[] | undefined,
  maxTokens: number,
  closing: readonly number[],
): TokenisedPair {
  if (ids.length <= maxTokens) return { ids, truncated: false, ...(segments && { segments }) };
  const kept = Math.max(0, maxTokens - closing.length);
  const lastSegment = segments?.at(-1) ?? 0;
  return {
    ids: [...ids.slice(0, kept), ...closing],
    truncated: true,
    ...(segments && { segments: [...segments.slice(0, kept), ...closing.map(() => lastSegment)] }),
  };
}

/** Returns prefix, body and suffix of a yes/no prompt as ids: the body, made without special tokens, is cut to the room left. */
export function joinPrompt(
  prefix: readonly number[],
  body: readonly number[],
  suffix: readonly number[],
  maxTokens: number,
): TokenisedPair {
  const room = Math.max(0, maxTokens - prefix.length - suffix.length);
  return { ids: [...prefix, ...body.slice(0, room), ...suffix], truncated: body.length > room };
}

/** Returns the probability of yes against no: the softmax over the two logits, written so that it never overflows. */
export function yesProbability(yesLogit: number, noLogit: number): number {
  return 1 / (1 + Math.exp(noLogit - yesLogit));
}
