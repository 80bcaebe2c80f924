import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { compareSystems, type PairComparison } from '../comparison.ts';
import { repositoryKey, type CoreBenchReport } from './level-report.ts';

/**
 * Returns what rewriting the queries changes on one measure, paired per query, with repositories as clusters: `a` is
 * `rewritten`, `b` is `raw`. `rawIdOf` turns a rewritten query's id into the raw one's (default: the same id). Throws
 * AppError `not-comparable` when the two share no query. Source: CORE-Bench (code retrieval), section 3.3 and table 3.
 */
export function rewriteEffect(
  measure: string,
  raw: CoreBenchReport,
  rewritten: CoreBenchReport,
  options: BootstrapOptions & { readonly rawIdOf?: (queryId: string) => string } = {},
): PairComparison {
  const rawIdOf = options.rawIdOf ?? ((queryId: string): string => queryId);
  const clusters = new Map(
    raw.perQuery.flatMap(({ queryId, subDataset, repository }): [string, string][] =>
      repository === null ? [] : [[queryId, repositoryKey(subDataset, repository)]],
    ),
  );
  const comparison = compareSystems(
    measure,
    [
      { name: 'rewritten', values: valuesOf(rewritten, measure, rawIdOf) },
      { name: 'raw', values: valuesOf(raw, measure, (queryId) => queryId) },
    ],
    { ...options, ...(clusters.size === 0 ? {} : { clusters, clusterUnit: 'repository' }) },
  );
  return comparison.pairs[0] as PairComparison;
}

function valuesOf(
  report: CoreBenchReport,
  measure: string,
  idOf: (queryId: string) => string,
): Map<string, number> {
  const column = report.measures.indexOf(measure);
  return new Map(
    report.perQuery.flatMap(({ queryId, values }): [string, number][] => {
      const value = values[column];
      return value === undefined ? [] : [[idOf(queryId), value]];
    }),
  );
}
