import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { SetKey } from '../contracts/blocks.ts';
import type { CallOptions } from '../contracts/calls.ts';
import type { DataApi } from '../contracts/data.ts';
import type {
  Device,
  DeviceChoice,
  EncodedSet,
  EncoderReport,
  EncodeSetRequest,
} from '../contracts/encode.ts';
import type { JudgeEnvironment, JudgeOptions, Suite, SuiteResult } from '../contracts/judge.ts';
import type { ExecScoreRequest } from '../contracts/score.ts';
import type { SearchAnswer, Similarity } from '../contracts/search.ts';
import type { Dtype, ModelDefinition } from '../models/model-definition.ts';

/** A model that is loaded and whose vectors were checked. */
export interface OpenedEncoder {
  readonly report: EncoderReport;
  readonly choice: DeviceChoice;
  encodeSet(request: EncodeSetRequest, options?: CallOptions): Promise<EncodedSet>;
}

/** What is searched: sets of the store, by name. Vectors never pass through the page. */
export interface StoredSearch {
  readonly documentsSet: SetKey<'documents'>;
  readonly documentVectors: SetKey<'vectors'>;
  readonly queriesSet: SetKey<'queries'>;
  readonly queryVectors: SetKey<'vectors'>;
  readonly similarity: Similarity;
}

/** The workers as an evaluation uses them: the clients in the page, stand-ins in tests. */
export interface RunServices {
  readonly data: Pick<
    DataApi,
    | 'loadBenchmark'
    | 'manifest'
    | 'ownDocuments'
    | 'putRankings'
    | 'judgePlan'
    | 'keepVerdicts'
    | 'putEntry'
    | 'getEntry'
    | 'deleteEntry'
    | 'listEntries'
  >;
  openEncoder(
    request: { readonly model: ModelDefinition; readonly dtype: Dtype; readonly device: Device | 'auto' },
    options?: CallOptions,
  ): Promise<OpenedEncoder>;
  search(request: StoredSearch & { readonly k: number }, options?: CallOptions): Promise<SearchAnswer>;
  /** float64 scores of wanted pairs: one list a query row. */
  scoresOf(
    request: StoredSearch,
    wanted: readonly (readonly string[])[],
    options?: CallOptions,
  ): Promise<readonly Float64Array[]>;
  readonly judge: {
    warmUp(): Promise<{ readonly bootMs: number; readonly timeFactor: number }>;
    environment(): Promise<JudgeEnvironment>;
    judge(suites: readonly Suite[], options?: JudgeOptions): Promise<SuiteResult[]>;
  };
  execReport(request: ExecScoreRequest, options?: CallOptions): Promise<ExecReport>;
  /** Versions for the record: `assay`, `kernel` … */
  readonly versions: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Holds what keeps a run alive and alone (a lock shared by all tabs, a screen wake lock) until released. */
  hold(runId: string): Promise<{ release(): void }>;
}
