import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { ByteReader, ByteWriter } from './byte-stream.ts';
import { readManifest } from './receipt-parts.ts';
import type { ResultRecord } from './record.ts';

/** Longest summary link: what search engines, chats and pop-ups pass on whole. */
export const MAX_SUMMARY_CHARACTERS = 2_000;

const short = v.pipe(v.string(), v.maxLength(500));
const finite = v.pipe(v.number(), v.finite(), v.minValue(-1), v.maxValue(1));

const resultSchema = v.strictObject({
  benchmark: v.strictObject({ id: short, digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  model: v.strictObject({ id: short, dtype: short }),
  protocol: short,
  queries: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Id of the record, so that whoever gets the record can see that it is the one. */
  record: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  metrics: v.pipe(
    v.array(v.strictObject({ name: short, value: finite, interval: v.nullable(v.tuple([finite, finite])) })),
    v.minLength(1),
    v.maxLength(50),
  ),
});
const summarySchema = v.strictObject({
  results: v.pipe(v.array(resultSchema), v.minLength(1), v.maxLength(100)),
});

export type SummaryResult = v.InferOutput<typeof resultSchema>;

/**
 * Results without outcomes: nothing in it can be checked, so it is never shown above "claimed". Short enough for places
 * that cut long links.
 */
export interface Summary {
  readonly kind: 'summary';
  readonly results: readonly SummaryResult[];
}

/**
 * Returns a record's summary.
 *
 * @param names metrics to keep; all where absent
 */
export function summaryOf(records: readonly ResultRecord[], names?: readonly string[]): Summary {
  return {
    kind: 'summary',
    results: records.map(({ benchmark, model, protocol, createdAt, id, report }) => ({
      benchmark: { id: benchmark.id, digest: benchmark.digest },
      model: { id: model.id, dtype: model.dtype },
      protocol: protocol.id,
      queries: report.counts.queries,
      createdAt,
      record: id,
      metrics: report.cells.flatMap(({ measure, k, value, low, high }) => {
        const name = `${measure}@${k}`;
        if (value === null || (names !== undefined && !names.includes(name))) return [];
        return [
          { name, value, interval: low === null || high === null ? null : ([low, high] as [number, number]) },
        ];
      }),
    })),
  };
}

/** Writes a summary; inverse: {@link readSummary}. */
export function writeSummary(writer: ByteWriter, { results }: Summary): void {
  writer.text(JSON.stringify({ results }));
}

/** Reads what {@link writeSummary} wrote. Throws AppError `link-damaged`. */
export function readSummary(reader: ByteReader): Summary {
  return { kind: 'summary', ...readManifest(reader, summarySchema) };
}

/** Refuses a summary link that places which cut links would not pass on whole. */
export function checkSummaryLength(link: string): string {
  if (link.length <= MAX_SUMMARY_CHARACTERS) return link;
  throw new AppError(
    'link',
    'too-large-for-a-summary',
    `The summary needs ${link.length} characters, ${MAX_SUMMARY_CHARACTERS} are passed on everywhere: leave out metrics, or share the record files.`,
  );
}
