import type { Run } from '../../domain/ranking.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { Protocol } from '../../protocols/index.ts';
import type { Estimate, Share } from '../estimate.ts';

/** One query of a benchmark in the ExecRetrieval layout. */
export interface ExecQuery {
  readonly id: string;
  /** One of the ten domains, read from the entry id; null where none can be read. */
  readonly domain: string | null;
  /** Ids of the correct snippets, in file order. */
  readonly canonicalIds: readonly string[];
  /** Ids of the query's own near-clones, in file order. */
  readonly distractorIds: readonly string[];
}

/** What is known of a snippet. */
export interface ExecSnippet {
  /** Absent for canonicals. */
  readonly bugType?: string;
  /** Needed for span buckets only. */
  readonly code?: string;
}

/** Verdict by query id, then by snippet id: a snippet is run against the query's tests. */
export type ExecVerdicts = ReadonlyMap<string, ReadonlyMap<string, Verdict>>;

/** Query-snippet similarities: query id, then snippet id. */
export type ExecSimilarities = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Everything that one system's report is made from. Structured-cloneable. */
export interface ExecReportInput {
  readonly queries: readonly ExecQuery[];
  readonly snippets: ReadonlyMap<string, ExecSnippet>;
  readonly run: Run;
  readonly verdicts: ExecVerdicts;
  /**
   * Similarities of each query's canonicals and distractors. Without them the run's scores stand in: a snippet that a
   * cut list lacks counts as below the list's last entry, and a pair that it lacks altogether as not evaluable.
   */
  readonly similarities?: ExecSimilarities;
  /** What the benchmark's own execution cache says: whether the snippet passes. Only for the upper value. */
  readonly upstreamPasses?: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  /** Default `execretrieval`. What it says of rankings, passing and queries without results holds; the measures are the report's own. */
  readonly protocol?: Protocol;
  /** Default 1, 3, 5, 10. */
  readonly cutoffs?: readonly number[];
  /** Default 5,000. */
  readonly resamples?: number;
  /** Default 20260510. */
  readonly seed?: number;
}

/** The report's measures, spelled as in the metric grammar; nDCG is over the canonical ids. */
export const EXEC_MEASURES = ['exec', 'execution_precision', 'nDCG', 'exec_ndcg_gap'] as const;
/** One of {@link EXEC_MEASURES}. */
export type ExecMeasure = (typeof EXEC_MEASURES)[number];

/** One cell of the table of metrics. */
export interface ExecCell extends Estimate {
  readonly measure: ExecMeasure;
  readonly k: number;
  /**
   * The value when every `unsupported` and `platform-sensitive` verdict counts as the benchmark's own cache says, or as
   * a pass where it says nothing. Equal to `value` when there is no such verdict within the top k.
   */
  readonly upper: number | null;
}

/** How often distractors are more similar to the query than the canonical is. Each estimate's n counts triples. */
export interface DeceptionCell {
  /** Triples (query, canonical, distractor) that could be evaluated. */
  readonly triples: number;
  readonly deceived: number;
  readonly tied: number;
  /** Deceived = strictly more similar: the default reading. Interval: queries resampled, since a query's triples hang together. */
  readonly strict: Estimate;
  /** Reading in which a tie deceives. */
  readonly ties: Estimate;
  /** Reading in which a tie counts one half. */
  readonly half: Estimate;
  /** The strict rate as if triples were independent (Wilson's interval), for comparison. */
  readonly byTriple: Estimate;
  /** Set when the two intervals differ by more than a quarter of their width. */
  readonly remark: string | null;
}

/** Mean and median over queries of a similarity gap (canonical less distractors); negative = the distractor is nearer. */
export interface GapSummary {
  readonly median: number | null;
  readonly mean: Estimate;
}

/** Queries whose canonical is less similar than at least one of its own mechanical distractors. Intervals: queries resampled. */
export interface CanonicalBelow {
  /** Queries with a mechanical distractor and known similarities. */
  readonly queries: number;
  readonly strict: Share;
  /** Reading in which a tie counts as below. */
  readonly ties: Share;
  /** Canonical less its nearest mechanical distractor. */
  readonly gapToMax: GapSummary;
  /** Canonical less the mean of its mechanical distractors. */
  readonly gapToMean: GapSummary;
}

export interface DomainSlice {
  readonly domain: string;
  readonly queries: number;
  readonly cells: readonly ExecCell[];
  readonly nearCloneMisses: Share;
}

