import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { GradedReport } from '../analyses/graded-report.ts';
import type { JudgeEnvironment } from '../contracts/judge.ts';
import { digestOfJson } from '../domain/digest.ts';
import { VERDICTS } from '../domain/verdict.ts';
import { GRADED_RECORD_SCHEMA, type GradedRecordContent } from '../share/graded-record.ts';
import { RECORD_SCHEMA, type RecordContent } from '../share/record.ts';
import type { JudgedPairs } from './judge-phase.ts';
import type { PhaseName, RunRequest, Warning } from './run-state.ts';
import type { Searched } from './search-steps.ts';

/** What every finished evaluation knows. */
export interface RecordParts {
  readonly request: RunRequest;
  readonly timings: readonly { readonly phase: PhaseName; readonly ms: number }[];
  readonly searched: Searched;
  readonly warnings: readonly Warning[];
  readonly versions: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** Returns the record of an executed evaluation, before it gets its id. Plain JSON data throughout. */
export async function executedContent(
  parts: RecordParts,
  {
    judged,
    environment,
    report,
  }: {
    readonly judged: JudgedPairs;
    readonly environment: JudgeEnvironment & { readonly timeFactor: number };
    readonly report: ExecReport;
  },
): Promise<RecordContent> {
  const common = await commonContent(parts);
  const verdictCounts = VERDICTS.map(
    (verdict) => [`verdict ${verdict}`, judged.verdicts.filter((found) => found === verdict).length] as const,
  );
  const verdicts = judged.queryIds.map((queryId, i) => [queryId, judged.documentIds[i], judged.verdicts[i]]);
  return plain<RecordContent>({
    ...common,
    schema: RECORD_SCHEMA,
    oracle: environment,
    counts: {
      ...common.counts,
      'pairs judged': judged.verdicts.length,
      'suites executed in this run': judged.executed,
      ...Object.fromEntries(verdictCounts),
    },
    digests: { ...common.digests, verdicts: await digestOfJson(verdicts) },
    report,
    failures: judged.failures,
  });
}

/** Returns the record of a graded evaluation, before it gets its id. */
export async function gradedContent(parts: RecordParts, report: GradedReport): Promise<GradedRecordContent> {
  return plain<GradedRecordContent>({
    ...(await commonContent(parts)),
    schema: GRADED_RECORD_SCHEMA,
    report,
  });
}

async function commonContent(parts: RecordParts) {
  const { request, searched } = parts;
  const { benchmark, encoder, protocol, documents, queries, searchCounts } = searched;
  const { report: model, choice } = encoder;
  return {
    createdAt: new Date().toISOString(),
    assayVersion: parts.versions['assay'] ?? 'unknown',
    benchmark: {
      id: benchmark.id,
      name: benchmark.name,
      digest: benchmark.digest,
      parts: benchmark.parts,
      counts: benchmark.counts,
      source: benchmark.source,
      ...(benchmark.cutFrom === undefined ? {} : { cutFrom: benchmark.cutFrom }),
    },
    model: {
      id: model.modelId,
      revision: model.revision,
      fileDigests: model.fileDigests,
      dtype: model.dtype,
      pooling: model.pooling,
      normalised: model.normalised,
      dimensions: documents.dimensions,
      maxTokens: documents.maxTokens,
      batchTokens: documents.batchTokens,
      dependsOnBatch: model.dependsOnBatch,
      prompts: searched.prompts,
    },
    protocol: { id: protocol.id, digest: await digestOfJson(protocol.settings), settings: protocol.settings },
    device: {
      backend: choice.taken,
      requested: choice.requested,
      reason: choice.reason,
      ...(model.adapter === undefined ? {} : { adapter: model.adapter }),
      threads: model.threads,
      threadsReason: model.threadsReason,
      trials: choice.trials,
      userAgent: parts.userAgent,
    },
    runtime: { ...model.runtime, ...parts.versions, kernel: searchCounts.kernel },
    numerics: model.passport,
    seed: request.seed,
    depth: request.depth,
    timings: parts.timings,
    counts: {
      'documents encoded': documents.texts,
      'documents truncated': documents.truncatedTexts,
      'documents empty': documents.emptyTexts,
      'queries encoded': queries.texts,
      'queries truncated': queries.truncatedTexts,
      'queries empty': queries.emptyTexts,
      'search threads': searchCounts.threads,
      'search pairs rescored in float64': searchCounts.rescored,
      'rankings without any document': searchCounts.emptyRankings,
    },
    warnings: parts.warnings,
    digests: {
      documentVectors: searched.vectorDigests.documents,
      queryVectors: searched.vectorDigests.queries,
      rankings: searched.rankingsDigest,
    },
  };
}

/** Read-only arrays are plain to the schema; a round trip through JSON also drops what JSON cannot hold. */
function plain<T>(content: unknown): T {
  return JSON.parse(JSON.stringify(content)) as T;
}
