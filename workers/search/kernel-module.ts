import type { KernelKind, KernelSources } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { trustedKinds } from './kernel-trial.ts';

/** One tile function of the fast pass; see kernel/tiles.mjs. */
export type Tile = (
  docs: number,
  panels: number,
  quads: number,
  firstRow: number,
  queries: number,
  firstQuery: number,
  blocks: number,
  side: number,
  starts: number,
  thresholds: number,
  alphas: number,
  betas: number,
  candidates: number,
  capacity: number,
  counts: number,
  masks: number,
  exclusions: number,
  scratch: number,
) => void;

/** The functions of kernel/core.ts and of the generated tiles; every argument that is not a count is an address. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly packDocuments: (
    values: number,
    rows: number,
    dimensions: number,
    panels: number,
    facts: number,
    sums: number,
    scratch: number,
  ) => number;
  readonly prepareRows: (
    rows: number,
    facts: number,
    sums: number,
    cosine: number,
    unit: number,
    slack: number,
    side: number,
    near: number,
    far: number,
  ) => void;
  readonly prepareWrapping: (panels: number, count: number, quads: number, starts: number) => void;
  readonly widenQuery: (values: number, dimensions: number, wide: number) => number;
  readonly packQuery7: (values: number, dimensions: number, to: number, width: number, facts: number) => void;
  readonly packQueryPlanes: (
    values: number,
    dimensions: number,
    to: number,
    levels: number,
    facts: number,
  ) => void;
  readonly packQuery16: (
    values: number,
    dimensions: number,
    to: number,
    width: number,
    levels: number,
    facts: number,
  ) => void;
  readonly rescore: (
    values: number,
    dimensions: number,
    wide: number,
    rows: number,
    count: number,
    out: number,
  ) => void;
  readonly tighten: (
    candidates: number,
    k: number,
    offset: number,
    counts: number,
    thresholds: number,
    alphas: number,
    betas: number,
    near: number,
    far: number,
    scratch: number,
  ) => void;
  readonly frontLargest: (candidates: number, count: number, k: number, scratch: number) => number;
  readonly wide1: Tile;
  readonly wide2: Tile;
  /** Absent from the plain module, like all below. */
  readonly dot7x1?: Tile;
  readonly dot7x2?: Tile;
  readonly dot7x3?: Tile;
  readonly dot7x4?: Tile;
  readonly dot7x5?: Tile;
  readonly dot7x6?: Tile;
  readonly wrap4?: Tile;
  readonly planes1?: Tile;
}

/** One tile function with the number of queries that it holds in registers and the form of its queries. */
export interface TileChoice {
  readonly run: Tile;
  readonly queries: number;
  /** Tiles for what is left over of the queries, by how many they are; without them the last block is filled up. */
  readonly rest?: readonly (Tile | undefined)[];
  readonly form: 'seven' | 'planes' | 'sixteen';
  /** Whether it reads the start values of `prepareWrapping`. */
  readonly wraps: boolean;
}

/** A compiled kernel: cheap to instantiate, one instance (and memory) a search. */
export interface Kernel {
  readonly kind: KernelKind;
  /** Returns a fresh instance with its own memory. */
  readonly instantiate: () => KernelExports;
}

/** Returns the tile for a number of queries. */
export function chooseTile(kernel: KernelExports, kind: KernelKind, queries: number): TileChoice {
  const { dot7x1, dot7x2, dot7x3, dot7x4, dot7x5, dot7x6, wrap4, planes1, wide1, wide2 } = kernel;
  if (kind === 'dot7' && dot7x6 && planes1) {
    // Six queries at a time are a tenth faster than four, and the rest must not be filled up to six.
    return queries <= 2
      ? { run: planes1, queries: 1, form: 'planes', wraps: false }
      : {
          run: dot7x6,
          queries: 6,
          rest: [undefined, dot7x1, dot7x2, dot7x3, dot7x4, dot7x5],
          form: 'seven',
          wraps: false,
        };
  }
  if (kind === 'wrap' && wrap4 && queries > 1) {
    return { run: wrap4, queries: 4, form: 'seven', wraps: true };
  }
  return queries === 1
    ? { run: wide1, queries: 1, form: 'sixteen', wraps: false }
    : { run: wide2, queries: 2, form: 'sixteen', wraps: false };
}

/**
 * Compiles the best kernel that this runtime takes: relaxed SIMD where it validates and computes rightly (then the
 * faster of `dot7` and `wrap` by a short trial), plain SIMD128 elsewhere. `forced` takes one kind or fails with code `kernel-unsupported`.
 */
export async function loadKernel(sources: KernelSources, forced?: KernelKind): Promise<Kernel> {
  if (forced !== 'wide') {
    const bytes = await bytesOf(sources.relaxed);
    if (WebAssembly.validate(bytes)) {
      const module = await WebAssembly.compile(bytes);
      const trusted = trustedKinds(instanceOf(module));
      const kind = forced === undefined ? trusted[0] : trusted.find((one) => one === forced);
      if (kind !== undefined) return { kind, instantiate: () => instanceOf(module) };
    }
    if (forced !== undefined) {
      throw new AppError(
        'search',
        'kernel-unsupported',
        `The kernel "${forced}" needs relaxed SIMD, which this runtime lacks or computes wrongly. Use "wide".`,
      );
    }
  }
  const bytes = await bytesOf(sources.plain);
  if (!WebAssembly.validate(bytes)) {
    throw new AppError(
      'search',
      'simd-missing',
      'This browser cannot run the search: it has no WebAssembly SIMD. Any browser since 2023 has it.',
    );
  }
  const module = await WebAssembly.compile(bytes);
  return { kind: 'wide', instantiate: () => instanceOf(module) };
}

function instanceOf(module: WebAssembly.Module): KernelExports {
  return new WebAssembly.Instance(module, {}).exports as unknown as KernelExports;
}

async function bytesOf(source: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof source !== 'string') return new Uint8Array(source);
  const response = await fetch(source);
  if (!response.ok) {
    throw new AppError('search', 'kernel-missing', `The search kernel did not load: ${response.status}.`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
