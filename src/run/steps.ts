import { AppError } from '../domain/app-error.ts';
import { parseMeasure } from '../metrics/index.ts';
import type { GradedRecord } from '../share/graded-record.ts';
import type { ResultRecord } from '../share/record.ts';
import { executedSteps } from './executed-steps.ts';
import { gradedSteps } from './graded-steps.ts';
import { searchSteps, type Searched, type StepContext } from './search-steps.ts';

/** A finished evaluation's record: of an executed or of a graded benchmark, told apart by `report.kind`. */
export type RunRecord = ResultRecord | GradedRecord;

/** The way of the data through one evaluation: load, encode, search, then judge or not, score, record. */
export async function runSteps(context: StepContext): Promise<RunRecord> {
  const searched = await searchSteps(context);
  if (!needsVerdicts(searched)) return gradedSteps(context, searched);
  const { benchmark, protocol } = searched;
  if (benchmark.execution === undefined) {
    throw new AppError(
      'benchmark',
      'not-executable',
      `${benchmark.name} holds no tests, so the protocol ${protocol.id} has nothing to execute. Its own protocol is ${benchmark.protocolId}.`,
    );
  }
  return executedSteps(context, searched, benchmark.execution);
}

function needsVerdicts({ protocol }: Searched): boolean {
  const { measures, relevanceLevel } = protocol.settings;
  return measures.some((name) => parseMeasure(name, { relevanceLevel }).metric.needs.includes('verdicts'));
}
