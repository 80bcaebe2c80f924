import { AppError } from '../domain/app-error.ts';
import type { Qrels } from '../domain/qrels.ts';
import type { Run } from '../domain/ranking.ts';
import type { Verdict } from '../domain/verdict.ts';
import {
  evaluateRun,
  meanOverQueries,
  parseMeasure,
  type FileOf,
  type Measure,
  type MeanOverQueries,
  type RunEvaluation,
} from '../metrics/index.ts';
import { prepareQrels, prepareRun, type ListedDocuments } from './prepare.ts';
import type { Protocol } from './protocol.ts';

/** A run, its judgements, and what a protocol may ask for beside them. */
export interface ScoringInput extends ListedDocuments {
  readonly run: Run;
  readonly qrels: Qrels;
  /** Measures, or names of such; the protocol's own when absent. A name without `rel` gets the protocol's level, a measure keeps its own. */
  readonly measures?: readonly (string | Measure)[] | undefined;
  /** Per query, the verdict on each document; what is absent did not pass. */
  readonly verdicts?: ReadonlyMap<string, ReadonlyMap<string, Verdict>> | undefined;
  readonly fileOf?: FileOf | undefined;
}

/** Something about the data that a reader of the number should know. */
export interface ScoringNote {
  readonly code:
    | 'nothing-retrieved-is-judged'
    | 'left-without-judgements'
    | 'without-relevant'
    | 'without-results'
    | 'ignored';
  /** How many queries it concerns. */
  readonly queries: number;
  readonly words: string;
}

/** The result of {@link scoreRun}. */
export interface Scoring {
  readonly protocol: Protocol;
  readonly evaluation: RunEvaluation;
  /** The means over the queries that the protocol counts. */
  readonly mean: MeanOverQueries;
  /** 1 where the protocol counts the query in the mean; parallel to `evaluation.queryIds`. */
  readonly counted: Uint8Array;
  /** Judged queries that were left with no visible judged document: in no mean and no count. */
  readonly leftWithoutJudgements: readonly string[];
  readonly notes: readonly ScoringNote[];
}

/**
 * Scores a run as a protocol says: the one way from rankings to numbers, for page, worker and command line.
 * Throws AppError `no-overlap` when run and qrels share no query, `missing-need` when a measure lacks verdicts or files.
 */
export function scoreRun(protocol: Protocol, input: ScoringInput): Scoring {
  const { settings } = protocol;
  const measures = measuresOf(protocol, input.measures);
  checkOverlap(input.run, input.qrels);
  const run = new Map(prepareRun(input.run, settings, input));
  const qrels = new Map(prepareQrels(input.qrels, settings, input));
  const emptied = [...qrels.keys()].filter(
    (queryId) => qrels.get(queryId)?.size === 0 && input.qrels.get(queryId)?.size !== 0,
  );
  for (const queryId of emptied) {
    qrels.delete(queryId);
    run.delete(queryId);
  }
  const passing = input.verdicts === undefined ? undefined : passingDocuments(protocol, input.verdicts);
  const evaluation = evaluateRun(run, qrels, measures, {
    relevanceLevel: settings.relevanceLevel,
    ...(passing === undefined ? {} : { passing }),
    ...(input.fileOf === undefined ? {} : { fileOf: input.fileOf }),
  });
  const counted = Uint8Array.from(evaluation.queryIds, (_, q) =>
    (settings.queriesWithoutResults === 'excluded' && evaluation.evaluated[q] === 0) ||
    (settings.queriesWithoutRelevant === 'excluded' && evaluation.withRelevant[q] === 0)
      ? 0
      : 1,
  );
  return {
    protocol,
    evaluation,
    mean: meanOverQueries(evaluation, (q) => counted[q] === 1),
    counted,
    leftWithoutJudgements: emptied,
    notes: notesOn(protocol, emptied.length, qrels, run, evaluation),
  };
}

