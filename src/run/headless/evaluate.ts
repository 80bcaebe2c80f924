import type { BenchmarkRef } from '../../contracts/data.ts';
import { AppError, fromErrorData, toErrorData } from '../../domain/app-error.ts';
import { metricsJson, perQueryJsonl } from '../../share/exports.ts';
import { printLink } from '../../share/link.ts';
import { receiptOf } from '../../share/receipt.ts';
import { GRADED_RECORD_SCHEMA, printGradedRecord } from '../../share/graded-record.ts';
import { gradedMetricsJson, gradedPerQueryJsonl } from '../../share/graded-exports.ts';
import { printRecord } from '../../share/record.ts';
import { Evaluation, runIdOf } from '../evaluation.ts';
import type { RunState } from '../run-state.ts';
import type { RunServices } from '../services.ts';
import type { RunRecord } from '../steps.ts';
import type { Bridge } from './bridge.ts';
import type { EvaluateRequest } from './requests.ts';

/** What the command gets back: the record and, of an executed benchmark, its link. */
export interface EvaluateAnswer {
  readonly record: RunRecord;
  readonly link?: string;
  /** `run.trec`; `run.json` where ids hold blanks, which a TREC run cannot show. */
  readonly runFile: 'run.trec' | 'run.json';
}

type EvaluateServices = RunServices & {
  rankingsAsTrec(runId: string, tag: string): Promise<Blob>;
  rankingsAsJson(runId: string): Promise<Blob>;
  configureHub(hubUrl: string): Promise<void>;
};

/** Runs the evaluation as the page would and writes the result's files into the command's folder. */
export async function evaluate(
  request: EvaluateRequest,
  bridge: Bridge,
  services: EvaluateServices,
): Promise<EvaluateAnswer> {
  if (request.hubUrl !== undefined) await services.configureHub(request.hubUrl);
  const ref = benchmarkRef(request, bridge);
  const id = await runIdOf(request.run, ref);
  const evaluation = new Evaluation(id, request.run, ref, services);
  const relay = new ProgressRelay(bridge);
  evaluation.subscribe((state) => relay.send(state));
  await evaluation.resume();
  await relay.finish(evaluation.state);
  const { status } = evaluation.state;
  if (status.kind === 'failed') throw fromErrorData(status.error);
  const { record } = evaluation;
  if (record === undefined)
    throw new AppError('internal', 'run-not-complete', `The run ended as ${status.kind}, without a record.`);
  const runFile = await writeRun(bridge, services, id, `assay-${record.model.id}`);
  if (record.schema === GRADED_RECORD_SCHEMA) {
    await bridge.output('record.json', printGradedRecord(record));
    await bridge.output('metrics.json', gradedMetricsJson(record));
    await bridge.output('per-query.jsonl', gradedPerQueryJsonl(record));
    return { record, runFile };
  }
  const link = await printLink(await receiptOf(record), request.site);
  await bridge.output('record.json', printRecord(record));
  await bridge.output('metrics.json', metricsJson(record));
  await bridge.output('per-query.jsonl', perQueryJsonl(record));
  await bridge.output('link.txt', `${link}\n`);
  return { record, link, runFile };
}

async function writeRun(
  bridge: Bridge,
  services: EvaluateServices,
  runId: string,
  tag: string,
): Promise<EvaluateAnswer['runFile']> {
  try {
    await bridge.output('run.trec', await services.rankingsAsTrec(runId, tag));
    return 'run.trec';
  } catch (thrown) {
    if (toErrorData(thrown).code !== 'run-id-blank') throw thrown;
    await bridge.output('run.json', await services.rankingsAsJson(runId));
    return 'run.json';
  }
}

function benchmarkRef({ run, benchmarkFolder }: EvaluateRequest, bridge: Bridge): BenchmarkRef {
  const cut = run.queries === undefined ? {} : { queries: run.queries };
  if (benchmarkFolder === undefined) return { kind: 'declared', id: run.benchmarkId, ...cut };
  const files = benchmarkFolder.files.map((path) => ({ path, body: { url: bridge.fileUrl(path) } }));
  return { kind: 'files', name: benchmarkFolder.name, files, ...cut };
}

/** Sends the newest state, one message at a time: a slow terminal never makes a queue. */
class ProgressRelay {
  readonly #bridge: Bridge;
  #newest: RunState | undefined;
  #sending: Promise<void> | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  send(state: RunState): void {
    this.#newest = state;
    this.#sending ??= this.#drain();
  }

  /** Sends the last state and waits until it has arrived. */
  async finish(state: RunState): Promise<void> {
    this.send(state);
    await this.#sending;
  }

  async #drain(): Promise<void> {
    while (this.#newest !== undefined) {
      const state = this.#newest;
      this.#newest = undefined;
      await this.#bridge.progress(state);
    }
    this.#sending = undefined;
  }
}
