import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { GradedReport } from '../analyses/graded-report.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { SetKey, StorePlace } from './blocks.ts';
import type { CallOptions } from './calls.ts';

/** Verdicts of (query, document) pairs as parallel arrays. */
export interface PairVerdicts {
  readonly queryIds: readonly string[];
  readonly documentIds: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** Similarities of (query, document) pairs as parallel arrays. */
export interface PairSimilarities {
  readonly queryIds: readonly string[];
  readonly documentIds: readonly string[];
  readonly scores: Float64Array;
}

/** Everything that a report on an executed benchmark is made from; texts and rankings are read from the store. */
export interface ExecScoreRequest {
  readonly documentsSet: SetKey<'documents'>;
  readonly tasksSet: SetKey<'execution'>;
  readonly rankingsSet: SetKey<'rankings'>;
  readonly verdicts: PairVerdicts;
  /** Of each query's canonicals and distractors, as the search computed them. */
  readonly similarities: PairSimilarities;
  readonly protocolId: string;
  readonly resamples: number;
  readonly seed: number;
}

/** Everything that a report on a graded benchmark is made from; all of it is read from the store. */
export interface GradedScoreRequest {
  readonly documentsSet: SetKey<'documents'>;
  readonly queriesSet: SetKey<'queries'>;
  readonly qrelsSet: SetKey<'qrels'>;
  readonly visibilitySet?: SetKey<'visibility'>;
  readonly rankingsSet: SetKey<'rankings'>;
  readonly protocolId: string;
  readonly resamples: number;
  readonly seed: number;
}

/** What the score worker does: metrics, slices and intervals away from the page's thread. */
export interface ScoreApi {
  /** Opens the store. Call first. */
  open(place: StorePlace): Promise<void>;
  execReport(request: ExecScoreRequest, options?: CallOptions): Promise<ExecReport>;
  gradedReport(request: GradedScoreRequest, options?: CallOptions): Promise<GradedReport>;
}
