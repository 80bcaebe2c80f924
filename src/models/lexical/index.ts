import { AppError } from '../../domain/app-error.ts';
import { TOKENIZERS, type LexicalTokenizer } from './tokenizers.ts';
import { BM25_VARIANTS, type Bm25Variant } from './variants.ts';

export { Bm25Index, type Bm25SearchOptions, type Bm25Settings } from './bm25-index.ts';
export { TOKENIZERS, type LexicalTokenizer } from './tokenizers.ts';
export { BM25_VARIANTS, type Bm25Parameters, type Bm25Variant } from './variants.ts';

/** Returns the variant of that id. Errors: `unknown-bm25-variant`, listing the known ones. */
export function findVariant(id: string): Bm25Variant {
  return find(BM25_VARIANTS, id, 'unknown-bm25-variant', 'BM25 variant');
}

/** Returns the tokenizer of that id. Errors: `unknown-tokenizer`, listing the known ones. */
export function findTokenizer(id: string): LexicalTokenizer {
  return find(TOKENIZERS, id, 'unknown-tokenizer', 'tokenizer');
}

function find<T extends { readonly id: string }>(
  list: readonly T[],
  id: string,
  code: string,
  what: string,
): T {
  const found = list.find((candidate) => candidate.id === id);
  if (found) return found;
  const known = list.map((candidate) => candidate.id).join(', ');
  throw new AppError('input', code, `There is no ${what} "${id}". Known: ${known}.`);
}
