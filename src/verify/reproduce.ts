import { compareSystems } from '../analyses/comparison.ts';
import { execBoard } from '../analyses/execretrieval/board.ts';
import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { Derivation, PaperClaim, PaperClaims } from '../benchmarks/claims/claim.ts';
import { mcnemarExact } from '../stats/mcnemar.ts';
import { spearman } from '../stats/spearman.ts';

/** What recomputing a published number came to. */
export interface ReproducedClaim {
  readonly claim: PaperClaim;
  readonly state: 'equal' | 'differs' | 'not-recomputable';
  readonly found?: number;
  /** Why it cannot be recomputed here, or what to know about how it was. */
  readonly note?: string;
}

/** Released results by system name, computed again from their outcomes; see readExecResults. */
export type ReleasedReports = ReadonlyMap<string, ExecReport>;

/** Recomputes every claim of a paper. */
export function reproduce(paper: PaperClaims, released: ReleasedReports): ReproducedClaim[] {
  return paper.claims.map((claim) => reproduceClaim(claim, released));
}

/** Recomputes one claim. A result is equal when it rounds to the published number, or could with its inputs unrounded. */
export function reproduceClaim(claim: PaperClaim, released: ReleasedReports): ReproducedClaim {
  const found = valueOf(claim.from, released);
  if (typeof found === 'string') return { claim, state: 'not-recomputable', note: found };
  const unit =
    claim.significant === undefined
      ? 10 ** -claim.decimals
      : 10 ** (Math.floor(Math.log10(Math.abs(claim.value))) - claim.significant + 1);
  const { inputError = 0 } = claim;
  // A hair beyond half a unit: a half rounds either way.
  const fits = Math.abs(found - claim.value) <= unit / 2 + inputError + unit * 1e-6;
  return {
    claim,
    state: fits ? 'equal' : 'differs',
    found,
    ...(inputError > 0 ? { note: `its inputs are rounded, ${inputError} allowed` } : {}),
  };
}

/** The number, or why there is none. */
function valueOf(from: Derivation, released: ReleasedReports): number | string {
  switch (from.kind) {
    case 'ratio':
      return (from.of / from.in) * (from.scale ?? 1);
    case 'sum':
      return from.of.reduce((sum, value) => sum + value, 0);
    case 'product':
      return from.of.reduce((product, value) => product * value, 1);
    case 'mean': {
      const weights = from.weights ?? from.of.map(() => 1);
      const total = from.of.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
      return total / weights.reduce((sum, weight) => sum + weight, 0);
    }
    case 'difference':
      return from.a - from.b;
    case 'mcnemar':
      return mcnemarExact(from.aOnly, from.bOnly).p;
    case 'spearman':
      return spearman(from.x, from.y).value ?? 'the correlation is not defined';
    case 'not-here':
      return from.why;
    case 'released-metric':
    case 'released-near-clones':
    case 'released-pair':
    case 'released-board':
      return fromReleased(from, released);
  }
}

type ReleasedDerivation = Extract<Derivation, { kind: `released-${string}` }>;

function fromReleased(from: ReleasedDerivation, released: ReleasedReports): number | string {
  if (released.size === 0) return 'needs the released results/<model>.json: give their folder with --data';
  if (from.kind === 'released-board') return boardValue(from.part, released);
  const names = from.kind === 'released-pair' ? [from.a, from.b] : [from.system];
  const reports: ExecReport[] = [];
  for (const name of names) {
    const report = findReleased(name, released);
    if (typeof report === 'string') return report;
    reports.push(report);
  }
  const [first, second] = reports as [ExecReport, ExecReport];
  switch (from.kind) {
    case 'released-metric': {
      const cell = first.cells[first.columns.indexOf(from.metric)];
      return cell?.[from.part ?? 'value'] ?? `the results of ${from.system} hold no ${from.metric}`;
    }
    case 'released-near-clones': {
      const { count, n, value } = first.nearCloneMisses;
      if (from.part === 'misses') return n;
      if (count === 0) return 'needs queries.jsonl beside the results, which says what is paired with what';
      return from.part === 'count' ? count : (value ?? Number.NaN);
    }
    case 'released-pair': {
      const valuesOf = ({ columns, perQuery }: ExecReport): Map<string, number> =>
        new Map(perQuery.map(({ queryId, values }) => [queryId, values[columns.indexOf(from.metric)] ?? 0]));
      const { pairs } = compareSystems(from.metric, [
        { name: from.a, values: valuesOf(first) },
        { name: from.b, values: valuesOf(second) },
      ]);
      const [pair] = pairs;
      if (pair === undefined) return 'the two have no query in common';
      if (from.part === 'p') return pair.p;
      return pair.difference[from.part === 'difference' ? 'value' : from.part] ?? Number.NaN;
    }
  }
}

function boardValue(
  part: Extract<Derivation, { kind: 'released-board' }>['part'],
  released: ReleasedReports,
): number | string {
  if (part === 'systems') return released.size;
  const board = execBoard([...released].map(([name, report]) => ({ name, report, triples: [] })));
  switch (part) {
    case 'median-systems':
      return board.solvedAtRank1.median ?? 'no query';
    case 'solved-by-none':
      return board.solvedAtRank1.byNone;
    case 'date-time':
      return (
        board.domains.find(({ domain }) => domain === 'date_time')?.execAt1.value ??
        'needs queries.jsonl beside the results, which names the domains'
      );
  }
}

/** Files spell models in their own ways: letters and digits decide, and a longer name may hold a shorter one when only one does. */
function findReleased(name: string, released: ReleasedReports): ExecReport | string {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/gu, '');
  const wanted = plain(name);
  const exact = [...released].filter(([system]) => plain(system) === wanted);
  const near = exact.length > 0 ? exact : [...released].filter(([system]) => plain(system).includes(wanted));
  const [first, ...others] = near;
  if (first === undefined) return `no results file of ${name} is in the folder`;
  if (others.length > 0)
    return `several results files may be ${name}: ${near.map(([system]) => system).join(', ')}`;
  return first[1];
}
