import * as v from 'valibot';
import { EXEC_MEASURES, type ExecReport } from '../analyses/execretrieval/report-types.ts';
import { VERDICTS } from '../domain/verdict.ts';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const rank = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const text = v.pipe(v.string(), v.maxLength(10_000));
/** Rates lie in 0..1; gaps of rates and of cosines in -1..1 or a little beyond by rounding, dots anywhere. */
const rate = v.nullable(v.pipe(finite, v.minValue(0), v.maxValue(1)));
const gap = v.nullable(finite);

const estimateOf = <S extends v.GenericSchema<unknown, number | null>>(value: S) => ({
  value,
  low: value,
  high: value,
  n: count,
});
const shareSchema = v.strictObject({ ...estimateOf(rate), count });
const rateEstimate = v.strictObject(estimateOf(rate));
const gapEstimate = v.strictObject(estimateOf(gap));

const cellSchema = v.pipe(
  v.strictObject({ ...estimateOf(gap), measure: v.picklist(EXEC_MEASURES), k: rank, upper: gap }),
  v.check(
    ({ measure, value }) => value === null || (value <= 1 && value >= (measure === 'exec_ndcg_gap' ? -1 : 0)),
    'a metric lies outside its range',
  ),
);

const deceptionSchema = v.strictObject({
  triples: count,
  deceived: count,
  tied: count,
  strict: rateEstimate,
  ties: rateEstimate,
  half: rateEstimate,
  byTriple: rateEstimate,
  remark: v.nullable(text),
});

const gapSummarySchema = v.strictObject({ median: gap, mean: gapEstimate });

const stripCellSchema = v.strictObject({
  documentId: text,
  score: finite,
  verdict: v.nullable(v.picklist(VERDICTS)),
  role: v.picklist(['canonical', 'distractor', 'other']),
  bugType: v.nullable(text),
});

const queryRowSchema = v.strictObject({
  queryId: text,
  domain: v.nullable(text),
  canonicals: count,
  canonicalRanks: v.array(rank),
  firstPassingRank: v.nullable(rank),
  rankOne: v.picklist(['passes', 'near-clone', 'other-miss', 'no-ranking']),
  strip: v.pipe(v.array(stripCellSchema), v.maxLength(10)),
  gap: v.nullable(v.strictObject({ toMax: finite, toMean: finite })),
  values: v.array(finite),
});

const readingSchema = v.array(v.strictObject({ k: rank, value: rate }));

/** The border for an ExecRetrieval report that comes from a file or a link: structure, ranges, and no unknown member. */
export const execReportSchema: v.GenericSchema<unknown, ExecReport> = v.strictObject({
  kind: v.literal('exec-report'),
  cutoffs: v.array(rank),
  resamples: count,
  seed: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  counts: v.strictObject({
    queries: count,
    withoutRanking: count,
    missingVerdicts: count,
    unsupported: count,
    platformSensitive: count,
    unknownTriples: count,
  }),
  columns: v.array(text),
  cells: v.array(cellSchema),
  otherReadings: v.strictObject({
    executionPrecisionOverReturned: readingSchema,
    ndcgBestCanonical: readingSchema,
  }),
  nearCloneMisses: shareSchema,
  deception: deceptionSchema,
  canonicalBelow: v.strictObject({
    queries: count,
    strict: shareSchema,
    ties: shareSchema,
    gapToMax: gapSummarySchema,
    gapToMean: gapSummarySchema,
  }),
  domains: v.array(
    v.strictObject({
      domain: text,
      queries: count,
      cells: v.array(cellSchema),
      nearCloneMisses: shareSchema,
    }),
  ),
  bugTypes: v.array(
    v.strictObject({
      bugType: text,
      mechanical: v.boolean(),
      distractors: count,
      deception: v.nullable(deceptionSchema),
      atRank1: shareSchema,
    }),
  ),
  spans: v.nullable(
    v.strictObject({
      buckets: v.array(v.strictObject({ bucket: text, deception: deceptionSchema })),
      spearman: v.strictObject({ rho: gap, p: rate, n: count }),
    }),
  ),
  perQuery: v.pipe(v.array(queryRowSchema), v.maxLength(100_000)),
  warnings: v.array(
    v.strictObject({
      code: v.picklist([
        'canonical-unsupported',
        'canonical-fails',
        'distractor-passes',
        'missing-verdicts',
        'no-ranking',
        'short-ranking',
        'unknown-queries',
      ]),
      message: text,
      count,
      examples: v.pipe(v.array(text), v.maxLength(10)),
    }),
  ),
});
