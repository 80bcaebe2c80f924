/** Messages between the page, the sandbox frame and its coordinator. Plain data; the page parses what it receives. */
import type { FromSandbox, Suite } from '../../src/contracts/judge.ts';
import type { RunOptions } from './harness.ts';

/** One suite to run. */
export interface SuiteOrder {
  /** The page's number for it; comes back with the result. */
  readonly n: number;
  readonly suite: Suite;
  /** How many outcomes the result must have. */
  readonly tests: number;
  /** Milliseconds of this machine. */
  readonly limitMs: number;
  /** Only while nothing else runs. */
  readonly alone: boolean;
  readonly environment: 1 | 2;
  readonly options: Omit<RunOptions, 'onDecided'>;
}

/** Page to frame, once, over the port. */
export interface InitMessage {
  readonly t: 'init';
  /** Bytes of the interpreter, not compiled: a compiled module does not cross from page to frame. */
  readonly wasm: ArrayBuffer;
  readonly library: ArrayBuffer;
  readonly image: ArrayBuffer;
  readonly prepare: string;
  readonly coordinatorScript: string;
  readonly interpreterScript: string;
  readonly workers: number;
}

/** To the coordinator: the first from the frame's script, the others from the page. */
export type ToCoordinator =
  | {
      readonly t: 'start';
      readonly module: WebAssembly.Module;
      readonly library: Uint8Array;
      readonly image: Uint8Array;
      readonly prepare: string;
      readonly workerUrl: string;
      readonly workers: number;
    }
  | { readonly t: 'judge'; readonly orders: readonly SuiteOrder[] }
  | { readonly t: 'cancel'; readonly numbers: readonly number[] };

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What the coordinator tells the page; the contract's schema is what the page accepts. */
export type FromCoordinator = DeepReadonly<FromSandbox>;
