import * as v from 'valibot';
import { EXEC_MEASURES, type ExecMeasure, type ExecReport } from '../analyses/execretrieval/report-types.ts';
import { AppError } from '../domain/app-error.ts';
import { digestOfJson } from '../domain/digest.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';
import { OUTCOME_RANKS, readOutcomes, writeOutcomes, type ExecutionOutcome } from './outcomes.ts';
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

/** The digests that a receipt carries, in the order in which they are written. */
export const RECEIPT_DIGESTS = ['benchmark', 'model', 'protocol', 'rankings', 'record'] as const;
export type ReceiptDigests = Readonly<Record<(typeof RECEIPT_DIGESTS)[number], string>>;

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

const EXECUTION_KIND = 1;

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

/** Packs a receipt into bytes. Inverse: {@link unpackReceipt}. */
export function packReceipt(receipt: Receipt): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(EXECUTION_KIND);
  writer.text(JSON.stringify(receipt.manifest));
  for (const name of RECEIPT_DIGESTS) writer.bytes(fromHex(receipt.digests[name]));
  writer.varint(receipt.claims.length);
  for (const claim of receipt.claims) writer.float64(claim);
  writeOutcomes(writer, receipt.outcomes);
  return writer.finish();
}

/**
 * Reads a receipt from bytes. Inverse: {@link packReceipt}.
 *
 * @throws AppError naming what is damaged
 */
export function unpackReceipt(bytes: Uint8Array): Receipt {
  const reader = new ByteReader(bytes);
  const kind = reader.byte();
  if (kind !== EXECUTION_KIND)
    throw new AppError(
      'link',
      'link-newer',
      `The link holds a kind of result (${kind}) that this version of Assay does not know. Reload the page for a newer version.`,
    );
  const manifest = parseManifest(reader.text());
  const digests = Object.fromEntries(
    RECEIPT_DIGESTS.map((name) => [name, toHex(reader.bytes(32))]),
  ) as ReceiptDigests;
  const count = reader.varint();
  if (count > 1_000)
    throw new AppError('link', 'link-damaged', `The link is damaged: it claims ${count} metrics.`);
  const claims = Array.from({ length: count }, () => reader.float64());
  const outcomes = readOutcomes(reader);
  if (reader.left > 0)
    throw new AppError('link', 'link-damaged', `The link is damaged: ${reader.left} bytes are left over.`);
  return { kind: 'execution', manifest, digests, outcomes, claims };
}

function parseManifest(text: string): ReceiptManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new AppError('link', 'link-damaged', 'The link is damaged: its manifest is not JSON.', {
      cause: thrown,
    });
  }
  const parsed = v.safeParse(manifestSchema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new AppError(
    'link',
    'link-damaged',
    `The link is damaged at ${v.getDotPath(issue) ?? 'its manifest'}: ${issue.message}.`,
  );
}

function fromHex(hex: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hex))
    throw new AppError(
      'link',
      'bad-digest',
      `${JSON.stringify(hex)} is not a SHA-256 in hexadecimal digits.`,
    );
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
