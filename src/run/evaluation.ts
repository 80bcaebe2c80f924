import type { RankingsBlock, SetKey } from '../contracts/blocks.ts';
import { isAborted, type Progress } from '../contracts/calls.ts';
import type { BenchmarkRef, StoredBenchmark } from '../contracts/data.ts';
import type { EncodedSet } from '../contracts/encode.ts';
import { AppError, toErrorData } from '../domain/app-error.ts';
import { digestOfJson } from '../domain/digest.ts';
import type { Ranking } from '../domain/ranking.ts';
import { findModel } from '../models/index.ts';
import { choosePrompt } from '../models/model-definition.ts';
import { findProtocol } from '../protocols/index.ts';
import { printRecord, sealRecord, type ResultRecord } from '../share/record.ts';
import { recordContent } from './build-record.ts';
import { judgePairs } from './judge-phase.ts';
import { PartialMetrics } from './partial-metrics.ts';
import { PhaseTracker } from './phase-tracker.ts';
import {
  PHASES,
  type PhaseName,
  type RunRequest,
  type RunState,
  type RunStatus,
  type Warning,
} from './run-state.ts';
import type { OpenedEncoder, RunServices } from './services.ts';

/** Ranks whose verdicts the measures of ExecRetrieval need. */
const JUDGED_RANKS = 10;
const UNITS: Readonly<Record<PhaseName, string>> = {
  load: 'bytes',
  'encode documents': 'documents',
  'encode queries': 'queries',
  search: 'queries',
  judge: 'suites',
  score: 'queries',
};
/** How often an unfinished run's state is written down while nothing else asks for it. */
const SAVE_INTERVAL_MS = 2_000;

/** Identifies a run: the same request on the same source finds the same run again. */
export function runIdOf(request: RunRequest, ref: BenchmarkRef): Promise<string> {
  const source =
    ref.kind === 'files' ? { kind: ref.kind, name: ref.name, files: ref.files.map(({ path }) => path) } : ref;
  return digestOfJson({ request, source });
}

/**
 * One evaluation, from loading to the record. Every step finds what an earlier sitting left complete in the store, so a
 * pause, a closed tab and a crash are all resumed in the same way: by running the steps again.
 */
export class Evaluation {
  readonly #services: RunServices;
  readonly #ref: BenchmarkRef;
  readonly #listeners = new Set<(state: RunState) => void>();
  readonly #trackers: Readonly<Record<PhaseName, PhaseTracker>>;
  #state: RunState;
  #sitting: AbortController | undefined;
  #savedAt = 0;
  #record: ResultRecord | undefined;

