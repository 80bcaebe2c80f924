import type { Digest } from '../domain/digest.ts';
import type { Verdict } from '../domain/verdict.ts';
import type {
  ExecutionTask,
  RankingsBlock,
  RankingsMeta,
  SetKey,
  VerdictsBlock,
  VerdictsMeta,
} from './blocks.ts';

/** The documents that a benchmark planted for each query: its canonicals first, then its distractors. */
export interface OwnDocuments {
  readonly queryIds: readonly string[];
  /** One list a query. */
  readonly documentIds: readonly (readonly string[])[];
}

/** Which pairs an executed benchmark needs verdicts of. */
export interface JudgePlanRequest {
  readonly documentsSet: SetKey<'documents'>;
  readonly tasksSet: SetKey<'execution'>;
  readonly rankingsSet: SetKey<'rankings'>;
  /** The first so many of each ranking are judged, and each query's own documents besides. */
  readonly ranks: number;
  /** Digest of the environment in which verdicts are made; verdicts of another one do not count. */
  readonly environment: Digest;
}

/** A (query, document) pair whose verdict is known, or what it takes to find it. */
export interface JudgePair {
  readonly queryId: string;
  readonly documentId: string;
  readonly codeDigest: Digest;
  readonly suiteDigest: Digest;
  /** From an earlier run in the same environment. */
  readonly known?: {
    readonly verdict: Verdict;
    /** Outcome of each test as JSON text. */ readonly tests: string;
  };
  /** Present when the verdict is not known. */
  readonly suite?: { readonly code: string; readonly tests: readonly string[] };
}

/** What an evaluation asks of the data worker besides loading: kept rankings and verdicts. */
export interface RunDataApi {
  /** Stores rankings under a key and returns the digest of their ids and scores. Replaces what was there. */
  putRankings(key: SetKey<'rankings'>, meta: RankingsMeta, rankings: RankingsBlock): Promise<Digest>;
  /** The stored rankings as a TREC run: lines `qid Q0 docid rank score tag`, scores as they are. Errors: `run-id-blank`. */
  rankingsAsTrec(key: SetKey<'rankings'>, tag: string): Promise<Blob>;
  /** The stored rankings as a run in JSON, `{"qid": {"docid": score}}`: for ids that a TREC run cannot hold. */
  rankingsAsJson(key: SetKey<'rankings'>): Promise<Blob>;
  /** Each query's own documents, in query order. */
  ownDocuments(tasksSet: SetKey<'execution'>): Promise<OwnDocuments>;
  /** One query's tests and own documents; an unknown query is an error. */
  taskOf(tasksSet: SetKey<'execution'>, queryId: string): Promise<ExecutionTask>;
  /** Every pair to judge, in query order; equal (code, suite) pairs appear once each with the same digests. */
  judgePlan(request: JudgePlanRequest): Promise<readonly JudgePair[]>;
  /** Keeps verdicts of one environment; resolves once they are stored for good. */
  keepVerdicts(environment: Digest, meta: VerdictsMeta, verdicts: VerdictsBlock): Promise<void>;
}
