import { execRetrievalReport } from '../analyses/execretrieval/report.ts';
import type { ExecQuery, ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { Ranking } from '../domain/ranking.ts';
import type { Verdict } from '../domain/verdict.ts';
import { claimOrder, type Receipt } from './receipt.ts';

/** What checking one claim came to. Verification level 0: from the outcomes in the link, nothing run again. */
export interface ClaimCheck {
  /** The measure's name, e.g. `exec@1`. */
  readonly name: string;
  readonly claimed: number;
  readonly recomputed: number | null;
  readonly equal: boolean;
}

/** Sums run in one fixed order everywhere, so only the last bits may differ between a claim and its recomputation. */
const TOLERANCE = 1e-12;

/**
 * Computes the report of a receipt again by the very code that made it: the rankings are rebuilt with stand-in ids from
 * the ranks and verdicts that the outcomes hold. Slices by domain and bug type need the benchmark and are not in it.
 */
export function reportOfReceipt(receipt: Receipt): ExecReport {
  const queries: ExecQuery[] = [];
  const run = new Map<string, Ranking>();
  const verdicts = new Map<string, Map<string, Verdict>>();
  receipt.outcomes.forEach((outcome, index) => {
    // Padded, so that the order of the ids, in which resampling runs, is the order of the outcomes.
    const id = `query ${String(index + 1).padStart(6, '0')}`;
    const { canonicalRanks, canonicals, retrieved, passes } = outcome;
    const length = Math.max(retrieved, canonicalRanks.at(-1) ?? 0);
    const documentIds = Array.from({ length }, (_, i) => `rank ${i + 1}`);
    const missing = Array.from(
      { length: canonicals - canonicalRanks.length },
      (_, i) => `not retrieved ${i + 1}`,
    );
    queries.push({
      id,
      domain: null,
      canonicalIds: [...canonicalRanks.map((rank) => `rank ${rank}`), ...missing],
      distractorIds: outcome.nearCloneAtRankOne ? ['rank 1'] : [],
    });
    run.set(id, { queryId: id, documentIds, scores: Float64Array.from(documentIds, (_, i) => -i) });
    const ofQuery = new Map<string, Verdict>();
    for (let i = 0; i < retrieved; i++)
      ofQuery.set(`rank ${i + 1}`, ((passes >> i) & 1) === 1 ? 'pass' : 'wrong');
    verdicts.set(id, ofQuery);
  });
  const { cutoffs, resamples, seed } = receipt.manifest;
  return execRetrievalReport({ queries, snippets: new Map(), run, verdicts, cutoffs, resamples, seed });
}

/** Compares every claimed metric of a receipt with what its outcomes give. */
export function checkClaims(receipt: Receipt, report: ExecReport): ClaimCheck[] {
  return claimOrder(receipt.manifest.cutoffs).map(({ measure, k }, i) => {
    const claimed = receipt.claims[i] ?? Number.NaN;
    const recomputed = report.cells.find((cell) => cell.measure === measure && cell.k === k)?.value ?? null;
    return {
      name: `${measure}@${k}`,
      claimed,
      recomputed,
      equal: recomputed !== null && Math.abs(recomputed - claimed) <= TOLERANCE,
    };
  });
}
