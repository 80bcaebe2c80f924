import * as v from 'valibot';
import type { Digest } from '../../domain/digest.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { idSchema, textSchema } from './schema.ts';

/** corpus.jsonl: one snippet. */
export const corpusRowSchema = v.looseObject({
  corpus_id: idSchema,
  code: textSchema,
  label: v.optional(v.nullable(v.string('must be text'))),
  bug_type: v.optional(v.nullable(v.string('must be text'))),
  source_entry_id: v.optional(v.nullable(v.string('must be text'))),
});

/** A row of corpus.jsonl. */
export type CorpusRow = v.InferOutput<typeof corpusRowSchema>;

/** queries.jsonl: one task with its suite and the documents that belong to it. */
export const queryRowSchema = v.looseObject({
  query_id: idSchema,
  query: textSchema,
  test_suite: v.pipe(
    v.array(
      v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
      'must be a list of assert statements',
    ),
    v.minLength(1, 'must hold at least one assert statement'),
  ),
  correct_corpus_ids: v.pipe(
    v.array(idSchema, 'must be a list of corpus ids'),
    v.minLength(1, 'must name at least one corpus id'),
  ),
  paired_distractor_corpus_ids: v.optional(v.nullable(v.array(idSchema, 'must be a list of corpus ids'))),
  entry_id: v.optional(v.nullable(v.string('must be text'))),
  metadata: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});

/** A row of queries.jsonl. */
export type QueryRow = v.InferOutput<typeof queryRowSchema>;

/** distractor_metadata.jsonl: only what fills gaps in corpus.jsonl is read. */
export const distractorRowSchema = v.looseObject({
  corpus_id: v.optional(idSchema),
  distractor_id: v.optional(idSchema),
  bug_type: v.optional(v.nullable(v.string('must be text'))),
});

const outcomeSchema = v.union([v.string(), v.boolean(), v.looseObject({})]);

/** execution_cache.jsonl: one row a (code, suite) with a list of outcomes, or one a (code, suite, test) with one. */
export const cacheRowSchema = v.looseObject({
  code_sha256: v.pipe(v.string('must be text'), v.regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256')),
  tests_sha256: v.pipe(v.string('must be text'), v.regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256')),
  outcomes: v.optional(v.array(outcomeSchema)),
  results: v.optional(v.array(outcomeSchema)),
  test_results: v.optional(v.array(outcomeSchema)),
  per_test: v.optional(v.array(outcomeSchema)),
  outcome: v.optional(outcomeSchema),
  result: v.optional(outcomeSchema),
  status: v.optional(v.string()),
});

/** What a cache row says: outcomes in the order of the tests, as verdicts. */
export interface CachedOutcomes {
  readonly codeDigest: Digest;
  /** As the cache hashes a suite; see suiteDigestReadings. */
  readonly suiteDigest: Digest;
  readonly outcomes: readonly Verdict[];
  /** Whether the row holds one test only and further rows may follow for the same suite. */
  readonly single: boolean;
}

/** Returns a cache row's outcomes; undefined when it holds none in any of the known members. */
export function cachedOutcomesOf(row: v.InferOutput<typeof cacheRowSchema>): CachedOutcomes | undefined {
  const digests = { codeDigest: row.code_sha256.toLowerCase(), suiteDigest: row.tests_sha256.toLowerCase() };
  const list = row.outcomes ?? row.results ?? row.test_results ?? row.per_test;
  if (list !== undefined) return { ...digests, outcomes: list.map(verdictOfOutcome), single: false };
  const one = row.outcome ?? row.result ?? row.status;
  return one === undefined ? undefined : { ...digests, outcomes: [verdictOfOutcome(one)], single: true };
}

/** Returns the verdict that a recorded outcome names: "pass", "FAIL", "FAIL:…", "TIMEOUT", "ERROR:…", true, false. */
export function verdictOfOutcome(outcome: v.InferOutput<typeof outcomeSchema>): Verdict {
  if (typeof outcome === 'object') {
    const { outcome: inner, status, result, verdict } = outcome as Record<string, unknown>;
    const said = [inner, status, result, verdict].find((value) => typeof value === 'string');
    return said === undefined ? 'error' : verdictOfOutcome(said as string);
  }
  if (typeof outcome === 'boolean') return outcome ? 'pass' : 'wrong';
  const text = outcome.toUpperCase();
  if (text.startsWith('PASS') || text === 'OK' || text === 'TRUE') return 'pass';
  if (text.startsWith('FAIL') || text.startsWith('WRONG') || text.includes('ASSERTIONERROR')) return 'wrong';
  if (text.startsWith('TIMEOUT')) return 'timeout';
  if (text.includes('MEMORYERROR') || text === 'MEMORY') return 'memory';
  if (text.includes('SYSTEMEXIT') || text === 'EXITED') return 'exited';
  return 'error';
}

/** The verdict of a whole suite: the first outcome that is not a pass. */
export function suiteVerdict(outcomes: readonly Verdict[]): Verdict {
  return outcomes.find((outcome) => outcome !== 'pass') ?? 'pass';
}

/** The domain inside an entry id: `exec_string_processing_5` belongs to `string_processing`; undefined for other forms. */
export function domainOfEntry(entryId: string | null | undefined): string | undefined {
  return /^(?:exec_)?([a-z][a-z_]*[a-z])_\d+$/.exec(entryId ?? '')?.[1];
}
