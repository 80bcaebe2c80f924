import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { median } from '../../stats/quantile.ts';
import { mean } from '../../stats/summation.ts';
import { compareSystems, type Comparison } from '../comparison.ts';
import { estimateMean, orNull, type Estimate } from '../estimate.ts';
import { BUG_TYPES } from '../../domain/bug-types.ts';
import { deceptionCell, type DeceptionTriple } from './deception.ts';
import { SPAN_BUCKETS, spanBucket } from './edited-span.ts';
import type { DeceptionCell, ExecReport } from './report-types.ts';
import { spanCorrelation } from './slices.ts';

/** One system on the board. */
export interface BoardSystem {
  readonly name: string;
  readonly report: ExecReport;
  /** From `deceptionTriples` of the same input; empty for systems without similarities, such as published ones. */
  readonly triples: readonly DeceptionTriple[];
}

export interface SpanCorrelation {
  readonly name: string;
  readonly rho: number | null;
  readonly p: number | null;
  readonly n: number;
}

/** What several systems' reports say together. Plain data. */
export interface ExecBoard {
  readonly systems: readonly string[];
  /** Queries by how many systems solve them at rank 1 (exec@1). */
  readonly solvedAtRank1: {
    readonly median: number | null;
    readonly byNone: number;
    readonly byAll: number;
    /** Entry i: queries that exactly i systems solve; from none to all. */
    readonly queriesBySystems: readonly number[];
  };
  /** Hardest first: exec@1 averaged over systems, then over the domain's queries. */
  readonly domains: readonly { readonly domain: string; readonly execAt1: Estimate }[];
  /** Over the triples of all systems; a query's triples of all systems are resampled together. */
  readonly pooled: {
    readonly all: DeceptionCell;
    readonly byBugType: readonly { readonly bugType: string; readonly deception: DeceptionCell }[];
    readonly bySpan: readonly { readonly bucket: string; readonly deception: DeceptionCell }[];
  };
  /** Tie-aware Spearman of edited span with deception: one a system, then all triples together under the name `pooled`. */
  readonly spanCorrelations: readonly SpanCorrelation[];
  readonly largestSpanCorrelation: number | null;
  /** On exec@1; null for fewer than two systems. */
  readonly comparison: Comparison | null;
}

/**
 * Returns what systems say together: queries solved at rank 1 by n of them, domains by difficulty, pooled deception and
 * tie groups. The reports must be of one benchmark with the same cutoffs, 1 among them; queries are joined by id and those
 * that a system lacks are left out of the counts over systems.
 */
export function execBoard(systems: readonly BoardSystem[], options: BootstrapOptions = {}): ExecBoard {
  const solved = systems.map(({ name, report }) => ({ name, values: execAt1Of(report) }));
  const shared = [...(solved[0]?.values.keys() ?? [])].filter((id) =>
    solved.every(({ values }) => values.has(id)),
  );
  shared.sort(compareUtf8);
  const counts = shared.map((id) => solved.filter(({ values }) => values.get(id) === 1).length);
  const pooled = systems.flatMap(({ triples }) => triples);
  const ofBucket = (bucket: string): DeceptionTriple[] =>
    pooled.filter(({ span }) => span !== null && spanBucket(span) === bucket);
  const spanCorrelations = [...systems, { name: 'pooled', triples: pooled }].map(({ name, triples }) => {
    const { value, p, n } = spanCorrelation(triples);
    return { name, rho: value, p, n };
  });
  const sizes = spanCorrelations.flatMap(({ rho }) => (rho === null ? [] : [Math.abs(rho)]));
  return {
    systems: systems.map(({ name }) => name),
    solvedAtRank1: {
      median: orNull(median(counts)),
      byNone: counts.filter((count) => count === 0).length,
      byAll: counts.filter((count) => count === systems.length).length,
      queriesBySystems: Array.from(
        { length: systems.length + 1 },
        (_, i) => counts.filter((count) => count === i).length,
      ),
    },
    domains: domainsByDifficulty(systems, solved, shared, options),
    pooled: {
      all: deceptionCell(pooled, options),
      byBugType: BUG_TYPES.map((bugType) => ({
        bugType,
        deception: deceptionCell(
          pooled.filter((triple) => triple.bugType === bugType),
          options,
        ),
      })),
      bySpan: SPAN_BUCKETS.map((bucket) => ({ bucket, deception: deceptionCell(ofBucket(bucket), options) })),
    },
    spanCorrelations,
    largestSpanCorrelation: sizes.length === 0 ? null : Math.max(...sizes),
    comparison: systems.length < 2 ? null : compareSystems('exec@1', solved, options),
  };
}

type Solved = { readonly name: string; readonly values: ReadonlyMap<string, number> };

function execAt1Of(report: ExecReport): Map<string, number> {
  const column = report.columns.indexOf('exec@1');
  return new Map(report.perQuery.map(({ queryId, values }) => [queryId, values[column] ?? 0]));
}

function domainsByDifficulty(
  systems: readonly BoardSystem[],
  solved: readonly Solved[],
  shared: readonly string[],
  options: BootstrapOptions,
): ExecBoard['domains'] {
  const domainOf = new Map(systems[0]?.report.perQuery.map(({ queryId, domain }) => [queryId, domain]));
  const groups = new Map<string, number[]>();
  for (const id of shared) {
    const domain = domainOf.get(id) ?? null;
    if (domain === null) continue;
    const value = mean(solved.map(({ values }) => values.get(id) as number));
    const group = groups.get(domain);
    if (group === undefined) groups.set(domain, [value]);
    else group.push(value);
  }
  return [...groups]
    .map(([domain, values]) => ({ domain, execAt1: estimateMean(values, options) }))
    .sort((a, b) => (a.execAt1.value ?? 0) - (b.execAt1.value ?? 0) || compareUtf8(a.domain, b.domain));
}