/** Returns the measures that names mean under a protocol (measures stay as they are), or the protocol's own; doubled ones once. */
export function measuresOf(
  protocol: Protocol,
  names: readonly (string | Measure)[] = protocol.settings.measures,
): Measure[] {
  const { relevanceLevel } = protocol.settings;
  const measures = names.map((name) =>
    typeof name === 'string' ? parseMeasure(name, { relevanceLevel }) : name,
  );
  return [...new Map(measures.map((measure) => [measure.name, measure])).values()];
}

/** Returns, per query, the documents that pass under the protocol. */
export function passingDocuments(
  protocol: Protocol,
  verdicts: ReadonlyMap<string, ReadonlyMap<string, Verdict>>,
): Map<string, ReadonlySet<string>> {
  const upper = protocol.settings.passing === 'verdict-pass-or-unsupported';
  const passes = (verdict: Verdict): boolean =>
    verdict === 'pass' || (upper && (verdict === 'unsupported' || verdict === 'platform-sensitive'));
  return new Map(
    [...verdicts].map(([queryId, byDocument]) => [
      queryId,
      new Set([...byDocument].filter(([, verdict]) => passes(verdict)).map(([id]) => id)),
    ]),
  );
}

function checkOverlap(run: Run, qrels: Qrels): void {
  if (qrels.size === 0)
    throw new AppError(
      'score',
      'no-judgements',
      'The qrels hold no judgement at all; nothing can be scored.',
    );
  for (const queryId of run.keys()) if (qrels.has(queryId)) return;
  throw new AppError(
    'score',
    'no-overlap',
    `Run and qrels have no query in common. The run has ${sample(run.keys(), run.size)}; the qrels have ${sample(qrels.keys(), qrels.size)}. ` +
      'Check that both belong to the same benchmark and write query ids alike.',
  );
}

function notesOn(
  protocol: Protocol,
  emptied: number,
  prepared: Qrels,
  run: Run,
  evaluation: RunEvaluation,
): ScoringNote[] {
  const notes: ScoringNote[] = [];
  const add = (code: ScoringNote['code'], queries: number, words: string): void => {
    if (queries > 0)
      notes.push({ code, queries, words: `${queries} ${queries === 1 ? 'query' : 'queries'} ${words}` });
  };
  const { counts } = evaluation;
  const { settings } = protocol;
  const fate = (choice: 'zero' | 'excluded'): string =>
    choice === 'zero' ? 'counted as 0' : 'left out of the mean';
  add('left-without-judgements', emptied, 'left out: no judged document is visible');
  add('without-results', counts.withoutResults, `without results: ${fate(settings.queriesWithoutResults)}`);
  add(
    'without-relevant',
    counts.withoutRelevant,
    `without a relevant document: ${fate(settings.queriesWithoutRelevant)}`,
  );
  add('ignored', counts.ignored, 'of the run not judged: ignored');
  if (counts.evaluated > 0 && !anyJudgedRetrieved(run, prepared))
    notes.push({
      code: 'nothing-retrieved-is-judged',
      queries: counts.evaluated,
      words: unjudgedWords(run, prepared),
    });
  return notes;
}

function anyJudgedRetrieved(run: Run, qrels: Qrels): boolean {
  for (const [queryId, judgements] of qrels)
    if (run.get(queryId)?.documentIds.some((id) => judgements.has(id)) === true) return true;
  return false;
}

function unjudgedWords(run: Run, qrels: Qrels): string {
  const retrieved = [...run.values()].find((ranking) => ranking.documentIds.length > 0)?.documentIds ?? [];
  const judged = [...qrels.values()].find((judgements) => judgements.size > 0) ?? new Map<string, number>();
  return (
    'Not one retrieved document is judged for its query, so that everything is 0. ' +
    `The run names documents like ${sample(retrieved, retrieved.length)}; the qrels like ${sample(judged.keys(), judged.size)}. Do both write document ids alike?`
  );
}

/** Up to three ids for a message. */
function sample(ids: Iterable<string>, count: number): string {
  const shown: string[] = [];
  for (const id of ids) {
    if (shown.length === 3) break;
    shown.push(JSON.stringify(id));
  }
  if (shown.length === 0) return 'none';
  return `${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`;
}
