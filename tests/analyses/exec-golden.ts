import { readFileSync } from 'node:fs';
import type {
  ExecQuery,
  ExecReportInput,
  ExecSnippet,
} from '../../src/analyses/execretrieval/report-types.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';

export interface Rates {
  triples: number;
  deceived: number;
  tied: number;
  strict: number;
  ties: number;
  half: number;
}

export interface ExecGolden {
  queries: {
    query_id: string;
    domain: string;
    correct_corpus_ids: string[];
    paired_distractor_corpus_ids: string[];
  }[];
  corpus: Record<string, { label: string; bug_type?: string }>;
  rankings: Record<string, Record<string, string[]>>;
  similarities: Record<string, Record<string, Record<string, number>>>;
  outcomes: Record<string, Record<string, string[]>>;
  values: Record<
    string,
    {
      mean: Record<string, number>;
      ci95: Record<string, [number, number]>;
      otherReadings: Record<string, Record<string, number>>;
      byDomain: Record<string, { queries: number; 'exec@1': number }>;
      nearCloneMisses: { misses: number; nearClones: number };
      measures: string[];
      perQuery: Record<string, number[]>;
    }
  >;
  pairwise: Record<string, Record<string, PairwiseGolden>>;
  deception: Record<
    string,
    {
      all: Rates;
      byBugType: Record<string, Rates>;
      canonicalBelowAtLeastOne: {
        queries: number;
        strict: number;
        ties: number;
        gapToMax: { median: number; mean: number };
        gapToMean: { median: number; mean: number };
      };
    }
  > & { pooled: { triples: number; deceived: number; strict: number } };
  solvedAtRank1: { medianSystemsPerQuery: number; byNone: number };
  poolDensity: {
    canonical: Record<string, string>;
    paired: Record<string, string[]>;
    docs: string[];
    similarity: Record<string, number[]>;
    'exec@1': Record<'all' | 'own', Record<string, number>>;
  };
}

export interface PairwiseGolden {
  a_only: number;
  b_only: number;
  both: number;
  neither: number;
  a_rate: number;
  b_rate: number;
  delta: number;
  mcnemar_exact_p: number;
  bootstrap_ci_95: [number, number];
}

/** Reads tests/golden/exec-metrics.json: a synthetic table scored by an independent reference, intervals by numpy. */
export const execGolden = JSON.parse(
  readFileSync(new URL('../golden/exec-metrics.json', import.meta.url), 'utf8'),
) as ExecGolden;

/** The golden file's rule: at least one outcome, and all exactly `pass`; anything else stands here as `wrong`. */
export function verdictOf(outcomes: readonly string[]): Verdict {
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'pass') ? 'pass' : 'wrong';
}

/** The golden table as the input of one system's report; ranks stand in for scores. */
export function goldenInput(system: string): ExecReportInput {
  const queries = execGolden.queries.map((query): ExecQuery => ({
    id: query.query_id,
    domain: query.domain,
    canonicalIds: query.correct_corpus_ids,
    distractorIds: query.paired_distractor_corpus_ids,
  }));
  const snippets = new Map(
    Object.entries(execGolden.corpus).map(([id, { bug_type }]): [string, ExecSnippet] => [
      id,
      bug_type === undefined ? {} : { bugType: bug_type },
    ]),
  );
  const run = new Map(
    Object.entries(execGolden.rankings[system] ?? {}).map(([queryId, documentIds]): [string, Ranking] => [
      queryId,
      { queryId, documentIds, scores: Float64Array.from(documentIds, (_, i) => 100 - i) },
    ]),
  );
  const nested = <T, U>(
    table: Record<string, Record<string, T>>,
    of: (value: T) => U,
  ): Map<string, Map<string, U>> =>
    new Map(
      Object.entries(table).map(([queryId, row]) => [
        queryId,
        new Map(Object.entries(row).map(([id, value]): [string, U] => [id, of(value)])),
      ]),
    );
  return {
    queries,
    snippets,
    run,
    verdicts: nested(execGolden.outcomes, verdictOf),
    similarities: nested(execGolden.similarities[system] ?? {}, (value) => value),
  };
}

export const goldenSystems = Object.keys(execGolden.rankings);
