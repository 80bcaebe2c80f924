import * as v from 'valibot';
import type {
  ExecQuery,
  ExecSimilarities,
  ExecSnippet,
  ExecVerdicts,
} from '../analyses/execretrieval/report-types.ts';
import { corpusRowSchema, domainOfEntry, queryRowSchema } from '../benchmarks/rows/exec-retrieval.ts';
import { idSchema } from '../benchmarks/rows/schema.ts';
import type { ByteSource } from '../codecs/byte-source.ts';
import { readJsonLines } from '../codecs/jsonl.ts';
import { rowError } from '../codecs/row.ts';
import { isVerdict, VERDICTS, type Verdict } from '../domain/verdict.ts';
import { parseRow } from './layouts/layout.ts';

/** What scoring needs of a file: its name for messages and its bytes. */
export type TableSource = Pick<ByteSource, 'name' | 'stream'>;

/** Rows of corpus.jsonl; scoring needs no code (without it there are no span buckets). */
const snippetSchema = v.partial(corpusRowSchema, ['code']);
/** Rows of queries.jsonl; scoring needs neither text nor tests. */
const querySchema = v.partial(queryRowSchema, ['query', 'test_suite']);

const verdictSchema = v.looseObject({
  query_id: idSchema,
  corpus_id: idSchema,
  verdict: v.pipe(v.string('must be text'), v.check(isVerdict, `must be one of ${VERDICTS.join(', ')}`)),
});

const similaritySchema = v.looseObject({
  query_id: idSchema,
  corpus_id: idSchema,
  similarity: v.pipe(v.number('must be a number'), v.finite('must be finite')),
});

/** A snippet with the domain that its own entry id names. */
export interface ExecCorpus {
  readonly snippets: ReadonlyMap<string, ExecSnippet>;
  readonly domains: ReadonlyMap<string, string>;
}

/** Reads corpus.jsonl for scoring. Errors: `duplicate-id` and those of JSON Lines, with file, line and value. */
export async function readExecCorpus(source: TableSource): Promise<ExecCorpus> {
  const snippets = new Map<string, ExecSnippet>();
  const domains = new Map<string, string>();
  for await (const rows of readJsonLines(source)) {
    for (const row of rows) {
      const {
        corpus_id: id,
        code,
        bug_type,
        source_entry_id,
      } = parseRow(snippetSchema, source.name, row, ['corpus_id']);
      if (snippets.has(id))
        throw rowError(source.name, row.line, 'duplicate-id', `corpus id "${id}" occurs twice`);
      snippets.set(id, {
        ...(bug_type ? { bugType: bug_type } : {}),
        ...(code === undefined ? {} : { code }),
      });
      const domain = domainOfEntry(source_entry_id);
      if (domain !== undefined) domains.set(id, domain);
    }
  }
  return { snippets, domains };
}

/**
 * Reads queries.jsonl for scoring. The domain comes from the entry id, from a `domain` member of the row or of its metadata,
 * or from the canonical's entry id. Errors: `duplicate-id`, `unknown-document` and those of JSON Lines, with file, line, value.
 */
export async function readExecQueries(source: TableSource, corpus: ExecCorpus): Promise<ExecQuery[]> {
  const queries = new Map<string, ExecQuery>();
  for await (const rows of readJsonLines(source)) {
    for (const row of rows) {
      const parsed = parseRow(querySchema, source.name, row, ['query_id']);
      const id = parsed.query_id;
      if (queries.has(id))
        throw rowError(source.name, row.line, 'duplicate-id', `query id "${id}" occurs twice`);
      const canonicalIds = parsed.correct_corpus_ids;
      const distractorIds = parsed.paired_distractor_corpus_ids ?? [];
      const own = [...canonicalIds, ...distractorIds];
      const unknown = own.find((documentId) => !corpus.snippets.has(documentId));
      if (unknown !== undefined)
        throw rowError(
          source.name,
          row.line,
          'unknown-document',
          `query "${id}" names the corpus id "${unknown}", which the corpus has not`,
        );
      const twice = own.find((documentId, i) => own.indexOf(documentId) !== i);
      if (twice !== undefined)
        throw rowError(
          source.name,
          row.line,
          'duplicate-id',
          `query "${id}" names the corpus id "${twice}" twice`,
        );
      const declared = parsed['domain'] ?? parsed.metadata?.['domain'];
      const domain =
        domainOfEntry(parsed.entry_id) ??
        (typeof declared === 'string' && declared !== '' ? declared : undefined) ??
        corpus.domains.get(canonicalIds[0] as string) ??
        null;
      queries.set(id, { id, domain, canonicalIds, distractorIds });
    }
  }
  return [...queries.values()];
}

/**
 * Reads verdicts, JSON Lines `{"query_id", "corpus_id", "verdict"}`. The same verdict twice is one; two different ones are
 * an error (`contradicting-verdicts`), as is a verdict that is not in the list.
 */
export async function readExecVerdicts(source: TableSource): Promise<ExecVerdicts> {
  const verdicts = new Map<string, Map<string, Verdict>>();
  for await (const rows of readJsonLines(source)) {
    for (const row of rows) {
      const parsed = parseRow(verdictSchema, source.name, row, ['query_id', 'corpus_id']);
      const verdict = parsed.verdict as Verdict;
      const ofQuery = memberOf(verdicts, parsed.query_id);
      const before = ofQuery.get(parsed.corpus_id);
      if (before !== undefined && before !== verdict)
        throw rowError(
          source.name,
          row.line,
          'contradicting-verdicts',
          `query "${parsed.query_id}" and corpus id "${parsed.corpus_id}" are "${verdict}" here and "${before}" before`,
        );
      ofQuery.set(parsed.corpus_id, verdict);
    }
  }
  return verdicts;
}

/** Reads similarities, JSON Lines `{"query_id", "corpus_id", "similarity"}`; a pair that occurs twice is an error. */
export async function readExecSimilarities(source: TableSource): Promise<ExecSimilarities> {
  const similarities = new Map<string, Map<string, number>>();
  for await (const rows of readJsonLines(source)) {
    for (const row of rows) {
      const parsed = parseRow(similaritySchema, source.name, row, ['query_id', 'corpus_id']);
      const ofQuery = memberOf(similarities, parsed.query_id);
      if (ofQuery.has(parsed.corpus_id))
        throw rowError(
          source.name,
          row.line,
          'duplicate-id',
          `query "${parsed.query_id}" and corpus id "${parsed.corpus_id}" occur twice`,
        );
      ofQuery.set(parsed.corpus_id, parsed.similarity);
    }
  }
  return similarities;
}

function memberOf<T>(table: Map<string, Map<string, T>>, queryId: string): Map<string, T> {
  let ofQuery = table.get(queryId);
  if (ofQuery === undefined) table.set(queryId, (ofQuery = new Map()));
  return ofQuery;
}