  constructor(id: string, request: RunRequest, ref: BenchmarkRef, services: RunServices) {
    this.#services = services;
    this.#ref = ref;
    this.#state = {
      id,
      request,
      status: { kind: 'paused' },
      phases: [],
      warnings: [],
      partialMetrics: [],
      startedAt: new Date().toISOString(),
    };
    const trackers = PHASES.map(
      (name) => [name, new PhaseTracker(name, UNITS[name], () => this.#publishPhases())] as const,
    );
    this.#trackers = Object.fromEntries(trackers) as Record<PhaseName, PhaseTracker>;
    this.#publishPhases();
  }

  get state(): RunState {
    return this.#state;
  }

  /** The finished record; undefined before the run is complete. */
  get record(): ResultRecord | undefined {
    return this.#record;
  }

  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (state: RunState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs all steps; resolves when this sitting has ended, whatever its status. Does nothing while one goes on. */
  async resume(): Promise<void> {
    if (this.#sitting !== undefined || this.#state.status.kind === 'complete') return;
    const sitting = new AbortController();
    this.#sitting = sitting;
    this.#publish({ status: { kind: 'running' } });
    let hold: { release(): void } | undefined;
    try {
      hold = await this.#services.hold(this.#state.id);
      await this.#save();
      const record = await this.#runSteps(sitting.signal);
      this.#record = record;
      this.#publish({ status: { kind: 'complete', recordId: record.id } });
    } catch (thrown) {
      for (const tracker of Object.values(this.#trackers)) {
        if (tracker.phase.status !== 'running') continue;
        if (sitting.signal.aborted) tracker.pause();
        else tracker.fail();
      }
      this.#publish({ status: this.#statusAfter(thrown, sitting.signal) });
    } finally {
      this.#sitting = undefined;
      hold?.release();
    }
    await this.#save();
  }

  /** Ends the step at work after what it has in hand; nothing complete is lost. */
  pause(): void {
    this.#sitting?.abort(new RunEnded('paused'));
  }

  /** As a pause, but the run counts as given up until somebody starts it again. */
  cancel(): void {
    if (this.#sitting === undefined && this.#state.status.kind === 'paused') {
      this.#publish({ status: { kind: 'cancelled' } });
      void this.#save();
    }
    this.#sitting?.abort(new RunEnded('cancelled'));
  }

  #statusAfter(thrown: unknown, signal: AbortSignal): RunStatus {
    if (
      signal.aborted &&
      signal.reason instanceof RunEnded &&
      (isAborted(thrown) || thrown === signal.reason)
    ) {
      return { kind: signal.reason.status };
    }
    return { kind: 'failed', error: toErrorData(thrown) };
  }

  async #runSteps(signal: AbortSignal): Promise<ResultRecord> {
    const { request } = this.#state;
    const services = this.#services;
    const model = findModel(request.modelId);
    const protocol = findProtocol(request.protocolId);
    const { settings } = protocol;

    const benchmark = await this.#step('load', signal, (onProgress) =>
      services.data.loadBenchmark(this.#ref, { signal, onProgress }),
    );
    const { execution } = benchmark;
    if (execution === undefined) {
      throw new AppError(
        'benchmark',
        'not-executable',
        `${benchmark.name} holds no tests, so the protocol ${protocol.id} has nothing to execute.`,
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
    let encoder: OpenedEncoder | undefined;
    const encode = (
      phase: PhaseName,
      side: 'query' | 'document',
      textsSet: SetKey<'documents'> | SetKey<'queries'>,
      textsDigest: string,
    ) =>
      this.#step(phase, signal, async (onProgress): Promise<EncodedSet> => {
        encoder ??= await services.openEncoder(
          { model, dtype: request.dtype as never, device: request.device },
          { signal, onProgress },
        );
        const { report, choice } = encoder;
        this.#trackers[phase].note(
          `${choice.taken}, ${report.threads} ${report.threads === 1 ? 'thread' : 'threads'}: ${choice.reason}`,
        );
        return encoder.encodeSet(
          { ...common, side, prompt: prompts[side], textsSet, textsDigest },
          { signal, onProgress },
        );
      });
    const documents = await encode(
      'encode documents',
      'document',
      benchmark.documentsSet,
      benchmark.parts.documents,
    );
    const queries = await encode('encode queries', 'query', benchmark.queriesSet, benchmark.parts.queries);
    const opened = encoder as unknown as OpenedEncoder;

    const search = await this.#step('search', signal, async (onProgress) => {
      const stored = {
        documentsSet: benchmark.documentsSet,
        documentVectors: documents.vectorsSet,
        queriesSet: benchmark.queriesSet,
        queryVectors: queries.vectorsSet,
        similarity: settings.similarity === 'model' ? model.similarity : settings.similarity,
      };
      const depth = settings.depth === 'all' ? request.depth : Math.min(request.depth, settings.depth);
      const answer = await services.search({ ...stored, k: depth }, { signal, onProgress });
      const own = await services.data.ownDocuments(execution.tasksSet);
      const scores = await services.scoresOf(stored, own.documentIds, { signal });
      const rankingsSet = `rankings:${this.#state.id}` as const;
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
    const judged = await this.#step('judge', signal, async () => {
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
          onProgress: (done, total) => this.#trackers.judge.progress(done, total),
          onVerdict: (queryId, documentId, verdict) => {
            partial.add(queryId, documentId, verdict);
            this.#publish({ partialMetrics: partial.metrics() });
          },
        },
      );
    });
    const { timeFactor } = await services.judge.warmUp();

    return this.#step('score', signal, async (onProgress) => {
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
      const warnings = warningsOf(benchmark, documents, queries, opened, report.warnings);
      this.#publish({ warnings });
      const content = await recordContent({
        state: this.#state,
        benchmark,
        encoder: opened,
        prompts,
        protocol,
        documents,
        queries,
        vectorDigests: {
          documents: await this.#contentDigest(documents.vectorsSet),
          queries: await this.#contentDigest(queries.vectorsSet),
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
  async #contentDigest(key: SetKey): Promise<string> {
    const manifest = await this.#services.data.manifest(key);
    return digestOfJson(manifest?.blocks.map(({ digest }) => digest) ?? []);
  }

  async #step<T>(
    name: PhaseName,
    signal: AbortSignal,
    work: (onProgress: (progress: Progress) => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const tracker = this.#trackers[name];
    tracker.start();
    await this.#save();
    const result = await work(({ done, total, unit, step }) => {
      tracker.progress(done, total, unit);
      if (unit === 'bytes') tracker.note(step);
    });
    tracker.finish();
    return result;
  }

  #publishPhases(): void {
    this.#publish({
      phases: PHASES.map((name) => this.#trackers[name]?.phase).filter((phase) => phase !== undefined),
    });
  }

  #publish(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
    if (this.#state.status.kind === 'running' && Date.now() - this.#savedAt > SAVE_INTERVAL_MS)
      void this.#save();
  }

  /** Writes the state down, so that a page that opens later finds the run. A full disk must not end a run over this. */
  async #save(): Promise<void> {
    this.#savedAt = Date.now();
    await this.#services.data
      .putEntry('run-states', this.#state.id, { state: this.#state, ref: plainRef(this.#ref) })
      .catch(() => undefined);
  }
}

/** The reason with which a sitting is ended on purpose. */
class RunEnded extends Error {
  readonly status: 'paused' | 'cancelled';

  constructor(status: 'paused' | 'cancelled') {
    super(status);
    this.name = 'AbortError';
    this.status = status;
  }
}

/** File objects cannot be kept: a run on dropped files is resumed from what was already stored. */
function plainRef(ref: BenchmarkRef): BenchmarkRef {
  return ref.kind === 'files' ? { ...ref, files: [] } : ref;
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

function flatten(
  own: { readonly queryIds: readonly string[]; readonly documentIds: readonly (readonly string[])[] },
  scores: readonly Float64Array[],
) {
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
