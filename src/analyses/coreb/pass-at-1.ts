import * as v from 'valibot';
import { AppError } from '../../domain/app-error.ts';
import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { clusterBootstrap, clustersOf } from '../../stats/cluster.ts';
import { mcnemarExact, pairedTable, type PairedTable } from '../../stats/mcnemar.ts';
import { adjustP } from '../../stats/multiple-comparisons.ts';
import { orNull, share, type Estimate, type Share } from '../estimate.ts';

/** One solution attempt: a line of the input. */
export const passRowSchema = v.looseObject({
  model: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
  release: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
  language: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
  problem: v.pipe(v.string('must be text'), v.nonEmpty('must not be empty')),
  variant: v.picklist(['original', 'rewritten'], 'must be "original" or "rewritten"'),
  passed: v.boolean('must be true or false'),
});
export type PassRow = v.InferOutput<typeof passRowSchema>;

/** A model's knowledge cutoff and a release's contest window, as ISO dates; a cutoff names the last day known. */
export interface PassDates {
  readonly cutoffs?: ReadonlyMap<string, string>;
  readonly windows?: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
}

/** How the release's contests lie to the model's cutoff. */
export type WindowPlace = 'before the cutoff' | 'across the cutoff' | 'after the cutoff' | 'unknown';

/** One cell of model x release x language. */
export interface PassCell {
  readonly model: string;
  readonly release: string;
  /** `all` = every language together. */
  readonly language: string;
  readonly original: Share;
  readonly rewritten: Share;
  /** Paired (problem, language) attempts with both variants; `aOnly` = only the original passes. */
  readonly pairs: PairedTable & { readonly n: number };
  /** Rewritten less original over the pairs; for `all`, problems are resampled. */
  readonly difference: Estimate;
  /** Exact McNemar on the pairs. */
  readonly p: number;
  /** After Holm's correction over all cells of single languages, and over all `all` cells. */
  readonly adjustedP: number;
  readonly window: WindowPlace;
}

/**
 * Returns Pass@1 on original and rewritten problems for each model, release and language, and over all languages, with the
 * paired difference and exact McNemar. Attempts without their counterpart count in the shares but in no pair. Throws
 * AppError `duplicate-row` when an attempt occurs twice. Source: CoREB, A.7 and table 13.
 */
export function passAt1(
  rows: readonly PassRow[],
  dates: PassDates = {},
  options: BootstrapOptions = {},
): PassCell[] {
  refuseDuplicates(rows);
  const groups = new Map<string, PassRow[]>();
  for (const row of rows) {
    for (const language of [row.language, 'all']) {
      const key = JSON.stringify([row.model, row.release, language]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  }
  const drafts = [...groups]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([key, group]) => {
      const [model, release, language] = JSON.parse(key) as [string, string, string];
      return { model, release, language, ...cellOf(group, options), window: placeOf(model, release, dates) };
    });
  const adjusted = new Map<(typeof drafts)[number], number>();
  for (const family of [true, false]) {
    const members = drafts.filter(({ language }) => (language === 'all') === family);
    const ps = adjustP(
      members.map(({ p }) => p),
      'holm',
    );
    members.forEach((member, i) => adjusted.set(member, ps[i] as number));
  }
  return drafts.map((draft) => ({ ...draft, adjustedP: adjusted.get(draft) as number }));
}

function cellOf(
  rows: readonly PassRow[],
  options: BootstrapOptions,
): Pick<PassCell, 'original' | 'rewritten' | 'pairs' | 'difference' | 'p'> {
  const of = (variant: PassRow['variant']): Map<string, PassRow> =>
    new Map(rows.filter((row) => row.variant === variant).map((row) => [attemptKey(row), row]));
  const original = of('original');
  const rewritten = of('rewritten');
  const paired = [...original.keys()].filter((key) => rewritten.has(key)).sort(compareUtf8);
  const before = paired.map((key) => (original.get(key)?.passed === true ? 1 : 0));
  const after = paired.map((key) => (rewritten.get(key)?.passed === true ? 1 : 0));
  const table = pairedTable(before, after);
  const problems = paired.map((key) => (original.get(key) as PassRow).problem);
  const differences = after.map((value, i) => value - (before[i] as number));
  const { mean, low, high, n } = clusterBootstrap(clustersOf(differences, problems), options);
  const shareOf = (attempts: Map<string, PassRow>): Share =>
    share([...attempts.values()].filter(({ passed }) => passed).length, attempts.size);
  return {
    original: shareOf(original),
    rewritten: shareOf(rewritten),
    pairs: { ...table, n: paired.length },
    difference: { value: orNull(mean), low: orNull(low), high: orNull(high), n },
    p: mcnemarExact(table.aOnly, table.bOnly).p,
  };
}

function attemptKey({ model, release, language, problem }: PassRow): string {
  return JSON.stringify([model, release, language, problem]);
}

function refuseDuplicates(rows: readonly PassRow[]): void {
  const seen = new Set<string>();
  for (const row of rows) {
    const key = `${row.variant} ${attemptKey(row)}`;
    if (seen.has(key))
      throw new AppError(
        'input',
        'duplicate-row',
        `The attempt of ${row.model} at ${row.problem} (${row.release}, ${row.language}, ${row.variant}) occurs twice; Pass@1 takes one attempt each.`,
      );
    seen.add(key);
  }
}

function placeOf(model: string, release: string, { cutoffs, windows }: PassDates): WindowPlace {
  const cutoff = cutoffs?.get(model);
  const contests = windows?.get(release);
  if (cutoff === undefined || contests === undefined) return 'unknown';
  if (contests.to <= cutoff) return 'before the cutoff';
  return contests.from > cutoff ? 'after the cutoff' : 'across the cutoff';
}
