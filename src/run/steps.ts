import type { RankingsBlock, SetKey } from '../contracts/blocks.ts';
import type { Progress } from '../contracts/calls.ts';
import type { BenchmarkRef, StoredBenchmark } from '../contracts/data.ts';
import type { EncodedSet } from '../contracts/encode.ts';
import type { OwnDocuments } from '../contracts/run-data.ts';
import type { PairSimilarities } from '../contracts/score.ts';
import { AppError } from '../domain/app-error.ts';
import { digestOfJson, type Digest } from '../domain/digest.ts';
import type { Ranking } from '../domain/ranking.ts';
import { findModel } from '../models/index.ts';
import { choosePrompt } from '../models/model-definition.ts';
import { findProtocol } from '../protocols/index.ts';
import { printRecord, sealRecord, type ResultRecord } from '../share/record.ts';
import { recordContent } from './build-record.ts';
import { judgePairs } from './judge-phase.ts';
import { PartialMetrics } from './partial-metrics.ts';
import type { PhaseName, RunRequest, RunState, Warning } from './run-state.ts';
import type { OpenedEncoder, RunServices } from './services.ts';

/** Ranks whose verdicts the measures of ExecRetrieval need. */
const JUDGED_RANKS = 10;

/** What the steps get from the evaluation that runs them. */
export interface StepContext {
  readonly id: string;
  readonly request: RunRequest;
  readonly ref: BenchmarkRef;
  readonly services: RunServices;
  readonly signal: AbortSignal;
  /** Runs one step under its phase's clock. */
  step<T>(name: PhaseName, work: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T>;
  progress(name: PhaseName, done: number, total: number): void;
  note(name: PhaseName, note: string): void;
  publish(change: Pick<Partial<RunState>, 'partialMetrics' | 'warnings'>): void;
  timings(): readonly { readonly phase: PhaseName; readonly ms: number }[];
}

/**
 * The way of the data through one evaluation: load, encode, search, judge, score, record. Each step first looks for what
 * an earlier sitting left complete, so running all of them again is how a run is resumed.
 */
export async function runSteps({
  id,
  request,
  ref,
  services,
  signal,
  step,
  progress,
  note,
  publish,
  timings,
}: StepContext): Promise<ResultRecord> {
  const model = findModel(request.modelId);
  const protocol = findProtocol(request.protocolId);
  const { settings } = protocol;

  const benchmark = await step('load', (onProgress) =>
    services.data.loadBenchmark(ref, { signal, onProgress }),
  );
  const { execution } = benchmark;
  if (execution === undefined) {
    throw new AppError(
      'benchmark',
      'not-executable',
      `${benchmark.name} holds no tests to execute. An evaluation scores executed benchmarks so far; for graded ones make a run (assay encode, assay search) and score it (assay score).`,
    );
  }
  // The interpreter boots while the model encodes. A failure shows when the first suite is judged.
  services.judge.warmUp().catch(() => undefined);

  const place = { side: 'document', task: 'nl2code' } as const;
  const none = { text: '', rule: 'default' } as const;
  const prompts = {
    document: settings.promptPolicy === 'none' ? none : choosePrompt(model, place),
    query: settings.promptPolicy === 'none' ? none : choosePrompt(model, { ...place, side: 'query' }),
  };
  const common = {
    documentTemplate: settings.documentTemplate,
    ...(settings.pooling === 'model' ? {} : { pooling: settings.pooling }),
    ...(settings.maxTokens === 'model' ? {} : { maxTokens: settings.maxTokens }),
  };
  const { encoder, documents } = await step('encode documents', async (onProgress) => {
    const opened = await services.openEncoder(
      { model, dtype: request.dtype, device: request.device },
      { signal, onProgress },
    );
    note('encode documents', deviceNote(opened));
    const { documentsSet: textsSet, parts } = benchmark;
    const encoded = await opened.encodeSet(
      { ...common, side: 'document', prompt: prompts.document, textsSet, textsDigest: parts.documents },
      { signal, onProgress },
    );
    return { encoder: opened, documents: encoded };
  });
  const queries = await step('encode queries', (onProgress) => {
    const { queriesSet: textsSet, parts } = benchmark;
    return encoder.encodeSet(
      { ...common, side: 'query', prompt: prompts.query, textsSet, textsDigest: parts.queries },
      { signal, onProgress },
    );
  });

  const search = await step('search', async (onProgress) => {
    const stored = {
      documentsSet: benchmark.documentsSet,
      documentVectors: documents.vectorsSet,
      queriesSet: benchmark.queriesSet,
      queryVectors: queries.vectorsSet,
      similarity: settings.similarity === 'model' ? model.similarity : settings.similarity,
    };
    const depth = settings.depth === 'all' ? request.depth : Math.min(request.depth, settings.depth);
    const answer = await services.search(stored, { k: depth }, benchmark.counts, { signal, onProgress });
    const own = await services.data.ownDocuments(execution.tasksSet);
    const scores = await services.scoresOf(stored, own.documentIds, { signal });
    const rankingsSet = `rankings:${id}` as const;
    const digest = await services.data.putRankings(
      rankingsSet,
      {
        benchmarkDigest: benchmark.digest,
        description: { model: model.id, dtype: request.dtype, protocol: protocol.id, depth },
      },
      toBlock(answer.rankings),
    );
    return { answer, own, scores, rankingsSet, digest };
  });

  const environment = { ...(await services.judge.environment()) };
  const environmentDigest = await digestOfJson(environment);
  const judged = await step('judge', async () => {
    const plan = await services.data.judgePlan({
      documentsSet: benchmark.documentsSet,
      tasksSet: execution.tasksSet,
      rankingsSet: search.rankingsSet,
      ranks: JUDGED_RANKS,
      environment: environmentDigest,
    });
    const partial = new PartialMetrics(search.answer.rankings);
    return judgePairs(
      services,
      environmentDigest,
      `python ${environment.python}, pyodide ${environment.pyodide}`,
      plan,
      {
        signal,
        onProgress: (done, total) => progress('judge', done, total),
        onVerdict: (queryId, documentId, verdict) => {
          partial.add(queryId, documentId, verdict);
          publish({ partialMetrics: partial.metrics() });
        },
      },
    );
  });
  const { timeFactor } = await services.judge.warmUp();

  return step('score', async (onProgress) => {
    const report = await services.execReport(
      {
        documentsSet: benchmark.documentsSet,
        tasksSet: execution.tasksSet,
        rankingsSet: search.rankingsSet,
        verdicts: judged,
        similarities: flatten(search.own, search.scores),
        resamples: 5_000,
        seed: request.seed,
      },
      { signal, onProgress },
    );
    const warnings = warningsOf(benchmark, documents, queries, encoder, report.warnings);
    publish({ warnings });
    const content = await recordContent({
      request,
      timings: timings(),
      benchmark,
      encoder,
      prompts,
      protocol,
      documents,
      queries,
      vectorDigests: {
        documents: await contentDigest(services, documents.vectorsSet),
        queries: await contentDigest(services, queries.vectorsSet),
      },
      search: { counts: search.answer.counts, digest: search.digest },
      judged,
      environment: { ...environment, timeFactor },
      report,
      warnings,
      versions: services.versions,
      userAgent: services.userAgent,
    });
    const record = await sealRecord(content);
    await services.data.putEntry('records', record.id, printRecord(record));
    return record;
  });
}

/** Digest over the digests of a stored set's blocks. */
async function contentDigest(services: RunServices, key: SetKey): Promise<Digest> {
  const manifest = await services.data.manifest(key);
  return digestOfJson(manifest?.blocks.map(({ digest }) => digest) ?? []);
}

function deviceNote({ report, choice }: OpenedEncoder): string {
  return `${choice.taken}, ${report.threads} ${report.threads === 1 ? 'thread' : 'threads'}. ${choice.reason}`;
}

function toBlock(rankings: readonly Ranking[]): RankingsBlock {
  const offsets = new Uint32Array(rankings.length + 1);
  rankings.forEach(({ documentIds }, i) => (offsets[i + 1] = (offsets[i] as number) + documentIds.length));
  const scores = new Float64Array(offsets[rankings.length] as number);
  rankings.forEach((ranking, i) => scores.set(ranking.scores, offsets[i]));
  return {
    queryIds: rankings.map(({ queryId }) => queryId),
    offsets,
    documentIds: rankings.flatMap(({ documentIds }) => documentIds),
    scores,
  };
}

function flatten(own: OwnDocuments, scores: readonly Float64Array[]): PairSimilarities {
  return {
    queryIds: own.documentIds.flatMap((ids, i) => ids.map(() => own.queryIds[i] as string)),
    documentIds: own.documentIds.flat(),
    scores: Float64Array.from(scores.flatMap((row) => [...row])),
  };
}

function warningsOf(
  benchmark: StoredBenchmark,
  documents: EncodedSet,
  queries: EncodedSet,
  encoder: OpenedEncoder,
  ofReport: readonly { readonly code: string; readonly count: number; readonly message: string }[],
): Warning[] {
  const cut = (set: EncodedSet, what: string): Warning => ({
    code: `truncated-${what}`,
    count: set.truncatedTexts,
    message: `${set.truncatedTexts} ${what} cut at ${set.maxTokens} tokens`,
  });
  const empty = (set: EncodedSet, what: string): Warning => ({
    code: `empty-${what}`,
    count: set.emptyTexts,
    message: `${set.emptyTexts} ${what} without any text`,
  });
  const texts = [
    cut(documents, 'documents'),
    cut(queries, 'queries'),
    empty(documents, 'documents'),
    empty(queries, 'queries'),
  ];
  return [
    ...texts.filter(({ count }) => count > 0),
    ...encoder.report.notices.map((message) => ({ code: 'encoder-notice', count: 1, message })),
    ...benchmark.warnings.map(({ code, count, message }) => ({ code, count, message })),
    ...ofReport.map(({ code, count, message }) => ({ code, count, message })),
  ];
}
