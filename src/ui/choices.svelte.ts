import type { StoredBenchmark, StoredItem } from '../contracts/data.ts';
import type { Dtype, ModelDefinition } from '../models/model-definition.ts';
import type { Protocol } from '../protocols/index.ts';
import type { RunRequest } from '../run/run-state.ts';
import { choiceOfDefinition, ownChoices, type BenchmarkChoice } from './benchmark-choice.ts';
import { deviceText, type DeviceFacts } from './device.svelte.ts';
import { bytesText, countOf, countText } from './format.ts';
import { isBenchmarkStored, isModelStored, measuredRates, runCost, type RunCost } from './run-cost.ts';
import type { PageServices } from './page-services.ts';
import type { router as pageRouter } from './router.svelte.ts';
import type { ChoiceItem } from './widgets/ChoiceList.svelte';

export const DEVICES = ['auto', 'webgpu', 'wasm'] as const;
const DEFAULT_DEPTH = 1_000;
/** The seed of the paper's own bootstrap. */
const DEFAULT_SEED = 20_260_510;

/**
 * What to run, read from the address: a name that is absent means the default, so the bare address of the first screen
 * is filled in. Nothing is kept beside the address.
 */
export class Choices {
  readonly #services: PageServices;
  readonly #router: typeof pageRouter;
  /** What lies in the store. */
  stored = $state.raw<readonly StoredItem[]>([]);
  /** Benchmarks in the store; undefined until the store has answered. */
  ownBenchmarks = $state.raw<readonly StoredBenchmark[] | undefined>(undefined);

  constructor(services: PageServices, router: typeof pageRouter) {
    this.#services = services;
    this.#router = router;
  }

