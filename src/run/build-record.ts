import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import type { StoredBenchmark } from '../contracts/data.ts';
import type { EncodedSet } from '../contracts/encode.ts';
import type { JudgeEnvironment } from '../contracts/judge.ts';
import type { SearchCounts } from '../contracts/search.ts';
import { digestOfJson, type Digest } from '../domain/digest.ts';
import { VERDICTS } from '../domain/verdict.ts';
import type { ChosenPrompt } from '../models/model-definition.ts';
import type { Protocol } from '../protocols/index.ts';
import { RECORD_SCHEMA, type RecordContent } from '../share/record.ts';
import type { JudgedPairs } from './judge-phase.ts';
import type { PhaseName, RunRequest, Warning } from './run-state.ts';
import type { OpenedEncoder } from './services.ts';

/** Everything that a finished evaluation knows. */
export interface RecordParts {
  readonly request: RunRequest;
  readonly timings: readonly { readonly phase: PhaseName; readonly ms: number }[];
  readonly benchmark: StoredBenchmark;
  readonly encoder: OpenedEncoder;
  readonly prompts: { readonly query: ChosenPrompt; readonly document: ChosenPrompt };
  readonly protocol: Protocol;
  readonly documents: EncodedSet;
  readonly queries: EncodedSet;
  /** Digests of the vectors themselves, not of what they were made from. */
  readonly vectorDigests: { readonly documents: Digest; readonly queries: Digest };
  readonly search: { readonly counts: SearchCounts; readonly digest: string };
  readonly judged: JudgedPairs;
  readonly environment: JudgeEnvironment & { readonly timeFactor: number };
  readonly report: ExecReport;
  readonly warnings: readonly Warning[];
  readonly versions: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** Returns the record of a finished evaluation, before it gets its id. Plain JSON data throughout. */
export async function recordContent(parts: RecordParts): Promise<RecordContent> {
  const { request, benchmark, encoder, protocol, documents, queries, search, judged, report } = parts;
  const { report: model, choice } = encoder;
  const verdictCounts = VERDICTS.map(
    (verdict) => [`verdict ${verdict}`, judged.verdicts.filter((found) => found === verdict).length] as const,
  );
  const content = {
    schema: RECORD_SCHEMA,
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
      prompts: parts.prompts,
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
    runtime: { ...model.runtime, ...parts.versions, kernel: search.counts.kernel },
    numerics: model.passport,
    oracle: parts.environment,
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
      'search threads': search.counts.threads,
      'search pairs rescored in float64': search.counts.rescored,
      'pairs judged': judged.verdicts.length,
      'suites executed in this run': judged.executed,
      ...Object.fromEntries(verdictCounts),
    },
    warnings: parts.warnings,
    digests: {
      documentVectors: parts.vectorDigests.documents,
      queryVectors: parts.vectorDigests.queries,
      rankings: search.digest,
      verdicts: await digestOfJson(
        judged.queryIds.map((queryId, i) => [queryId, judged.documentIds[i], judged.verdicts[i]]),
      ),
    },
    report,
    failures: judged.failures,
  };
  // Arrays that are read-only to us are plain to the schema; a round trip through JSON also drops what JSON cannot hold.
  return JSON.parse(JSON.stringify(content)) as RecordContent;
}
