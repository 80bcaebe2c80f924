import { AppError } from '../domain/app-error.ts';
import type { ByteReader, ByteWriter } from './byte-stream.ts';

/** How many ranks an execution outcome keeps verdicts of. */
export const OUTCOME_RANKS = 10;

/** What one query came to when execution decides: exact, nothing rounded. */
export interface ExecutionOutcome {
  /** Bit r - 1 is set when the document at rank r passes, r = 1..10. */
  readonly passes: number;
  /** Documents retrieved, at most 10: a short ranking has no bits beyond. */
  readonly retrieved: number;
  /** Canonicals that the benchmark names for the query. */
  readonly canonicals: number;
  /** 1-based ranks at which canonicals stand in the whole ranking, ascending; those not retrieved are missing. */
  readonly canonicalRanks: readonly number[];
  /** Whether rank 1 is one of the query's own near-clones and fails. */
  readonly nearCloneAtRankOne: boolean;
}

/** Most queries that a link may claim to hold: a bound for hostile input, above any benchmark that fits. */
const MAX_QUERIES = 100_000;

/**
 * Writes outcomes column by column, each column a stretch of similar bytes that deflate packs well. The usual query has
 * ten retrieved and one canonical: only exceptions are listed. Passes are written as the difference from what the
 * canonical's rank alone predicts, since near-clones rarely pass: mostly zero bytes. Inverse: {@link readOutcomes}.
 */
export function writeOutcomes(writer: ByteWriter, outcomes: readonly ExecutionOutcome[]): void {
  writer.varint(outcomes.length);
  const exceptions = outcomes.flatMap((outcome, i) => (isUsual(outcome) ? [] : [i]));
  writer.varint(exceptions.length);
  let before = 0;
  for (const i of exceptions) {
    const { retrieved, canonicals, canonicalRanks } = outcomes[i] as ExecutionOutcome;
    writer.varint(i - before);
    before = i;
    writer.varint(retrieved);
    writer.varint(canonicals);
    writer.varint(canonicalRanks.length);
  }
  for (const { canonicalRanks } of outcomes)
    for (const rank of canonicalRanks) writer.byte(rank < 255 ? rank : 255);
  for (const { canonicalRanks } of outcomes)
    for (const rank of canonicalRanks) if (rank >= 255) writer.varint(rank);
  const surprises = outcomes.map((outcome) => outcome.passes ^ predictedPasses(outcome));
  for (const surprise of surprises) writer.byte(surprise);
  for (const surprise of surprises) writer.byte(surprise >> 8);
  for (let i = 0; i < outcomes.length; i += 8) {
    let byte = 0;
    for (let j = 0; j < 8; j++) if (outcomes[i + j]?.nearCloneAtRankOne === true) byte |= 1 << j;
    writer.byte(byte);
  }
}

/**
 * Reads what {@link writeOutcomes} wrote and checks that each outcome can be: ranks ascending and distinct, no pass
 * beyond what was retrieved, no near-clone at a rank 1 that passes.
 *
 * @throws AppError naming the query's number (from 1)
 */
export function readOutcomes(reader: ByteReader): ExecutionOutcome[] {
  const count = reader.varint();
  if (count > MAX_QUERIES) throw damaged(`it claims ${count} queries, at most ${MAX_QUERIES} are allowed`);
  const shapes = Array.from({ length: count }, () => ({ retrieved: OUTCOME_RANKS, canonicals: 1, found: 1 }));
  const exceptions = reader.varint();
  if (exceptions > count) throw damaged(`it lists ${exceptions} exceptions for ${count} queries`);
  let at = 0;
  for (let i = 0; i < exceptions; i++) {
    at += reader.varint();
    const shape = { retrieved: reader.varint(), canonicals: reader.varint(), found: reader.varint() };
    if (at >= count) throw damaged(`it has an exception for query ${at + 1} of ${count}`);
    if (shape.retrieved > OUTCOME_RANKS || shape.found > shape.canonicals || shape.found > 10_000) {
      throw damaged(`query ${at + 1} has impossible counts`);
    }
    shapes[at] = shape;
  }
  const shortRanks = shapes.map(({ found }) => Array.from({ length: found }, () => reader.byte()));
  const ranks = shortRanks.map((list) => list.map((rank) => (rank === 255 ? reader.varint() : rank)));
  const low = shapes.map(() => reader.byte());
  const high = shapes.map(() => reader.byte());
  const clones = reader.bytes(Math.ceil(count / 8));
  return shapes.map(({ retrieved, canonicals }, i) => {
    const canonicalRanks = ranks[i] as number[];
    const surprise = (low[i] as number) | ((high[i] as number) << 8);
    const nearCloneAtRankOne = (((clones[i >> 3] as number) >> (i & 7)) & 1) === 1;
    const shape = { retrieved, canonicals, canonicalRanks, nearCloneAtRankOne };
    const outcome = { ...shape, passes: surprise ^ predictedPasses(shape) };
    const why = contradiction(outcome);
    if (why !== undefined) throw damaged(`query ${i + 1} ${why}`);
    return outcome;
  });
}

/** Why an outcome cannot be, or undefined. */
function contradiction({
  passes,
  retrieved,
  canonicalRanks,
  nearCloneAtRankOne,
}: ExecutionOutcome): string | undefined {
  if (passes >> retrieved !== 0) return `passes beyond the ${retrieved} documents retrieved`;
  for (let i = 0; i < canonicalRanks.length; i++) {
    const rank = canonicalRanks[i] as number;
    if (rank < 1 || rank <= (canonicalRanks[i - 1] ?? 0))
      return `has canonical ranks out of order (${canonicalRanks.join(', ')})`;
    if (rank <= OUTCOME_RANKS && rank > retrieved)
      return `has a canonical at rank ${rank} of ${retrieved} documents`;
  }
  if (nearCloneAtRankOne && (retrieved === 0 || (passes & 1) === 1 || canonicalRanks[0] === 1))
    return 'has a near-clone at a rank 1 that is none';
  return undefined;
}

function isUsual({ retrieved, canonicals, canonicalRanks }: ExecutionOutcome): boolean {
  return retrieved === OUTCOME_RANKS && canonicals === 1 && canonicalRanks.length === 1;
}

/** Passes if canonicals pass and nothing else does. */
function predictedPasses({ canonicalRanks }: Pick<ExecutionOutcome, 'canonicalRanks'>): number {
  let bits = 0;
  for (const rank of canonicalRanks) if (rank <= OUTCOME_RANKS) bits |= 1 << (rank - 1);
  return bits;
}

function damaged(what: string): AppError {
  return new AppError('link', 'link-damaged', `The link is damaged: ${what}.`);
}
