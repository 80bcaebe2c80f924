/** A way to cut texts into terms. */
export interface LexicalTokenizer {
  /** Unique; what `--tokenizer` takes and records say. */
  readonly id: string;
  readonly about: string;
  /** The terms of a text, in order, repeated ones repeated. */
  readonly tokenise: (text: string) => string[];
}

/** Runs of letters, numbers and underscores: Python's `\w+` (no combining marks). JavaScript's `\w` is ASCII only. */
const WORDS = /[\p{L}\p{N}_]+/gu;
const LONGER_WORDS = /[\p{L}\p{N}_]{2,}/gu;

/** The 33 English stop words of bm25s (those of Lucene's classic list). */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this ' +
    'to was will with'
  ).split(' '),
);

/**
 * Where an identifier is cut: underscores, lower to upper case, the last capital of a run before a lower letter, and
 * between letters and digits.
 */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+|\p{Lu}/gu;

/** Every tokenizer, the default first. */
export const TOKENIZERS: readonly LexicalTokenizer[] = [
  {
    id: 'code',
    about: 'words, and the parts of snake_case and camelCase names beside the whole name, in lower case',
    tokenise: (text) =>
      (text.match(WORDS) ?? []).flatMap((word) => {
        const parts = word.match(PARTS) ?? [];
        const whole = word.toLowerCase();
        return parts.length > 1 ? [whole, ...parts.map((part) => part.toLowerCase())] : [whole];
      }),
  },
  {
    id: 'word',
    about: 'runs of letters, numbers and underscores in lower case',
    tokenise: (text) => text.toLowerCase().match(WORDS) ?? [],
  },
  {
    id: 'bm25s',
    about: "bm25s's default: words of two characters or more in lower case, without 33 English stop words",
    tokenise: (text) =>
      (text.toLowerCase().match(LONGER_WORDS) ?? []).filter((term) => !STOP_WORDS.has(term)),
  },
];
