import * as v from 'valibot';
import { EXEC_MEASURES, type ExecMeasure, type ExecReport } from '../analyses/execretrieval/report-types.ts';
import { AppError } from '../domain/app-error.ts';
import { digestOfJson } from '../domain/digest.ts';
import type { ByteReader, ByteWriter } from './byte-stream.ts';
import { OUTCOME_RANKS, readOutcomes, writeOutcomes, type ExecutionOutcome } from './outcomes.ts';
import { readDigests, readManifest, writeDigests, type ReceiptDigests } from './receipt-parts.ts';
import type { ResultRecord } from './record.ts';

/** What a receipt says besides outcomes and digests: short, so that links stay short. */
const manifestSchema = v.strictObject({
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  assayVersion: v.pipe(v.string(), v.maxLength(100)),
  benchmark: v.strictObject({
    id: v.pipe(v.string(), v.maxLength(500)),
    documents: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  model: v.strictObject({
    id: v.pipe(v.string(), v.maxLength(500)),
    dtype: v.pipe(v.string(), v.maxLength(50)),
    revision: v.pipe(v.string(), v.maxLength(200)),
  }),
  protocol: v.pipe(v.string(), v.maxLength(200)),
  device: v.pipe(v.string(), v.maxLength(500)),
  /** Largest margin change measured on the probes; null when unchecked. */
  probeError: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0))),
  seed: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  resamples: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000)),
  cutoffs: v.pipe(
    v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(OUTCOME_RANKS))),
    v.minLength(1),
    v.maxLength(10),
  ),
});
export type ReceiptManifest = v.InferOutput<typeof manifestSchema>;

/**
 * A result as a link carries it: what was run, every query's outcome in the benchmark's own order of queries, and the
 * metrics as they were claimed. Every claimed metric can be computed again from the outcomes.
 */
export interface Receipt {
  readonly kind: 'execution';
  readonly manifest: ReceiptManifest;
  readonly digests: ReceiptDigests;
  readonly outcomes: readonly ExecutionOutcome[];
  /** Values in the order of {@link claimOrder}. */
  readonly claims: readonly number[];
}

/** Which measure each claimed value belongs to: all measures at the first cutoff, then at the next. */
export function claimOrder(
  cutoffs: readonly number[],
): readonly { readonly measure: ExecMeasure; readonly k: number }[] {
  return cutoffs.flatMap((k) => EXEC_MEASURES.map((measure) => ({ measure, k })));
}

/** Every query's outcome, in the report's order of queries. */
export function outcomesOf(report: ExecReport): ExecutionOutcome[] {
  return report.perQuery.map((row) => ({
    passes: row.strip.reduce((bits, { verdict }, i) => (verdict === 'pass' ? bits | (1 << i) : bits), 0),
    retrieved: row.strip.length,
    canonicals: row.canonicals,
    canonicalRanks: row.canonicalRanks,
    nearCloneAtRankOne: row.rankOne === 'near-clone',
  }));
}

/** The values that a receipt claims, in the order of {@link claimOrder}. */
export function claimsOf(report: ExecReport): number[] {
  return claimOrder(report.cutoffs).map(
    ({ measure, k }) => report.cells.find((cell) => cell.measure === measure && cell.k === k)?.value ?? 0,
  );
}

/** The receipt of a record. */
export async function receiptOf(record: ResultRecord): Promise<Receipt> {
  const { report } = record;
  const { adapter, backend, threads } = record.device;
  const where =
    backend === 'webgpu'
      ? `webgpu ${[adapter?.vendor, adapter?.architecture].filter(Boolean).join(' ')}`.trim()
      : `wasm, ${threads} threads`;
  return {
    kind: 'execution',
    manifest: {
      createdAt: record.createdAt,
      assayVersion: record.assayVersion,
      benchmark: { id: record.benchmark.id, documents: record.benchmark.counts.documents },
      model: { id: record.model.id, dtype: record.model.dtype, revision: record.model.revision },
      protocol: record.protocol.id,
      device: where,
      probeError: record.numerics.deviceError?.largestMarginChange ?? null,
      seed: report.seed,
      resamples: report.resamples,
      cutoffs: [...report.cutoffs],
    },
    digests: {
      benchmark: record.benchmark.digest,
      model: await digestOfJson(record.model),
      protocol: record.protocol.digest,
      rankings: record.digests.rankings,
      record: record.id,
    },
    outcomes: outcomesOf(report),
    claims: claimsOf(report),
  };
}

/** Writes a receipt; inverse: {@link readReceipt}. */
export function writeReceipt(writer: ByteWriter, receipt: Receipt): void {
  writer.text(JSON.stringify(receipt.manifest));
  writeDigests(writer, receipt.digests);
  writer.varint(receipt.claims.length);
  for (const claim of receipt.claims) writer.float64(claim);
  writeOutcomes(writer, receipt.outcomes);
}

/** Reads what {@link writeReceipt} wrote. Throws AppError naming what is damaged. */
export function readReceipt(reader: ByteReader): Receipt {
  const manifest = readManifest(reader, manifestSchema);
  const digests = readDigests(reader);
  const count = reader.varint();
  const expected = claimOrder(manifest.cutoffs).length;
  if (count !== expected)
    throw new AppError(
      'link',
      'link-damaged',
      `The link is damaged: it claims ${count} metrics where its cutoffs make ${expected}.`,
    );
  const claims = Array.from({ length: count }, () => reader.float64());
  return { kind: 'execution', manifest, digests, outcomes: readOutcomes(reader), claims };
}
