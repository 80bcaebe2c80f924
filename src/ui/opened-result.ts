import type { ExecCell, ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { Receipt } from '../share/receipt.ts';
import type { ClaimCheck } from '../share/recompute.ts';
import type { ResultRecord } from '../share/record.ts';
import { countText } from './format.ts';

/** A result as it is shown: from this browser's own record, or from what a link carries. */
export type OpenedResult =
  | {
      readonly origin: 'own';
      readonly record: ResultRecord;
      readonly report: ExecReport;
      /** The receipt of it as a link. */
      readonly link: string;
    }
  | {
      readonly origin: 'link';
      readonly receipt: Receipt;
      /** Computed again from the outcomes in the link. */
      readonly report: ExecReport;
      readonly checks: readonly ClaimCheck[];
      readonly link: string;
    };

/** Texts of the benchmark that a result is about, where this browser has it. */
export interface ResultTexts {
  readonly queries: ReadonlyMap<string, string>;
  /** Sources of documents by id; ids that the benchmark lacks are absent. */
  codeOf(documentIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids of the query's canonicals. */
  canonicalsOf(queryId: string): Promise<readonly string[]>;
  /** The query's assert statements. */
  testsOf(queryId: string): Promise<readonly string[]>;
}

/** What was run, in the words of headlines and tables. */
export interface ResultFacts {
  readonly benchmark: string;
  readonly model: string;
  readonly dtype: string;
  readonly device: string;
  readonly protocol: string;
  readonly createdAt: string;
  readonly recordId: string;
  readonly assayVersion: string;
}

/** Returns the facts of a result of either origin. */
export function factsOf(result: OpenedResult): ResultFacts {
  if (result.origin === 'own') {
    const { record } = result;
    return {
      benchmark: record.benchmark.id,
      model: record.model.id,
      dtype: record.model.dtype,
      device: record.device.backend === 'webgpu' ? 'WebGPU' : 'WASM',
      protocol: record.protocol.id,
      createdAt: record.createdAt,
      recordId: record.id,
      assayVersion: record.assayVersion,
    };
  }
  const { manifest, digests } = result.receipt;
  return {
    benchmark: manifest.benchmark.id,
    model: manifest.model.id,
    dtype: manifest.model.dtype,
    device: manifest.device,
    protocol: manifest.protocol,
    createdAt: manifest.createdAt,
    recordId: digests.record,
    assayVersion: manifest.assayVersion,
  };
}

/** The cell that heads a result: exec at the smallest cutoff. */
export function headlineCell(report: ExecReport): ExecCell | undefined {
  return report.cells.find(({ measure, k }) => measure === 'exec' && k === report.cutoffs[0]);
}

/** `exec@1`, `nDCG@10`. */
export function cellName(cell: Pick<ExecCell, 'measure' | 'k'>): string {
  return `${cell.measure}@${cell.k}`;
}

/** `624 of 628`. */
export function shareCount(share: { readonly count: number; readonly n: number }): string {
  return `${countText(share.count)} of ${countText(share.n)}`;
}
