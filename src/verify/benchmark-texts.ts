import { corpusRowSchema, queryRowSchema } from '../benchmarks/rows/exec-retrieval.ts';
import { readJsonLines } from '../codecs/jsonl.ts';
import type { TableSource } from '../sources/exec-tables.ts';
import { parseRow } from '../sources/layouts/layout.ts';

/** The texts of a benchmark in the ExecRetrieval layout: what is encoded and what is run. */
export interface BenchmarkTexts {
  /** Code by document id, in file order. */
  readonly documents: ReadonlyMap<string, string>;
  /** By query id, in file order. */
  readonly queries: ReadonlyMap<string, { readonly text: string; readonly tests: readonly string[] }>;
}

/** Reads corpus.jsonl and queries.jsonl. Errors: those of JSON Lines, with file, line and value. */
export async function readBenchmarkTexts(corpus: TableSource, queries: TableSource): Promise<BenchmarkTexts> {
  const documents = new Map<string, string>();
  for await (const rows of readJsonLines(corpus))
    for (const row of rows) {
      const { corpus_id, code } = parseRow(corpusRowSchema, corpus.name, row, ['corpus_id']);
      documents.set(corpus_id, code);
    }
  const texts = new Map<string, { text: string; tests: readonly string[] }>();
  for await (const rows of readJsonLines(queries))
    for (const row of rows) {
      const { query_id, query, test_suite } = parseRow(queryRowSchema, queries.name, row, ['query_id']);
      texts.set(query_id, { text: query, tests: test_suite });
    }
  return { documents, queries: texts };
}
