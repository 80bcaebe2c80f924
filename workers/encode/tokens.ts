/** A text as the model will see it. */
export interface TokenisedText {
  readonly ids: readonly number[];
  /** Whether tokens were dropped at the limit. */
  readonly truncated: boolean;
}

/** What encoding needs of a tokenizer. */
export interface TextTokenizer {
  /** Ids with special tokens, never truncated or padded. */
  tokenise(text: string): number[];
  /** Special tokens at the end of every text (BERT: one separator), as {@link closingTokens} finds them. */
  readonly closing: readonly number[];
  /** Any valid id: padded positions are masked. */
  readonly padId: number;
}

/** What reranking needs of a tokenizer besides. */
export interface PairTokenizer extends TextTokenizer {
  /** Ids of two texts together, with special tokens; segments where the tokenizer tells them. */
  tokenisePair(first: string, second: string): { readonly ids: number[]; readonly segments?: number[] };
  /** Ids without special tokens; those written in the text count as such. */
  tokeniseBare(text: string): number[];
  /** The id of one token as the vocabulary spells it; undefined when there is none. */
  idOf(token: string): number | undefined;
}

/**
 * Returns the special tokens that a tokenizer puts at the end of a text, from the ids of the empty text and of a text of
 * one word: whatever follows the word and also ends the empty text.
 */
export function closingTokens(idsOfEmpty: readonly number[], idsOfWord: readonly number[]): number[] {
  let opening = 0;
  while (opening < idsOfEmpty.length && idsOfEmpty[opening] === idsOfWord[opening]) opening++;
  let closing = 0;
  while (
    closing < idsOfEmpty.length - opening &&
    idsOfEmpty[idsOfEmpty.length - 1 - closing] === idsOfWord[idsOfWord.length - 1 - closing]
  )
    closing++;
  return idsOfEmpty.slice(idsOfEmpty.length - closing);
}

/**
 * Returns ids cut to `maxTokens` as sentence-transformers cuts them: the text loses its end, the closing special tokens
 * stay. transformers.js' own truncation drops them, which alone moves a long text to a cosine of 0.9986.
 */
export function cutTokens(
  ids: readonly number[],
  maxTokens: number,
  closing: readonly number[],
): TokenisedText {
  if (ids.length <= maxTokens) return { ids, truncated: false };
  return { ids: [...ids.slice(0, Math.max(0, maxTokens - closing.length)), ...closing], truncated: true };
}

/** A text this many times longer than the limit in characters is tokenised from its beginning only. */
const CHARACTERS_PER_TOKEN = 64;

/**
 * Returns a text's ids after the cut. A text of megabytes is tokenised only as far as it matters: a prefix is enough once
 * it gives four times the limit, since a cut changes only the tokens of the word that it hits.
 */
export function tokeniseAndCut(tokenizer: TextTokenizer, text: string, maxTokens: number): TokenisedText {
  const { closing } = tokenizer;
  const whole = wellFormed(text);
  let length = maxTokens * CHARACTERS_PER_TOKEN;
  while (length < whole.length / 2) {
    const ids = tokenizer.tokenise(wellFormed(whole.slice(0, length)));
    if (ids.length >= 4 * maxTokens) return cutTokens(ids, maxTokens, closing);
    length *= 4;
  }
  return cutTokens(tokenizer.tokenise(whole), maxTokens, closing);
}

/** Returns the text with each lone surrogate replaced by U+FFFD, as every UTF-8 encoder does. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
