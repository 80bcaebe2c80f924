import { cohenKappa, ratingTable } from '../../stats/cohen-kappa.ts';
import { fleissKappa } from '../../stats/fleiss-kappa.ts';
import { krippendorffAlpha } from '../../stats/krippendorff-alpha.ts';
import { share, type Share } from '../estimate.ts';

/** How far raters agree on labels of the same items (e.g. three votes on query-chunk relevance). */
export interface AnnotationAgreement {
  readonly items: number;
  readonly raters: readonly string[];
  /** Items on which all who voted agree, among items with at least two votes. */
  readonly unanimous: Share;
  /** Nominal; missing votes allowed. */
  readonly krippendorff: number | null;
  /** Over items that every rater labelled; null when there is none. */
  readonly fleiss: { readonly kappa: number | null; readonly items: number };
  /** Every pair of raters on the items that both labelled. */
  readonly pairs: readonly {
    readonly a: string;
    readonly b: string;
    readonly items: number;
    readonly kappa: number | null;
    readonly low: number | null;
    readonly high: number | null;
  }[];
}

/** Returns the agreement of labels, `votes[i][r]` = rater r's label of item i, null where there is none. */
export function annotationAgreement(
  raters: readonly string[],
  votes: readonly (readonly (string | null)[])[],
): AnnotationAgreement {
  const labels = [...new Set(votes.flat())].filter((label) => label !== null);
  const numberOf = new Map(labels.map((label, i) => [label, i]));
  const coded = votes.map((row) =>
    row.map((label) => (label === null ? null : (numberOf.get(label) as number))),
  );
  const several = coded.filter((row) => row.filter((label) => label !== null).length > 1);
  const agreeing = several.filter((row) => new Set(row.filter((label) => label !== null)).size === 1);
  const complete = coded.filter((row) => !row.includes(null));
  return {
    items: votes.length,
    raters,
    unanimous: share(agreeing.length, several.length),
    krippendorff: krippendorffAlpha(coded),
    fleiss: {
      kappa:
        complete.length === 0 || raters.length < 2
          ? null
          : fleissKappa(
              complete.map((row) => labels.map((_, code) => row.filter((label) => label === code).length)),
            ),
      items: complete.length,
    },
    pairs: raters.flatMap((a, i) =>
      raters.slice(i + 1).map((b, j) => {
        const both = votes.filter((row) => (row[i] ?? null) !== null && (row[i + 1 + j] ?? null) !== null);
        const { table } = ratingTable(
          both.map((row) => row[i] as string),
          both.map((row) => row[i + 1 + j] as string),
        );
        const { kappa, interval } = cohenKappa(table);
        return { a, b, items: both.length, kappa, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
      }),
    ),
  };
}
