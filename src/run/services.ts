import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { GradedReport } from '../analyses/graded-report.ts';
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
import type { ExecScoreRequest, GradedScoreRequest } from '../contracts/score.ts';
import type { SearchAnswer, StoredSearch } from '../contracts/search.ts';
import type { Dtype, ModelDefinition } from '../models/model-definition.ts';

/** A model that is loaded and whose vectors were checked. */
export interface OpenedEncoder {
  readonly report: EncoderReport;
  readonly choice: DeviceChoice;
  encodeSet(request: EncodeSetRequest, options?: CallOptions): Promise<EncodedSet>;
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
  /** Exact rankings; `scale` says how much work it is and changes no ranking. */
  search(
    stored: StoredSearch,
    request: { readonly k: number },
    scale: { readonly documents: number; readonly queries: number },
    options?: CallOptions,
  ): Promise<SearchAnswer>;
  /** float64 scores of wanted pairs: one list a query row. */
  scoresOf(
    stored: StoredSearch,
    wanted: readonly (readonly string[])[],
    options?: CallOptions,
  ): Promise<readonly Float64Array[]>;
  readonly judge: {
    warmUp(): Promise<{ readonly bootMs: number; readonly timeFactor: number }>;
    environment(): Promise<JudgeEnvironment>;
    judge(suites: readonly Suite[], options?: JudgeOptions): Promise<SuiteResult[]>;
  };
  execReport(request: ExecScoreRequest, options?: CallOptions): Promise<ExecReport>;
  gradedReport(request: GradedScoreRequest, options?: CallOptions): Promise<GradedReport>;
  /** Versions for the record: `assay`, `kernel` … */
  readonly versions: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Holds what keeps a run alive and alone (a lock shared by all tabs, a screen wake lock) until released. */
  hold(runId: string): Promise<{ release(): void }>;
}
