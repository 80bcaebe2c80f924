import type { Dtype, DtypeFiles, ModelSource } from '../model-definition.ts';

/** How a reranker makes a score of a query and a document. */
export type RerankerKind =
  /** A cross-encoder with one output: the logit is the score. */
  | { readonly kind: 'one-logit' }
  /** A causal model that answers yes or no: the softmax over the two logits at the last position. */
  | {
      readonly kind: 'yes-no';
      readonly prefix: string;
      readonly suffix: string;
      readonly body: (instruction: string, query: string, document: string) => string;
      readonly yes: string;
      readonly no: string;
      readonly instruction: string;
    }
  /** Late interaction: for each token of the query the best cosine among the document's tokens, summed. */
  | { readonly kind: 'max-sim'; readonly encoder: string };

/** A reranker as declared data. */
export interface RerankerDefinition {
  readonly id: string;
  readonly scoring: RerankerKind;
  /** Absent for late interaction, which uses an embedding model's own files. */
  readonly source?: ModelSource;
  readonly dtypes: Readonly<Partial<Record<Dtype, DtypeFiles>>>;
  readonly defaultDtype: Dtype;
  readonly maxTokens: number;
  readonly parameters: number;
  readonly licence: string;
  readonly note?: string;
}

/** Documents that are scored again for each query, unless the protocol says otherwise. */
export const DEFAULT_RERANK_DEPTH = 128;
