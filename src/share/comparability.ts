import type { Receipt } from './receipt.ts';
import type { ResultRecord } from './record.ts';

/** What of a result decides whether and how it may be compared; read from a record or from a receipt. */
export interface ComparedOrigin {
  readonly benchmark: { readonly id: string; readonly digest: string };
  readonly protocol: { readonly id: string; readonly digest: string };
  readonly model: { readonly id: string; readonly dtype: string; readonly revision: string };
  readonly device: string;
  readonly assayVersion: string;
  readonly seed: number;
  readonly queries: number;
}

/** Returns what decides about comparing a record. */
export function originOfRecord(record: ResultRecord): ComparedOrigin {
  const { backend, adapter, threads } = record.device;
  return {
    benchmark: record.benchmark,
    protocol: record.protocol,
    model: record.model,
    device:
      backend === 'webgpu'
        ? `webgpu ${[adapter?.vendor, adapter?.architecture].filter(Boolean).join(' ')}`.trim()
        : `wasm, ${threads} threads`,
    assayVersion: record.assayVersion,
    seed: record.seed,
    queries: record.report.counts.queries,
  };
}

/** Returns what decides about comparing a receipt. */
export function originOfReceipt({ manifest, digests, outcomes }: Receipt): ComparedOrigin {
  return {
    benchmark: { id: manifest.benchmark.id, digest: digests.benchmark },
    protocol: { id: manifest.protocol, digest: digests.protocol },
    model: manifest.model,
    device: manifest.device,
    assayVersion: manifest.assayVersion,
    seed: manifest.seed,
    queries: outcomes.length,
  };
}

/**
 * Returns the reason why two results cannot be compared query by query, or undefined when they can. Only the data
 * decides: different protocols, models and devices are what one compares, and {@link differencesBetween} lists them.
 */
export function whyNotComparable(a: ComparedOrigin, b: ComparedOrigin): string | undefined {
  if (a.benchmark.digest !== b.benchmark.digest) {
    const same = a.benchmark.id === b.benchmark.id;
    return same
      ? `Both say ${a.benchmark.id}, but its content differs (sha256 ${short(a.benchmark.digest)} and ${short(b.benchmark.digest)}): the queries are not the same.`
      : `One was measured on ${a.benchmark.id}, the other on ${b.benchmark.id}: there are no queries to pair.`;
  }
  if (a.queries !== b.queries)
    return `One holds ${a.queries} queries, the other ${b.queries}, though both name the same data: one of them is damaged.`;
  return undefined;
}

/** One thing in which two results differ. */
export interface OriginDifference {
  readonly what: 'protocol' | 'model' | 'weights' | 'model revision' | 'device' | 'Assay version' | 'seed';
  readonly a: string;
  readonly b: string;
}

/** Returns everything besides the outcomes in which two comparable results differ, the weightiest first. */
export function differencesBetween(a: ComparedOrigin, b: ComparedOrigin): OriginDifference[] {
  const pairs: readonly OriginDifference[] = [
    { what: 'protocol', a: named(a.protocol), b: named(b.protocol) },
    { what: 'model', a: a.model.id, b: b.model.id },
    { what: 'weights', a: a.model.dtype, b: b.model.dtype },
    { what: 'model revision', a: a.model.revision, b: b.model.revision },
    { what: 'device', a: a.device, b: b.device },
    { what: 'Assay version', a: a.assayVersion, b: b.assayVersion },
    { what: 'seed', a: String(a.seed), b: String(b.seed) },
  ];
  return pairs.filter((pair) => pair.a !== pair.b);
}

function named({ id, digest }: { readonly id: string; readonly digest: string }): string {
  return `${id} (sha256 ${short(digest)})`;
}

function short(digest: string): string {
  return digest.slice(0, 12);
}
