import { messageOf } from '../domain/app-error.ts';
import type { BenchmarkDefinition } from '../benchmarks/definition.ts';
import { originOfReceipt, originOfRecord } from '../share/comparability.ts';
import type { ComparedResult } from '../share/compared-result.ts';
import { boardOf, type Board, type BoardInput, type UnfinishedEntry } from '../share/leaderboard.ts';
import { factsOf, type OpenedResult } from './opened-result.ts';
import type { PageServices, RunSummary } from './page-services.ts';
import { router } from './router.svelte.ts';

type Measured = BoardInput['measured'][number];

/** The board that the address names: `benchmark=`, `metric=`, and `show=published` or `show=measured` to leave out the others. */
export class BoardState {
  readonly #services: PageServices;
  #generation = 0;
  #measured = $state.raw<readonly Measured[]>([]);
  #unfinished = $state.raw<readonly UnfinishedEntry[]>([]);
  problems = $state.raw<readonly string[]>([]);
  opening = $state(false);

  constructor(services: PageServices) {
    this.#services = services;
  }

  readonly benchmark: BenchmarkDefinition | undefined = $derived.by(
    () =>
      this.#services.benchmarks.find(({ id }) => id === router.get('benchmark')) ??
      this.#services.benchmarks.find(({ published }) => published.length > 0),
  );

  readonly board: Board | undefined = $derived.by(() =>
    this.benchmark === undefined
      ? undefined
      : boardOf({
          benchmark: this.benchmark,
          measured: this.#measured,
          unfinished: this.#unfinished,
          models: this.#services.models,
          metric: router.get('metric'),
        }),
  );

  /** Opens this browser's own results on the benchmark. Call whenever {@link benchmark} changes. */
  async open(): Promise<void> {
    const id = this.benchmark?.id;
    const generation = ++this.#generation;
    this.opening = true;
    try {
      const runs = (await this.#services.listRuns()).filter(({ benchmark }) => benchmark === id);
      const settled = await Promise.allSettled(
        runs.flatMap(({ recordId }) => (recordId === undefined ? [] : [this.#opened(recordId)])),
      );
      // Another benchmark was chosen in the meantime.
      if (generation !== this.#generation) return;
      this.#measured = distinct(
        settled.flatMap((one) => (one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [])),
      );
      this.problems = settled.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []));
      this.#unfinished = runs.flatMap((run) => unfinishedEntry(run));
    } catch (thrown) {
      this.problems = [messageOf(thrown)];
    } finally {
      if (generation === this.#generation) this.opening = false;
    }
  }

  async #opened(recordId: string): Promise<Measured | undefined> {
    return measuredOf(await this.#services.openResult({ id: recordId }), recordId);
  }
}

function measuredOf(result: OpenedResult, key: string): Measured | undefined {
  if (result.report.kind !== 'exec-report') return undefined;
  const { model, dtype, device, createdAt } = factsOf(result);
  return {
    name: `${model} ${dtype}`,
    report: result.report,
    origin: result.origin === 'own' ? originOfRecord(result.record) : originOfReceipt(result.receipt),
    namesQueries: result.origin === 'own',
    key,
    source: `measured here, ${device}, ${createdAt.slice(0, 10)}`,
  };
}

/** Gives results of one name a number. */
function distinct<T extends ComparedResult>(results: readonly T[]): T[] {
  const seen: Record<string, number> = {};
  return results.map((result) => {
    const count = (seen[result.name] ?? 0) + 1;
    seen[result.name] = count;
    return count === 1 ? result : { ...result, name: `${result.name} (${count})` };
  });
}

function unfinishedEntry({ id, status, model, dtype, progress }: RunSummary): UnfinishedEntry[] {
  if (status === 'complete') return [];
  const state = status === 'failed' ? 'failed' : 'partial';
  return [
    {
      key: id,
      model,
      state,
      source: `${dtype}, ${progress ?? (state === 'failed' ? 'failed' : 'not finished')}`,
    },
  ];
}
