import type { RankingsBlock, SetKey } from '../contracts/blocks.ts';
import type { Progress } from '../contracts/calls.ts';
import type { BenchmarkRef, StoredBenchmark } from '../contracts/data.ts';
import type { EncodedSet } from '../contracts/encode.ts';
import type { SearchCounts, StoredSearch } from '../contracts/search.ts';
import { findBenchmark } from '../benchmarks/list.ts';
import { digestOfJson, type Digest } from '../domain/digest.ts';
import type { Ranking } from '../domain/ranking.ts';
import { findModel } from '../models/index.ts';
import {
  choosePrompt,
  type ChosenPrompt,
  type ModelDefinition,
  type RetrievalTask,
} from '../models/model-definition.ts';
import { findProtocol, type Protocol } from '../protocols/index.ts';
import { OWN_PROTOCOL, type PhaseName, type RunRequest, type RunState, type Warning } from './run-state.ts';
import type { OpenedEncoder, RunServices } from './services.ts';

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
  /** Marks a step that this benchmark does not have. */
  skip(name: PhaseName, note: string): void;
  note(name: PhaseName, note: string): void;
  publish(change: Pick<Partial<RunState>, 'partialMetrics' | 'warnings'>): void;
  timings(): readonly { readonly phase: PhaseName; readonly ms: number }[];
}

/** What loading, encoding and searching leave for scoring. */
export interface Searched {
  readonly benchmark: StoredBenchmark;
  readonly model: ModelDefinition;
  readonly protocol: Protocol;
  readonly prompts: { readonly query: ChosenPrompt; readonly document: ChosenPrompt };
  readonly encoder: OpenedEncoder;
  readonly documents: EncodedSet;
  readonly queries: EncodedSet;
  /** Digests of the vectors themselves, not of what they were made from. */
  readonly vectorDigests: { readonly documents: Digest; readonly queries: Digest };
  readonly stored: StoredSearch;
  readonly rankings: readonly Ranking[];
  readonly rankingsSet: SetKey<'rankings'>;
  readonly rankingsDigest: Digest;
  readonly searchCounts: SearchCounts;
}

/**
 * The part of the way that every evaluation takes: load, encode documents and queries, search. Each step first looks for
 * what an earlier sitting left complete, so running all of them again is how a run is resumed.
 */
export async function searchSteps({
  id,
  request,
  ref,
  services,
  signal,
  step,
  note,
}: StepContext): Promise<Searched> {
  const model = findModel(request.modelId);
  const benchmark = await step('load', (onProgress) =>
    services.data.loadBenchmark(ref, { signal, onProgress }),
  );
  const protocol = findProtocol(
    request.protocolId === OWN_PROTOCOL ? benchmark.protocolId : request.protocolId,
  );
  const { settings } = protocol;
  // The interpreter boots while the model encodes. A failure shows when the first suite is judged.
  if (benchmark.execution !== undefined) services.judge.warmUp().catch(() => undefined);

  const place = { side: 'document' as const, ...promptPlace(request.benchmarkId) };
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
    const stored: StoredSearch = {
      documentsSet: benchmark.documentsSet,
      documentVectors: documents.vectorsSet,
      queriesSet: benchmark.queriesSet,
      queryVectors: queries.vectorsSet,
      similarity: settings.similarity === 'model' ? model.similarity : settings.similarity,
      withoutAnchors: settings.exclusions === 'listed',
      ...(benchmark.visibilitySet !== undefined && settings.visibility === 'listed'
        ? { visibilitySet: benchmark.visibilitySet }
        : {}),
    };
    const depth = settings.depth === 'all' ? request.depth : Math.min(request.depth, settings.depth);
    const answer = await services.search(stored, { k: depth }, benchmark.counts, { signal, onProgress });
    const rankingsSet = `rankings:${id}` as const;
    const digest = await services.data.putRankings(
      rankingsSet,
      {
        benchmarkDigest: benchmark.digest,
        description: { model: model.id, dtype: request.dtype, protocol: protocol.id, depth },
      },
      toBlock(answer.rankings),
    );
    return { answer, stored, rankingsSet, digest };
  });
  return {
    benchmark,
    model,
    protocol,
    prompts,
    encoder,
    documents,
    queries,
    vectorDigests: {
      documents: await contentDigest(services, documents.vectorsSet),
      queries: await contentDigest(services, queries.vectorsSet),
    },
    stored: search.stored,
    rankings: search.answer.rankings,
    rankingsSet: search.rankingsSet,
    rankingsDigest: search.digest,
    searchCounts: search.answer.counts,
  };
}

/** Which way a benchmark retrieves, for the models whose prompts depend on it. */
function promptPlace(benchmarkId: string): {
  task?: RetrievalTask;
  benchmark?: { id: string; task: string };
} {
  const [id = ''] = benchmarkId.split('/');
  const tasks: Readonly<Record<string, RetrievalTask>> = {
    'text-to-code': 'nl2code',
    'code-to-code': 'code2code',
    'code-to-text': 'code2nl',
  };
  const task = tasks[findBenchmark(id)?.tasks[0] ?? ''] ?? 'nl2code';
  const coreb = /^coreb-(t2c|c2c|c2t)/.exec(id)?.[1];
  return { task, ...(coreb === undefined ? {} : { benchmark: { id: 'coreb', task: coreb } }) };
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

/** Everything odd about the data and the encoding, and what scoring adds to it. */
export function warningsOf(
  { benchmark, documents, queries, encoder }: Searched,
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
