/* eslint-disable svelte/prefer-svelte-reactivity -- the map of opened results is a cache, and the set lives for one call */
import { toErrorData, type AppErrorData } from '../domain/app-error.ts';
import { PAYLOAD_PARAMETER } from '../share/link.ts';
import type { Parameter } from '../share/address.ts';
import type { OpenedResult } from './opened-result.ts';
import type { PageServices, ResultPlace } from './page-services.ts';
import { refusals, sharedMetrics, sidesOf, type ComparedSide } from './compared-results.ts';
import { router } from './router.svelte.ts';

/** A source named by the address that could not be opened. */
export interface FailedSource {
  readonly text: string;
  readonly error: AppErrorData;
}

const SOURCES: readonly string[] = ['id', PAYLOAD_PARAMETER];

/** What is compared, as the address says: `id=` names a stored result, `r=` carries a receipt, as often as wanted. */
export class CompareState {
  readonly #services: PageServices;
  /** Results by the text of their parameter: a source is opened once, however the rest of the address changes. */
  readonly #opened = new Map<string, Promise<OpenedResult>>();
  #generation = 0;
  results = $state.raw<readonly OpenedResult[]>([]);
  failed = $state.raw<readonly FailedSource[]>([]);
  opening = $state(false);

  constructor(services: PageServices) {
    this.#services = services;
  }

  /** The sources in the address, in its order. */
  readonly sources: readonly Parameter[] = $derived.by(() =>
    router.address.parameters.filter(([name, value]) => SOURCES.includes(name) && value !== ''),
  );

  readonly sides: readonly ComparedSide[] = $derived.by(() => sidesOf(this.results));
  readonly refusals: readonly string[] = $derived.by(() => refusals(this.sides));
  readonly metrics: readonly string[] = $derived.by(() => sharedMetrics(this.sides));
  readonly metric: string | undefined = $derived.by(
    () => this.metrics.find((name) => name === router.get('metric')) ?? this.metrics[0],
  );

  /** Opens what the address names. Call whenever {@link sources} changes. */
  async open(): Promise<void> {
    const sources = this.sources;
    const generation = ++this.#generation;
    this.opening = true;
    const settled = await Promise.allSettled(sources.map((source) => this.#result(source)));
    // A newer address has been opened in the meantime.
    if (generation !== this.#generation) return;
    this.results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    this.failed = settled.flatMap((one, i) =>
      one.status === 'rejected' ? [{ text: sources[i]?.[1] ?? '', error: toErrorData(one.reason) }] : [],
    );
    this.opening = false;
  }

  /** Adds sources at the end of the address; those already there stay once. */
  add(sources: readonly Parameter[]): void {
    const known = new Set(this.sources.map(([name, value]) => `${name} ${value}`));
    const fresh = sources.filter(([name, value]) => !known.has(`${name} ${value}`));
    if (fresh.length > 0) router.setParameters([...router.address.parameters, ...fresh], 'push');
  }

  remove(source: Parameter): void {
    router.setParameters(
      router.address.parameters.filter(([name, value]) => name !== source[0] || value !== source[1]),
      'push',
    );
  }

  #result([name, value]: Parameter): Promise<OpenedResult> {
    const key = `${name} ${value}`;
    const place: ResultPlace = name === 'id' ? { id: value } : { payload: value };
    const opening = this.#opened.get(key) ?? this.#services.openResult(place);
    this.#opened.set(key, opening);
    // What failed is tried again the next time.
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }
}
