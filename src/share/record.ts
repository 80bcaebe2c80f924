import * as v from 'valibot';
import { canonicalJson, digestOf } from '../domain/digest.ts';
import { jsonFault } from '../domain/json-fault.ts';
import { AppError } from '../domain/app-error.ts';
import { VERDICTS } from '../domain/verdict.ts';
import { execReportSchema } from './exec-report-schema.ts';

/** The schema that this program writes; read ones are migrated to it. */
export const RECORD_SCHEMA = 'assay-record/1';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(10_000));
/** A SHA-256 in hexadecimal digits. */
export const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a digest is 64 hexadecimal digits'));
const scalar = v.union([text, finite, v.boolean(), v.null()]);

const errorEstimate = v.strictObject({
  largestMarginChange: finite,
  largestComponentChange: finite,
  meanCosine: finite,
  minCosine: finite,
});

const passport = v.strictObject({
  verdict: v.picklist(['right', 'refused', 'unchecked']),
  against: v.picklist(['stored reference', 'own repetition', 'nothing']),
  probes: count,
  reducedBecause: v.exactOptional(text),
  deviceError: v.exactOptional(errorEstimate),
  quantisationError: v.exactOptional(errorEstimate),
  limit: finite,
  faults: v.array(v.strictObject({ fault: text, message: text })),
});

const prompt = v.strictObject({ text, rule: v.picklist(['benchmark', 'task', 'default']) });

const adapter = v.strictObject({
  vendor: text,
  architecture: text,
  device: text,
  description: text,
  software: v.boolean(),
  shaderF16: v.boolean(),
  features: v.array(text),
  maxBufferBytes: finite,
  maxStorageBufferBindingBytes: finite,
});

const deviceTrial = v.strictObject({
  device: v.picklist(['webgpu', 'wasm']),
  outcome: v.picklist(['timed', 'gave-up', 'failed', 'refused']),
  texts: count,
  tokens: count,
  ms: finite,
  loadMs: finite,
  message: v.exactOptional(text),
});

const warning = v.strictObject({ code: text, count, message: text });

/** One outcome that was not a pass, for the inspector: which test, and what it said. */
const failure = v.strictObject({
  queryId: text,
  documentId: text,
  verdict: v.picklist(VERDICTS),
  /** 0-based test of the query's suite. */
  test: count,
  message: text,
  expected: v.exactOptional(text),
  got: v.exactOptional(text),
});

/** What every record says, whether verdicts or grades decide. */
export const commonFields = {
  /** When the run ended, ISO 8601 in UTC. */
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  assayVersion: text,
  benchmark: v.strictObject({
    id: text,
    name: text,
    digest,
    parts: v.strictObject({
      documents: digest,
      queries: digest,
      qrels: digest,
      visibility: v.exactOptional(digest),
      execution: v.exactOptional(digest),
    }),
    counts: v.strictObject({ documents: count, queries: count, judgements: count }),
    source: text,
    cutFrom: v.exactOptional(v.strictObject({ digest, queries: count })),
  }),
  model: v.strictObject({
    id: text,
    revision: text,
    fileDigests: v.record(text, digest),
    dtype: text,
    pooling: text,
    normalised: v.boolean(),
    dimensions: count,
    maxTokens: count,
    batchTokens: count,
    dependsOnBatch: v.boolean(),
    prompts: v.strictObject({ query: prompt, document: prompt }),
  }),
  protocol: v.strictObject({
    id: text,
    digest,
    /** Every setting, so that two records can be told apart field by field. */
    settings: v.record(text, v.union([scalar, v.array(text)])),
  }),
  device: v.strictObject({
    backend: v.picklist(['webgpu', 'wasm']),
    requested: v.picklist(['auto', 'webgpu', 'wasm']),
    reason: text,
    adapter: v.exactOptional(adapter),
    threads: count,
    threadsReason: text,
    /** How the device was chosen by measurement; empty when it was named. */
    trials: v.array(deviceTrial),
    userAgent: text,
  }),
  /** Versions of everything that computes: model runtime, interpreter, kernel. */
  runtime: v.record(text, text),
  numerics: passport,
  seed: count,
  depth: count,
  timings: v.array(v.strictObject({ phase: text, ms: finite })),
  counts: v.record(text, count),
  warnings: v.array(warning),
};

/** Digests that every record holds. */
export const commonDigests = { documentVectors: digest, queryVectors: digest, rankings: digest };

const recordContent = {
  ...commonFields,
  schema: v.literal(RECORD_SCHEMA),
  /** What the oracle's verdicts depend on, and the measured factor on its time limit; null when nothing was executed. */
  oracle: v.nullable(v.record(text, scalar)),
  digests: v.strictObject({ ...commonDigests, verdicts: digest }),
  report: execReportSchema,
  failures: v.array(failure),
};

/** The whole record of a result: enough to check it, compare it and run it again. */
export const recordSchema = v.strictObject({
  ...recordContent,
  /** SHA-256 of the canonical JSON of all other members. */ id: digest,
});
export type ResultRecord = v.InferOutput<typeof recordSchema>;
export type RecordFailure = v.InferOutput<typeof failure>;
/** A record before it got its id. */
export type RecordContent = Omit<ResultRecord, 'id'>;

/** Names the record by the digest of its content. */
export async function sealRecord(content: RecordContent): Promise<ResultRecord> {
  return { ...content, id: await digestOf(canonicalJson(content)) };
}

/**
 * Parses a record from text and checks its own digest.
 *
 * @throws AppError as {@link parseRecord}, and `record-altered` for an id that does not fit the content
 */
export async function readRecord(source: string): Promise<ResultRecord> {
  return checkRecordId(parseRecord(source));
}

/** Returns the record when its id is the digest of its content, else throws AppError `record-altered`. */
export async function checkRecordId<R extends { readonly id: string }>(record: R): Promise<R> {
  const { id, ...content } = record;
  const actual = await digestOf(canonicalJson(content));
  if (actual !== id) {
    throw new AppError(
      'record',
      'record-altered',
      `The record was altered: its content has digest ${actual}, it says ${id}.`,
    );
  }
  return record;
}

/**
 * Parses a record from text without comparing its id with its content: for whoever checks that claim itself.
 *
 * @throws AppError naming the member that is wrong: bad JSON, a newer or unknown schema, a value out of range
 */
export function parseRecord(source: string): ResultRecord {
  return parseRecordAs(recordSchema, RECORD_SCHEMA, source);
}

/** {@link parseRecord} for a record of any kind: its schema, and the name by which it calls itself. */
export function parseRecordAs<S extends v.GenericSchema>(
  recordSchema: S,
  name: string,
  source: string,
): v.InferOutput<S> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (thrown) {
    throw new AppError('record', 'record-not-json', `The record is not JSON: ${jsonFault(source, thrown)}.`, {
      cause: thrown,
    });
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (schema !== name) {
    const newer = typeof schema === 'string' && schema.startsWith(name.replace(/\d+$/, ''));
    throw new AppError(
      'record',
      newer ? 'record-newer' : 'not-a-record',
      newer
        ? `The record has schema ${schema}; this version of Assay reads ${name}. Reload the page for a newer version.`
        : `This is not a record of Assay: member "schema" is ${JSON.stringify(schema)}, ${JSON.stringify(name)} was expected.`,
    );
  }
  const parsed = v.safeParse(recordSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = v.getDotPath(issue) ?? 'the record';
    throw new AppError('record', 'record-invalid', `The record is damaged at ${place}: ${issue.message}.`);
  }
  return parsed.output;
}

/** Writes a record as text. Inverse: {@link readRecord}. */
export function printRecord(record: ResultRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}
