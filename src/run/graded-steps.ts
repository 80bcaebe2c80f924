import { printGradedRecord, sealGradedRecord, type GradedRecord } from '../share/graded-record.ts';
import { gradedContent } from './build-record.ts';
import { warningsOf, type Searched, type StepContext } from './search-steps.ts';

/** Scores rankings by the benchmark's own grades: nothing is executed. */
export async function gradedSteps(
  { request, services, signal, step, skip, publish, timings }: StepContext,
  searched: Searched,
): Promise<GradedRecord> {
  const { benchmark, protocol } = searched;
  skip('judge', 'Nothing to execute: the benchmark has grades.');
  return step('score', async (onProgress) => {
    const { documentsSet, queriesSet, qrelsSet, visibilitySet } = benchmark;
    const report = await services.gradedReport(
      {
        documentsSet,
        queriesSet,
        qrelsSet,
        ...(visibilitySet === undefined ? {} : { visibilitySet }),
        rankingsSet: searched.rankingsSet,
        protocolId: protocol.id,
        resamples: 5_000,
        seed: request.seed,
      },
      { signal, onProgress },
    );
    const warnings = warningsOf(
      searched,
      report.notes.map(({ code, queries, words }) => ({ code, count: queries, message: words })),
    );
    publish({ warnings });
    const record = await sealGradedRecord(
      await gradedContent(
        {
          request,
          timings: timings(),
          searched,
          warnings,
          versions: services.versions,
          userAgent: services.userAgent,
        },
        report,
      ),
    );
    await services.data.putEntry('records', record.id, printGradedRecord(record));
    return record;
  });
}
