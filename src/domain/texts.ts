/** A retrievable document: what is embedded is `text` through the protocol's template, nothing else. */
export interface Document {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  /** Programming language in lower case, where the benchmark declares one. */
  readonly language?: string;
}

/** A query. `visible`, where present, says which documents exist for it (CORE-Bench: at the query's commit). */
export interface Query {
  readonly id: string;
  readonly text: string;
}

/** The two sides that a model may prompt differently. */
export type Side = 'query' | 'document';