  /** Declared benchmarks, then the user's own. */
  readonly benchmarks: readonly BenchmarkChoice[] = $derived.by(() => [
    ...this.#services.benchmarks.map(choiceOfDefinition),
    ...ownChoices(this.ownBenchmarks ?? [], this.#services.benchmarks),
  ]);

  readonly benchmark: BenchmarkChoice = $derived.by(() =>
    pick(
      this.benchmarks.filter(({ refused }) => refused === undefined),
      this.#router.get('benchmark'),
    ),
  );

  readonly model: ModelDefinition = $derived.by(() => pick(this.#services.models, this.#router.get('model')));

  readonly dtype: Dtype = $derived.by(() => {
    const asked = this.#router.get('dtype');
    return (
      Object.keys(this.model.dtypes).find((known): known is Dtype => known === asked) ??
      this.model.defaultDtype
    );
  });

  readonly protocols: readonly Protocol[] = $derived.by(() =>
    this.#services.protocols.filter(({ id }) => familyOf(id) === familyOf(this.benchmark.protocolId)),
  );

  readonly protocol: Protocol | undefined = $derived.by(() => {
    const asked = this.#router.get('protocol');
    return (
      this.protocols.find(({ id }) => id === asked) ??
      this.protocols.find(({ id }) => id === this.benchmark.protocolId) ??
      this.protocols[0]
    );
  });

  readonly device: RunRequest['device'] = $derived.by(
    () => DEVICES.find((known) => known === this.#router.get('device')) ?? 'auto',
  );

  /** The first N queries; undefined = all. */
  readonly queries: number | undefined = $derived.by(() => positive(this.#router.get('queries')));

  readonly request: RunRequest = $derived.by(() => ({
    benchmarkId: this.benchmark.id,
    modelId: this.model.id,
    dtype: this.dtype,
    protocolId: this.protocol?.id ?? this.benchmark.protocolId,
    device: this.device,
    ...(this.queries === undefined ? {} : { queries: this.queries }),
    depth: positive(this.#router.get('depth')) ?? DEFAULT_DEPTH,
    seed: positive(this.#router.get('seed')) ?? DEFAULT_SEED,
  }));

  /** Names in the address that nothing here is called by: said, never silently replaced. */
  readonly unknown: readonly string[] = $derived.by(() => {
    const known: readonly (readonly [name: string, ids: readonly string[]])[] = [
      ['benchmark', this.benchmarks.filter(({ refused }) => refused === undefined).map(({ id }) => id)],
      ['model', this.#services.models.map(({ id }) => id)],
      ['protocol', this.protocols.map(({ id }) => id)],
      ['device', DEVICES],
      ['dtype', Object.keys(this.model.dtypes)],
    ];
    return known.flatMap(([name, ids]) => {
      const asked = this.#router.get(name);
      if (asked === undefined || ids.includes(asked) || (name === 'benchmark' && this.isWaiting)) return [];
      return [`This app knows no ${name} called “${asked}”; the default is used. Known: ${ids.join(', ')}.`];
    });
  });

  /** The address names a benchmark that only the store may know, and the store has not answered yet. */
  readonly isWaiting: boolean = $derived.by(() => {
    const asked = this.#router.get('benchmark');
    return (
      this.ownBenchmarks === undefined &&
      asked !== undefined &&
      !this.benchmarks.some(({ id }) => id === asked)
    );
  });

  /** What the run will cost on this device, with what is known now. */
  cost(facts: DeviceFacts | undefined): RunCost {
    return runCost(this.request, this.benchmark, this.model, this.stored, facts, measuredRates());
  }

  readonly benchmarkItems: readonly ChoiceItem[] = $derived.by(() =>
    this.benchmarks.map((benchmark) => ({
      id: benchmark.id,
      name: benchmark.name,
      facts: [
        ...(benchmark.tasks.length === 0 ? [] : [benchmark.tasks.join(', ')]),
        ...(benchmark.languages.length === 0 ? [] : [benchmark.languages.join(', ')]),
        ...(benchmark.documents === undefined ? [] : [countOf(benchmark.documents, 'document')]),
        ...(benchmark.queries === undefined ? [] : [countOf(benchmark.queries, 'query', 'queries')]),
        benchmark.downloadBytes === undefined ? 'size unknown' : bytesText(benchmark.downloadBytes),
        benchmark.licence,
        placeText(
          benchmark.place === 'bundled',
          benchmark.place === 'own' || isBenchmarkStored(benchmark, this.stored),
        ),
      ],
      ...(benchmark.refused === undefined ? {} : { refused: benchmark.refused }),
    })),
  );

  readonly modelItems: readonly ChoiceItem[] = $derived.by(() =>
    this.#services.models.map((model) => {
      const dtype = model.id === this.model.id ? this.dtype : model.defaultDtype;
      const megabytes = model.dtypes[dtype]?.megabytes;
      return {
        id: model.id,
        name: model.id,
        facts: [
          `${parametersText(model.parameters)} parameters`,
          `${countText(model.dimensions)} dimensions`,
          `${countText(model.maxTokens)} tokens`,
          `${dtype}${megabytes === undefined ? '' : `, ${bytesText(megabytes * 1e6)}`}`,
          `about ${bytesText(model.memoryMegabytes * 1e6)} of memory`,
          model.licence,
          placeText(model.source.kind === 'bundled', isModelStored(model, dtype, this.stored)),
        ],
        ...(model.note === undefined ? {} : { remarks: [model.note] }),
      };
    }),
  );

  readonly protocolItems: readonly ChoiceItem[] = $derived.by(() =>
    this.protocols.map((protocol) => ({
      id: protocol.id,
      name: protocol.title,
      facts: [],
      remarks: [
        protocol.about,
        ...(protocol.changed.length === 0 ? [] : [`Changed here: ${protocol.changed.join(', ')}.`]),
        ...protocol.deviations,
      ],
    })),
  );

  deviceItems(facts: DeviceFacts | undefined): readonly ChoiceItem[] {
    const threads = facts?.threads ?? 1;
    return [
      { id: 'auto', name: 'Automatic', facts: ['times both on a few texts and takes the faster one'] },
      {
        id: 'webgpu',
        name: 'WebGPU',
        facts: facts?.webgpu.available ? [deviceText(facts).replace('WebGPU · ', '')] : [],
        ...(facts !== undefined && !facts.webgpu.available ? { refused: 'not in this browser' } : {}),
      },
      { id: 'wasm', name: 'WASM', facts: [threads === 1 ? '1 thread' : `${threads} threads`] },
    ];
  }

  /** Writes a choice into the address. */
  choose(
    name: 'benchmark' | 'model' | 'dtype' | 'protocol' | 'device' | 'queries',
    value: string | undefined,
  ): void {
    const changes: Record<string, string | undefined> = { [name]: value === '' ? undefined : value };
    // A dtype belongs to its model, a protocol to its benchmark.
    if (name === 'model') changes['dtype'] = undefined;
    if (name === 'benchmark') changes['protocol'] = undefined;
    this.#router.set(changes, 'replace');
  }

  /** Sets every choice to those of an earlier run. */
  chooseAll(request: RunRequest): void {
    this.#router.go('evaluate', {
      benchmark: request.benchmarkId,
      model: request.modelId,
      dtype: request.dtype,
      protocol: request.protocolId,
      device: request.device,
      ...(request.queries === undefined ? {} : { queries: String(request.queries) }),
      ...(request.depth === DEFAULT_DEPTH ? {} : { depth: String(request.depth) }),
      ...(request.seed === DEFAULT_SEED ? {} : { seed: String(request.seed) }),
    });
  }
}

function pick<T extends { readonly id: string }>(list: readonly T[], id: string | undefined): T {
  const found = list.find((item) => item.id === id) ?? list[0];
  if (found === undefined) throw new Error('a list of choices is empty');
  return found;
}

/** Variants of one benchmark's protocol share the part of their id before the last dash: `coreb-paper`, `coreb-mteb`. */
function familyOf(protocolId: string): string {
  return protocolId.replace(/-[^-]+$/u, '');
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}

function placeText(bundled: boolean, kept: boolean): string {
  if (kept) return 'stored';
  return bundled ? 'comes with the app' : 'to download';
}

/** `22.7 M`, `1.5 B`. */
function parametersText(parameters: number): string {
  return parameters >= 999.5e6 ? `${(parameters / 1e9).toFixed(1)} B` : `${(parameters / 1e6).toFixed(1)} M`;
}
