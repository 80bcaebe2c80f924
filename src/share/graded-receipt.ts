import * as v from 'valibot';
import { intrusion, queryIntrusion, type Intrusion } from '../analyses/coreb/intrusion.ts';
import { estimateMeans, type Estimate } from '../analyses/estimate.ts';
import { AppError } from '../domain/app-error.ts';
import type { Ranking } from '../domain/ranking.ts';
import { evaluateQuery, parseMeasures } from '../metrics/index.ts';
import type { ByteReader } from './byte-stream.ts';
import { type ByteWriter } from './byte-stream.ts';
import {
  bitCount,
  FOUND_DEPTH,
  GRADED_RANKS,
  readGradedOutcomes,
  writeGradedOutcomes,
  type GradedOutcome,
} from './graded-outcomes.ts';
import { readDigests, readManifest, writeDigests, type ReceiptDigests } from './receipt-parts.ts';

/** The measures that a graded receipt can carry: each follows exactly from its outcomes. */
export const GRADED_MEASURES = [
  ...[1, 3, 5, 10].map((k) => `nDCG@${k}`),
  ...[1, 3, 5, 10, FOUND_DEPTH].map((k) => `R@${k}`),
  ...[1, 3, 5, 10].map((k) => `P@${k}`),
  'RR@10',
  'AP@10',
] as readonly string[];

const short = v.pipe(v.string(), v.maxLength(500));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const manifestSchema = v.strictObject({
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  assayVersion: short,
  benchmark: v.strictObject({ id: short, documents: count }),
  model: v.strictObject({ id: short, dtype: short, revision: short }),
  protocol: short,
  device: short,
  probeError: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0))),
  seed: count,
  resamples: v.pipe(count, v.minValue(1), v.maxValue(100_000)),
  measures: v.pipe(v.array(v.picklist(GRADED_MEASURES)), v.minLength(1), v.maxLength(30)),
  /** Tasks or sub-datasets, in the order of the outcomes. */
  parts: v.pipe(v.array(v.strictObject({ name: short, queries: count })), v.minLength(1), v.maxLength(100)),
  /** Whether a query without a positive counts as 0 or is left out of the means. */
  queriesWithoutPositives: v.picklist(['zero', 'excluded']),
});
export type GradedManifest = v.InferOutput<typeof manifestSchema>;

/** A graded result as a link carries it: every query's outcome, part after part, and the claimed means. */
export interface GradedReceipt {
  readonly kind: 'graded';
  readonly manifest: GradedManifest;
  readonly digests: ReceiptDigests;
  readonly outcomes: readonly GradedOutcome[];
  /** One mean a part and measure: the measures of the first part, then of the next. */
  readonly claims: readonly number[];
}

/** What follows from the outcomes of a graded receipt. */
export interface GradedReport {
  readonly parts: readonly {
    readonly name: string;
    readonly queries: number;
    readonly queriesWithPositive: number;
    /** In the order of the manifest's measures. */
    readonly cells: readonly Estimate[];
    readonly intrusion: Intrusion;
    /** One list a query, in the order of the measures. */
    readonly values: readonly Float64Array[];
  }[];
}

/** Computes means, intervals and intrusion from the outcomes, by the metrics themselves on rankings of stand-in ids. */
export function reportOfGraded({ manifest, outcomes }: Omit<GradedReceipt, 'claims'>): GradedReport {
  const measures = parseMeasures(manifest.measures.join(','));
  const { seed, resamples, queriesWithoutPositives } = manifest;
  let at = 0;
  const parts = manifest.parts.map(({ name, queries }) => {
    const own = outcomes.slice(at, at + queries);
    at += queries;
    const rebuilt = own.map(rebuild);
    const values = rebuilt.map(({ ranking, grades }) =>
      evaluateQuery(ranking, positivesOf(grades), measures),
    );
    const counted = values.filter((_, i) => queriesWithoutPositives === 'zero' || (own[i]?.total ?? 0) > 0);
    return {
      name,
      queries,
      queriesWithPositive: own.filter(({ total }) => total > 0).length,
      cells: estimateMeans(
        measures.map((_, m) => Float64Array.from(counted, (row) => row[m] as number)),
        { seed, resamples },
      ),
      intrusion: intrusion(rebuilt.map(({ ranking, grades }) => queryIntrusion(ranking, grades, POSITIVE))),
      values,
    };
  });
  return { parts };
}

/** The receipt's claims as the report has them. */
export function gradedClaims(report: GradedReport): number[] {
  return report.parts.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0));
}

const POSITIVE = 2;
const HARD_NEGATIVE = 1;

/** A ranking that has the outcome: positives beyond rank 10 stand as early as they can, which no measure sees. */
function rebuild({ positives, hardNegatives, retrieved, total, foundIn100 }: GradedOutcome): {
  ranking: Ranking;
  grades: Map<string, number>;
} {
  const documentIds = Array.from({ length: retrieved }, (_, i) => `rank ${i + 1}`);
  const grades = new Map<string, number>();
  for (let i = 0; i < GRADED_RANKS; i++) {
    if (((positives >> i) & 1) === 1) grades.set(`rank ${i + 1}`, POSITIVE);
    if (((hardNegatives >> i) & 1) === 1) grades.set(`rank ${i + 1}`, HARD_NEGATIVE);
  }
  const beyond = foundIn100 - bitCount(positives);
  for (let i = 0; i < beyond; i++) grades.set(`rank ${GRADED_RANKS + 1 + i}`, POSITIVE);
  for (let i = foundIn100; i < total; i++) grades.set(`not retrieved ${i}`, POSITIVE);
  const scores = Float64Array.from(documentIds, (_, i) => -i);
  return { ranking: { queryId: 'query', documentIds, scores }, grades };
}

/** Hard negatives gain nothing: they only hold their rank. */
function positivesOf(grades: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...grades].filter(([, grade]) => grade >= POSITIVE).map(([id]) => [id, 1]));
}

/** Writes a graded receipt; inverse: {@link readGradedReceipt}. */
export function writeGradedReceipt(writer: ByteWriter, receipt: GradedReceipt): void {
  writer.text(JSON.stringify(receipt.manifest));
  writeDigests(writer, receipt.digests);
  writer.varint(receipt.claims.length);
  for (const claim of receipt.claims) writer.float64(claim);
  writeGradedOutcomes(writer, receipt.outcomes);
}

/** Reads what {@link writeGradedReceipt} wrote. Throws AppError `link-damaged` with what is wrong. */
export function readGradedReceipt(reader: ByteReader): GradedReceipt {
  const manifest = readManifest(reader, manifestSchema);
  const digests = readDigests(reader);
  const claimed = reader.varint();
  const expected = manifest.parts.length * manifest.measures.length;
  if (claimed !== expected)
    throw new AppError(
      'link',
      'link-damaged',
      `The link is damaged: it claims ${claimed} means where its manifest has ${expected}.`,
    );
  const claims = Array.from({ length: claimed }, () => reader.float64());
  const outcomes = readGradedOutcomes(reader);
  const declared = manifest.parts.reduce((sum, { queries }) => sum + queries, 0);
  if (declared !== outcomes.length)
    throw new AppError(
      'link',
      'link-damaged',
      `The link is damaged: its parts have ${declared} queries, its outcomes ${outcomes.length}.`,
    );
  return { kind: 'graded', manifest, digests, outcomes, claims };
}
