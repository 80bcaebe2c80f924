import type { Judgements, Qrels } from '../domain/qrels.ts';
import { rank, type Ranking, type Run } from '../domain/ranking.ts';
import type { ProtocolSettings } from './settings.ts';

/** Anything that can say whether it holds an id: a Set, a Map, or a bitmap over a corpus. */
export interface IdSet {
  has(id: string): boolean;
}

/** Per query, the documents left out of its ranking and those that exist for it; a query that is absent has none, or sees all. */
export interface ListedDocuments {
  readonly excluded?: ReadonlyMap<string, IdSet> | undefined;
  readonly visible?: ReadonlyMap<string, IdSet> | undefined;
}

/** Returns one query's ranking as the protocol scores it: identical ids, exclusions and invisible documents gone, then score precision, then the cut to the depth. */
export function prepareRanking(
  ranking: Ranking,
  settings: ProtocolSettings,
  { excluded, visible }: ListedDocuments = {},
): Ranking {
  const { queryId } = ranking;
  const gone = settings.exclusions === 'listed' ? excluded?.get(queryId) : undefined;
  const seen = settings.visibility === 'listed' ? visible?.get(queryId) : undefined;
  const dropIdentical = settings.identicalIds === 'dropped';
  let prepared = ranking;
  if (gone !== undefined || seen !== undefined || dropIdentical) {
    const kept: number[] = [];
    ranking.documentIds.forEach((id, i) => {
      if (gone?.has(id) === true || seen?.has(id) === false || (dropIdentical && id === queryId)) return;
      kept.push(i);
    });
    if (kept.length < ranking.documentIds.length) prepared = pick(ranking, kept);
  }
  if (settings.scorePrecision === 'float32') prepared = inSinglePrecision(prepared);
  const depth = settings.depth === 'all' ? Infinity : settings.depth;
  if (prepared.documentIds.length <= depth) return prepared;
  return {
    queryId,
    documentIds: prepared.documentIds.slice(0, depth),
    scores: prepared.scores.slice(0, depth),
  };
}

/** Returns a run as the protocol scores it; see {@link prepareRanking}. */
export function prepareRun(run: Run, settings: ProtocolSettings, lists: ListedDocuments = {}): Run {
  return new Map([...run].map(([queryId, ranking]) => [queryId, prepareRanking(ranking, settings, lists)]));
}

/**
 * Returns one query's judgements as the protocol counts them: grades below the level zeroed where the protocol says so,
 * judged documents gone that the query cannot see. May come out empty; the query then has no place in any mean.
 */
export function prepareJudgements(
  queryId: string,
  judgements: Judgements,
  settings: ProtocolSettings,
  { visible }: ListedDocuments = {},
): Judgements {
  const zeroBelow = settings.gradesBelowLevel === 'zeroed' ? settings.relevanceLevel : -Infinity;
  const seen =
    settings.visibility === 'listed' && settings.invisibleJudged === 'dropped'
      ? visible?.get(queryId)
      : undefined;
  if (seen === undefined && zeroBelow === -Infinity) return judgements;
  const prepared = new Map<string, number>();
  for (const [id, grade] of judgements)
    if (seen?.has(id) !== false) prepared.set(id, grade < zeroBelow ? 0 : grade);
  return prepared;
}

/** Returns qrels as the protocol counts them; see {@link prepareJudgements}. */
export function prepareQrels(qrels: Qrels, settings: ProtocolSettings, lists: ListedDocuments = {}): Qrels {
  return new Map(
    [...qrels].map(([queryId, judgements]) => [
      queryId,
      prepareJudgements(queryId, judgements, settings, lists),
    ]),
  );
}

function pick(ranking: Ranking, kept: readonly number[]): Ranking {
  return {
    queryId: ranking.queryId,
    documentIds: kept.map((i) => ranking.documentIds[i] as string),
    scores: Float64Array.from(kept, (i) => ranking.scores[i] as number),
  };
}

/** Rounds scores to float32 and settles the ties that this makes; the same ranking where it makes none. */
function inSinglePrecision(ranking: Ranking): Ranking {
  const { queryId, documentIds, scores } = ranking;
  const rounded = Float64Array.from(scores, Math.fround);
  const newTie = rounded.some((score, i) => i > 0 && score === rounded[i - 1] && scores[i] !== scores[i - 1]);
  return newTie ? rank(queryId, documentIds, rounded) : { queryId, documentIds, scores: rounded };
}
