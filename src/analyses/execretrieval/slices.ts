import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { spearman } from '../../stats/spearman.ts';
import { bootstrapShare } from '../estimate.ts';
import { isBugType, BUG_TYPES } from '../../domain/bug-types.ts';
import { deceptionCell, type DeceptionTriple } from './deception.ts';
import { SPAN_BUCKETS, spanBucket } from './edited-span.ts';
import { cellsOf, nearCloneMisses, type Column, type ScoredQuery } from './cells.ts';
import type { BugTypeSlice, DomainSlice, ExecReport, ExecReportInput } from './report-types.ts';

/** Returns one slice a domain, in alphabetical order; queries without a domain are in none. */
export function domainSlices(
  scored: readonly ScoredQuery[],
  columns: readonly Column[],
  options: BootstrapOptions,
): DomainSlice[] {
  const groups = new Map<string, ScoredQuery[]>();
  for (const one of scored) {
    if (one.query.domain === null) continue;
    const group = groups.get(one.query.domain);
    if (group === undefined) groups.set(one.query.domain, [one]);
    else group.push(one);
  }
  return [...groups]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([domain, group]) => ({
      domain,
      queries: group.length,
      cells: cellsOf(group, columns, options),
      nearCloneMisses: nearCloneMisses(group, options),
    }));
}

/** Returns one slice a bug type that occurs: the six mechanical ones first, then the others in alphabetical order. */
export function bugTypeSlices(
  scored: readonly ScoredQuery[],
  triples: readonly DeceptionTriple[],
  { snippets }: ExecReportInput,
  options: BootstrapOptions,
): BugTypeSlice[] {
  const typeOf = (documentId: string): string | undefined => snippets.get(documentId)?.bugType;
  const count = new Map<string, number>();
  for (const { query } of scored) {
    for (const id of query.distractorIds) {
      const type = typeOf(id);
      if (type !== undefined) count.set(type, (count.get(type) ?? 0) + 1);
    }
  }
  const others = [...count.keys()].filter((type) => !isBugType(type)).sort(compareUtf8);
  const types = [...BUG_TYPES.filter((type) => count.has(type)), ...others];
  return types.map((bugType) => {
    const owners = scored.filter(({ query }) => query.distractorIds.some((id) => typeOf(id) === bugType));
    const hits = owners.map(({ row }) =>
      row.rankOne === 'near-clone' && row.strip[0]?.bugType === bugType ? 1 : 0,
    );
    const mechanical = isBugType(bugType);
    const ofType = triples.filter((triple) => triple.bugType === bugType);
    return {
      bugType,
      mechanical,
      distractors: count.get(bugType) as number,
      deception: mechanical ? deceptionCell(ofType, options) : null,
      atRank1: bootstrapShare(
        hits,
        owners.map(() => 1),
        options,
      ),
    };
  });
}

/** Returns deception by the length of the edit, and how the two go together; null when no code is known. */
export function spanSlices(
  triples: readonly DeceptionTriple[],
  options: BootstrapOptions,
): ExecReport['spans'] {
  const measured = triples.filter(({ span }) => span !== null);
  if (measured.length === 0) return null;
  const { value, p, n } = spanCorrelation(measured);
  return {
    buckets: SPAN_BUCKETS.map((bucket) => ({
      bucket,
      deception: deceptionCell(
        measured.filter(({ span }) => spanBucket(span as number) === bucket),
        options,
      ),
    })),
    spearman: { rho: value, p, n },
  };
}

/** Tie-aware Spearman of the edited span with "strictly deceived" (0/1) over triples whose span is known. */
export function spanCorrelation(triples: readonly DeceptionTriple[]): ReturnType<typeof spearman> {
  const measured = triples.filter(({ span }) => span !== null);
  return spearman(
    measured.map(({ span }) => span as number),
    measured.map(({ comparison }) => (comparison === 'deceived' ? 1 : 0)),
  );
}
