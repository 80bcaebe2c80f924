import type { Similarity } from '../contracts/search.ts';
import type { Run } from '../domain/ranking.ts';
import type { CheckedClaim, VerificationLevel } from '../share/claims.ts';
import { sampleIndices, samplingSentence } from './sampling.ts';
import type { NamedVectors, VerifyServices } from './services.ts';

/** What a search again is held against. */
export interface SearchAgain {
  readonly run: Run;
  readonly documents: NamedVectors;
  readonly queries: NamedVectors;
  readonly similarity: Similarity;
  readonly depth: number;
  /** Queries to search, at most; all when there are fewer. */
  readonly sample: number;
  readonly seed: number;
  /** Scores may differ by so much: 0 for the very vectors of the run, more for vectors encoded again. */
  readonly tolerance: number;
  /** 2 for given vectors, 3 for vectors encoded again. */
  readonly level: VerificationLevel;
}

/**
 * Searches a sample of queries over all document vectors again and compares whole rankings with the run: ids in order and
 * scores. With a tolerance, documents whose scores lie within it of each other may change places.
 */
export async function verifySearch(
  services: Pick<VerifyServices, 'search'>,
  { run, documents, queries, similarity, depth, sample, seed, tolerance, level }: SearchAgain,
): Promise<CheckedClaim> {
  const name = level === 2 ? 'rankings from the vectors' : 'rankings from texts encoded again';
  const chosen = sampleIndices(queries.ids.length, sample, seed);
  const some: NamedVectors = {
    ids: chosen.map((i) => queries.ids[i] as string),
    dimensions: queries.dimensions,
    values: Float32Array.from(
      chosen.flatMap((i) => [
        ...queries.values.subarray(i * queries.dimensions, (i + 1) * queries.dimensions),
      ]),
    ),
  };
  const note = `${samplingSentence(queries.ids.length, chosen.length, seed, 'queries')}${tolerance > 0 ? `; scores within ${tolerance.toExponential(1)}` : ''}`;
  const rankings = await services.search(documents, some, { k: depth, similarity });
  for (const { queryId, documentIds, scores } of rankings) {
    const listed = run.get(queryId);
    const claimedScores = new Map(listed?.documentIds.map((id, i) => [id, listed.scores[i] as number]) ?? []);
    for (let i = 0; i < Math.max(documentIds.length, listed?.documentIds.length ?? 0); i++) {
      const [id, score] = [documentIds[i], scores[i]];
      const [otherId, otherScore] = [listed?.documentIds[i], listed?.scores[i]];
      const near = (a: number | undefined, b: number | undefined): boolean =>
        a !== undefined && b !== undefined && Math.abs(a - b) <= tolerance;
      // Another document at this rank is right only when it has the same score, and its own score is the claimed one.
      const fits =
        id === otherId
          ? near(score, otherScore)
          : tolerance > 0 &&
            near(score, otherScore) &&
            (i === depth - 1 || near(score, claimedScores.get(id ?? '')));
      if (fits) continue;
      const text = (what: string | undefined, value: number | undefined): string =>
        what === undefined ? 'nothing' : `${JSON.stringify(what)} with ${value}`;
      return {
        level,
        name,
        state: 'different',
        claimed: text(otherId, otherScore),
        found: text(id, score),
        note: `query ${JSON.stringify(queryId)}, rank ${i + 1}; ${note}`,
      };
    }
  }
  const all = `${chosen.length} rankings`;
  return { level, name, state: 'equal', claimed: all, found: all, note };
}
