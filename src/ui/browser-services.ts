import { BENCHMARKS } from '../benchmarks/list.ts';
import type { SetKey } from '../contracts/blocks.ts';
import type { BenchmarkRef, StoredBenchmark } from '../contracts/data.ts';
import { AppError } from '../domain/app-error.ts';
import { MODELS } from '../models/index.ts';
import { PROTOCOLS } from '../protocols/list.ts';
import type { RunRequest } from '../run/run-state.ts';
import type { PageWorkers } from '../run/open-services.ts';
import { isRunnable } from '../run/runnable.ts';
import type { OpenedResult, ResultTexts } from './opened-result.ts';
import type { PageServices, RunAgain } from './page-services.ts';
import { runOfRecord, summaryOfRecord, summaryOfState } from './run-summaries.ts';

/** Rows of query texts asked for at a time. */
const PAGE_OF_TEXTS = 1_000;

/** The page's own address with a slash at its end, without the fragment. */
const appUrl = new URL('./', document.baseURI).href;

let opening: Promise<PageWorkers> | undefined;

/** The one set of workers of this page; nothing is loaded before the first call. */
export function pageWorkers(): Promise<PageWorkers> {
  opening ??= import('../run/open-services.ts').then(({ openRunServices }) => openRunServices(appUrl));
  return opening;
}

/** What the page works with in a browser. Everything heavy is loaded by the call that needs it. */
export const browserServices: PageServices = {
  // Only what can be evaluated to the end is offered.
  benchmarks: BENCHMARKS.filter(isRunnable),
  models: MODELS,
  protocols: PROTOCOLS,

  async listBenchmarks() {
    const { client } = await pageWorkers();
    return client.call(undefined, (api) => api.listBenchmarks());
  },

  async loadBenchmark(ref, options) {
    return (await pageWorkers()).client.loadBenchmark(ref, options);
  },

  async inspectFiles(files) {
    const { client } = await pageWorkers();
    return client.call(undefined, (api) => api.inspectFiles(files));
  },

  async startRun(request) {
    const [workers, { Evaluation, runIdOf }] = await Promise.all([
      pageWorkers(),
      import('../run/evaluation.ts'),
    ]);
    const ref = await refOf(request);
    const evaluation = new Evaluation(await runIdOf(request, ref), request, ref, workers);
    // It reports its end, and every failure, through its state.
    void evaluation.resume();
    return evaluation;
  },

  prefetchRun() {
    void pageWorkers();
    void import('../run/evaluation.ts');
  },

  async listRuns() {
    const { data } = await pageWorkers();
    const [records, states] = await Promise.all([
      data.listEntries('records'),
      data.listEntries('run-states'),
    ]);
    return [...records.map(summaryOfRecord), ...states.map(summaryOfState)]
      .filter((summary) => summary !== undefined)
      .sort((a, b) => b.at.localeCompare(a.at));
  },

  async openResult(place) {
    return 'id' in place ? openStored(place.id) : openLink(place.payload);
  },

  async checkResult(result) {
    if (result.origin === 'own')
      return (await import('../share/verify-record.ts')).verifyRecord(result.record);
    return (await import('../share/verify-receipt.ts')).verifyReceipt(result.receipt);
  },

  async payloadOfRecord(text) {
    const [{ readRecord }, { receiptOf }, { printLink, PAYLOAD_PARAMETER }, { parameter, parseAddress }] =
      await Promise.all([
        import('../share/record.ts'),
        import('../share/receipt.ts'),
        import('../share/link.ts'),
        import('../share/address.ts'),
      ]);
    const link = await printLink(await receiptOf(await readRecord(text)), appUrl);
    return parameter(parseAddress(link.slice(link.indexOf('#'))), PAYLOAD_PARAMETER) ?? '';
  },

  resultTexts,

  async runAgain(code, tests): Promise<RunAgain> {
    const { judge } = await pageWorkers();
    const suite = { id: 'again', form: 'asserts' as const, code, tests };
    const [result] = await judge.judge([suite]);
    if (result === undefined)
      throw new AppError('judge', 'no-result', 'The sandbox gave no result. Try again.');
    return result.verdict === 'pass' ? { result } : { result, inspected: await judge.inspect(suite) };
  },

  async listStored() {
    const { client } = await pageWorkers();
    return client.call(undefined, (api) => api.listStored());
  },

  async removeStored(item) {
    const { client } = await pageWorkers();
    await client.call(undefined, (api) => api.removeStored(item));
  },

  async removeAll() {
    const { client } = await pageWorkers();
    await client.call(undefined, (api) => api.removeAll());
  },

  async storageEstimate() {
    const { client } = await pageWorkers();
    return client.call(undefined, (api) => api.estimate());
  },

  async persistStorage() {
    const { client } = await pageWorkers();
    return client.persist();
  },

  async storeNotice() {
    const { client } = await pageWorkers();
    return (await client.opened()).notice;
  },

  async trecRun(recordId) {
    const workers = await pageWorkers();
    const runId = runOfRecord(await workers.data.listEntries('run-states'), recordId);
    return runId === undefined ? undefined : workers.rankingsAsTrec(runId, `assay-${recordId.slice(0, 12)}`);
  },
};

