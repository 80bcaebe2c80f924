import * as v from 'valibot';
import type { GradedReport } from '../analyses/graded-report.ts';
import { canonicalJson, digestOf } from '../domain/digest.ts';
import { checkRecordId, commonDigests, commonFields, digest, parseRecordAs } from './record.ts';

/** The schema of records whose benchmark is graded, not executed. */
export const GRADED_RECORD_SCHEMA = 'assay-graded-record/1';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(10_000));
const estimate = { value: v.nullable(finite), low: v.nullable(finite), high: v.nullable(finite), n: count };
const cell = v.strictObject({ ...estimate, measure: text });
const labels = v.record(text, text);

/** The border for a graded report that comes from a file: structure, finite numbers, no unknown member. */
const gradedReportSchema: v.GenericSchema<unknown, GradedReport> = v.strictObject({
  kind: v.literal('graded-report'),
  relevanceLevel: v.pipe(v.number(), v.safeInteger()),
  columns: v.array(text),
  cells: v.array(cell),
  slices: v.array(v.strictObject({ field: text, label: text, cells: v.array(cell) })),
  counts: v.strictObject({
    judged: count,
    evaluated: count,
    withoutResults: count,
    withoutRelevant: count,
    ignored: count,
    queries: count,
  }),
  perQuery: v.pipe(
    v.array(
      v.strictObject({
        queryId: text,
        labels,
        counted: v.boolean(),
        values: v.array(finite),
        hits: v.pipe(
          v.array(v.strictObject({ documentId: text, score: finite, grade: v.nullable(finite) })),
          v.maxLength(10),
        ),
        retrieved: count,
        positives: count,
        positivesInTop100: count,
      }),
    ),
    v.maxLength(200_000),
  ),
  notes: v.array(
    v.strictObject({
      code: v.picklist([
        'nothing-retrieved-is-judged',
        'left-without-judgements',
        'without-relevant',
        'without-results',
        'ignored',
      ]),
      queries: count,
      words: text,
    }),
  ),
  resamples: count,
  seed: count,
});

const gradedContent = {
  ...commonFields,
  schema: v.literal(GRADED_RECORD_SCHEMA),
  digests: v.strictObject(commonDigests),
  report: gradedReportSchema,
};

/** The record of a result whose benchmark is graded. */
export const gradedRecordSchema = v.strictObject({
  ...gradedContent,
  /** SHA-256 of the canonical JSON of all other members. */
  id: digest,
});
export type GradedRecord = v.InferOutput<typeof gradedRecordSchema>;
/** A graded record before it got its id. */
export type GradedRecordContent = Omit<GradedRecord, 'id'>;

/** Names the record by the digest of its content. */
export async function sealGradedRecord(content: GradedRecordContent): Promise<GradedRecord> {
  return { ...content, id: await digestOf(canonicalJson(content)) };
}

/**
 * Parses a graded record from text and checks its own digest.
 *
 * @throws AppError naming the member that is wrong, or `record-altered`
 */
export async function readGradedRecord(source: string): Promise<GradedRecord> {
  return checkRecordId(parseRecordAs(gradedRecordSchema, GRADED_RECORD_SCHEMA, source));
}

/** Writes a graded record as text. Inverse: {@link readGradedRecord}. */
export function printGradedRecord(record: GradedRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}
