import { AppError } from '../domain/app-error.ts';
import type { Judgements, Qrels } from '../domain/qrels.ts';
import type { Ranking, Run } from '../domain/ranking.ts';
import type { ByteReader, ByteWriter } from './byte-stream.ts';

/** How many ranks a graded outcome keeps one by one, and how deep found positives are counted. */
export const GRADED_RANKS = 10;
export const FOUND_DEPTH = 100;

/** What one query came to when grades decide: exact, nothing rounded. */
export interface GradedOutcome {
  /** Bit r - 1 is set when a positive stands at rank r, r = 1..10. */
  readonly positives: number;
  /** The same for hard negatives: judged, above 0, below the level. */
  readonly hardNegatives: number;
  /** Documents ranked, at most 100. */
  readonly retrieved: number;
  /** Positives that the judgements name, retrieved or not. */
  readonly total: number;
  /** Positives within the first 100. */
  readonly foundIn100: number;
}

/**
 * Returns the outcome of a query.
 *
 * @param level lowest grade of a positive
 */
export function gradedOutcome(
  ranking: Ranking | undefined,
  judgements: Judgements,
  level: number,
): GradedOutcome {
  const ids = (ranking?.documentIds ?? []).slice(0, FOUND_DEPTH);
  let [positives, hardNegatives, foundIn100] = [0, 0, 0];
  ids.forEach((id, i) => {
    const grade = judgements.get(id) ?? 0;
    if (grade >= level) foundIn100++;
    if (i >= GRADED_RANKS) return;
    if (grade >= level) positives |= 1 << i;
    else if (grade > 0) hardNegatives |= 1 << i;
  });
  const total = [...judgements.values()].filter((grade) => grade >= level).length;
  return { positives, hardNegatives, retrieved: ids.length, total, foundIn100 };
}

/**
 * Returns the outcomes of the queries in this order.
 *
 * @throws AppError `several-gains` when positives of one query have different grades: a bitmap cannot tell them apart
 */
export function gradedOutcomes(
  queryIds: readonly string[],
  qrels: Qrels,
  run: Run,
  level: number,
): GradedOutcome[] {
  return queryIds.map((queryId) => {
    const judgements = qrels.get(queryId) ?? new Map<string, number>();
    const grades = new Set([...judgements.values()].filter((grade) => grade >= level));
    if (grades.size > 1)
      throw new AppError(
        'link',
        'several-gains',
        `Query ${JSON.stringify(queryId)} has positives of grades ${[...grades].join(' and ')}; a link keeps one grade of positives. Share the record file.`,
      );
    return gradedOutcome(run.get(queryId), judgements, level);
  });
}

/** Most queries that a link may claim to hold. */
const MAX_QUERIES = 100_000;

/** Writes outcomes column by column; inverse: {@link readGradedOutcomes}. */
export function writeGradedOutcomes(writer: ByteWriter, outcomes: readonly GradedOutcome[]): void {
  writer.varint(outcomes.length);
  for (const { positives } of outcomes) writer.byte(positives);
  for (const { positives, hardNegatives } of outcomes)
    writer.byte((positives >> 8) | ((hardNegatives >> 8) << 2));
  for (const { hardNegatives } of outcomes) writer.byte(hardNegatives);
  for (const { total } of outcomes) writer.varint(total);
  for (const { total, foundIn100 } of outcomes) writer.varint(total - foundIn100);
  for (const { retrieved } of outcomes) writer.varint(FOUND_DEPTH - retrieved);
}

/**
 * Reads what {@link writeGradedOutcomes} wrote and checks that each outcome can be.
 *
 * @throws AppError naming the query's number (from 1)
 */
export function readGradedOutcomes(reader: ByteReader): GradedOutcome[] {
  const count = reader.varint();
  if (count > MAX_QUERIES) throw damaged(`it claims ${count} queries, at most ${MAX_QUERIES} are allowed`);
  // Each query takes six bytes at least: a count beyond what is left is a lie, found before anything is allocated for it.
  if (count * 6 > reader.left) throw damaged(`it claims ${count} queries, more than it holds`);
  const column = (read: () => number): number[] => Array.from({ length: count }, read);
  const low = column(() => reader.byte());
  const high = column(() => reader.byte());
  const hardLow = column(() => reader.byte());
  const totals = column(() => reader.varint());
  const missed = column(() => reader.varint());
  const short = column(() => reader.varint());
  return low.map((bits, i) => {
    const top = high[i] as number;
    const total = totals[i] as number;
    const outcome: GradedOutcome = {
      positives: bits | ((top & 3) << 8),
      hardNegatives: (hardLow[i] as number) | (((top >> 2) & 3) << 8),
      retrieved: FOUND_DEPTH - (short[i] as number),
      total,
      foundIn100: total - (missed[i] as number),
    };
    const why = top > 15 ? 'has bits beyond rank 10' : contradiction(outcome);
    if (why !== undefined) throw damaged(`query ${i + 1} ${why}`);
    return outcome;
  });
}

function contradiction({
  positives,
  hardNegatives,
  retrieved,
  total,
  foundIn100,
}: GradedOutcome): string | undefined {
  if (retrieved < 0 || foundIn100 < 0) return 'has impossible counts';
  if ((positives & hardNegatives) !== 0) return 'has a document that is positive and hard negative';
  if ((positives | hardNegatives) >> Math.min(retrieved, GRADED_RANKS) !== 0)
    return `has judged documents beyond the ${retrieved} retrieved`;
  const inTen = bitCount(positives);
  if (inTen > foundIn100)
    return `has ${inTen} positives in the first ten but ${foundIn100} in the first hundred`;
  if (foundIn100 - inTen > Math.max(0, retrieved - GRADED_RANKS)) return 'has more positives than documents';
  if (foundIn100 > total) return `has found ${foundIn100} of ${total} positives`;
  return undefined;
}

/** How many bits are set. */
export function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function damaged(what: string): AppError {
  return new AppError('link', 'link-damaged', `The link is damaged: ${what}.`);
}