/** What a request's benchmark is: a declared one, or the stored one of that name that was used last. */
async function refOf({ benchmarkId, queries }: RunRequest): Promise<BenchmarkRef> {
  const cut = queries === undefined ? {} : { queries };
  if (BENCHMARKS.some(({ id }) => id === benchmarkId)) return { kind: 'declared', id: benchmarkId, ...cut };
  const own = (await browserServices.listBenchmarks()).find(({ id }) => id === benchmarkId);
  if (own === undefined) {
    throw new AppError(
      'input',
      'unknown-benchmark',
      `This browser keeps no benchmark called “${benchmarkId}”. Load it again, or choose another one.`,
    );
  }
  return { kind: 'stored', id: own.id, digest: own.digest, ...cut };
}

async function openStored(id: string): Promise<OpenedResult> {
  const [{ data }, { readRecord }, { receiptOf }, { printLink }] = await Promise.all([
    pageWorkers(),
    import('../share/record.ts'),
    import('../share/receipt.ts'),
    import('../share/link.ts'),
  ]);
  const stored = await data.getEntry('records', id);
  if (typeof stored !== 'string') {
    throw new AppError(
      'record',
      'record-unknown',
      `This browser keeps no result ${id}. It may have been deleted, or made in another browser: ask for its link.`,
    );
  }
  const record = await readRecord(stored);
  return {
    origin: 'own',
    record,
    report: record.report,
    link: await printLink(await receiptOf(record), appUrl),
  };
}

async function openLink(payload: string): Promise<OpenedResult> {
  const [{ readLink, printLink }, { checkClaims, reportOfReceipt }] = await Promise.all([
    import('../share/link.ts'),
    import('../share/recompute.ts'),
  ]);
  const receipt = await readLink(payload);
  const report = reportOfReceipt(receipt);
  return {
    origin: 'link',
    receipt,
    // The outcomes say what passes, not how the rest failed: a stand-in verdict must not be shown as one.
    report: {
      ...report,
      perQuery: report.perQuery.map((row) => ({
        ...row,
        strip: row.strip.map((cell) => (cell.verdict === 'pass' ? cell : { ...cell, verdict: null })),
      })),
    },
    checks: checkClaims(receipt, report),
    link: await printLink(receipt, appUrl),
  };
}

async function resultTexts(benchmarkDigest: string): Promise<ResultTexts | undefined> {
  const { client } = await pageWorkers();
  const benchmarks = await client.call(undefined, (api) => api.listBenchmarks());
  const benchmark = benchmarks.find(({ digest }) => digest === benchmarkDigest);
  if (benchmark === undefined) return undefined;
  const tasksSet = tasksOf(benchmark);
  const queries = new Map<string, string>();
  for (let from = 0; from < benchmark.counts.queries; from += PAGE_OF_TEXTS) {
    for (const { id, text } of await client.rows(benchmark.queriesSet, from, PAGE_OF_TEXTS))
      queries.set(id, text);
  }
  const task = (queryId: string) => client.call(undefined, (api) => api.taskOf(tasksSet, queryId));
  return {
    queries,
    codeOf: async (ids) =>
      new Map((await client.textsOf(benchmark.documentsSet, ids)).map(({ id, text }) => [id, text])),
    canonicalsOf: async (queryId) => (await task(queryId)).canonicalIds,
    testsOf: async (queryId) => (await task(queryId)).tests,
  };
}

function tasksOf(benchmark: StoredBenchmark): SetKey<'execution'> {
  if (benchmark.execution !== undefined) return benchmark.execution.tasksSet;
  throw new AppError('benchmark', 'not-executable', `${benchmark.name} holds no tests.`);
}