export interface BugTypeSlice {
  readonly bugType: string;
  /** Whether it is one of the six mechanical types; others stay out of deception. */
  readonly mechanical: boolean;
  /** Distractors of the type in the benchmark. */
  readonly distractors: number;
  /** Null for types that are not mechanical. */
  readonly deception: DeceptionCell | null;
  /** Of all queries with a distractor of the type: how often one of them is at rank 1 and fails. Interval: queries resampled. */
  readonly atRank1: Share;
}

export interface SpanSlice {
  /** `1`, `2-5`, `6-10`, `11-20`, `21+` code points. */
  readonly bucket: string;
  readonly deception: DeceptionCell;
}

/** What a cell of the verdict strip says about one of the first ten. */
export interface StripCell {
  readonly documentId: string;
  readonly score: number;
  /** Null = never judged; counts as not passing and is counted in `counts.missingVerdicts`. */
  readonly verdict: Verdict | null;
  /** `distractor` = one of the query's own near-clones; `other` = a snippet of another query. */
  readonly role: 'canonical' | 'distractor' | 'other';
  readonly bugType: string | null;
}

/** What rank 1 came to. */
export type RankOne = 'passes' | 'near-clone' | 'other-miss' | 'no-ranking';

export interface ExecQueryRow {
  readonly queryId: string;
  readonly domain: string | null;
  /** How many canonicals the benchmark names for the query: with their ranks, enough to compute nDCG again. */
  readonly canonicals: number;
  /** 1-based ranks at which canonicals stand, ascending; empty when none was retrieved. */
  readonly canonicalRanks: readonly number[];
  /** 1-based rank of the first passing snippet within the largest cutoff (at least ten), null when none passes. */
  readonly firstPassingRank: number | null;
  readonly rankOne: RankOne;
  /** First ten, best first. */
  readonly strip: readonly StripCell[];
  /** Canonical less its nearest and less the mean of its mechanical distractors; null when not known. */
  readonly gap: { readonly toMax: number; readonly toMean: number } | null;
  /** Values in the order of the report's `columns`. */
  readonly values: readonly number[];
}

export interface ExecWarning {
  readonly code:
    | 'canonical-unsupported'
    | 'canonical-fails'
    | 'distractor-passes'
    | 'missing-verdicts'
    | 'no-ranking'
    | 'short-ranking'
    | 'unknown-queries';
  readonly message: string;
  readonly count: number;
  /** At most ten, for display. */
  readonly examples: readonly string[];
}

/** One system on a benchmark in the ExecRetrieval layout: all that the paper reports of one. Plain data. */
export interface ExecReport {
  readonly kind: 'exec-report';
  readonly cutoffs: readonly number[];
  readonly resamples: number;
  readonly seed: number;
  readonly counts: {
    readonly queries: number;
    /** Queries absent from the run or with an empty list: they count 0. */
    readonly withoutRanking: number;
    /** Pairs within the largest cutoff that nobody has run; they count as not passing. */
    readonly missingVerdicts: number;
    /** Pairs within the largest cutoff with that verdict. */
    readonly unsupported: number;
    readonly platformSensitive: number;
    /** Triples left out of deception since neither of the pair is in the list. */
    readonly unknownTriples: number;
  };
  /** Spellings such as `exec@1`, one a column of `perQuery[].values`: measures within cutoffs. */
  readonly columns: readonly string[];
  /** One a column, in the same order. */
  readonly cells: readonly ExecCell[];
  /** Readings that the paper leaves open, by name. */
  readonly otherReadings: {
    /** execution_precision@k over min(k, returned). */
    readonly executionPrecisionOverReturned: readonly { readonly k: number; readonly value: number | null }[];
    /** nDCG@k from the best canonical alone. */
    readonly ndcgBestCanonical: readonly { readonly k: number; readonly value: number | null }[];
  };
  /** Of the rank-1 misses: how many are one of the query's own near-clones. Interval: queries resampled. */
  readonly nearCloneMisses: Share;
  readonly deception: DeceptionCell;
  readonly canonicalBelow: CanonicalBelow;
  readonly domains: readonly DomainSlice[];
  readonly bugTypes: readonly BugTypeSlice[];
  /** Null when the snippets came without code. */
  readonly spans: {
    readonly buckets: readonly SpanSlice[];
    /** Tie-aware Spearman of span with deceived (0/1) over triples; rho null where undefined. */
    readonly spearman: { readonly rho: number | null; readonly p: number | null; readonly n: number };
  } | null;
  readonly perQuery: readonly ExecQueryRow[];
  readonly warnings: readonly ExecWarning[];
}
