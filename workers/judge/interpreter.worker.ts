/**
 * One interpreter in a classic worker of the sandbox frame: boots from the image, then runs one suite after the other.
 * It speaks with the coordinator only, over the port that started it; candidates have no name for that port.
 */
import type { Suite, TestOutcome } from '../../src/contracts/judge.ts';
import { Harness, type RunOptions } from './harness.ts';
import { decodeImage, startPrepared } from './python/image.ts';
import { LIBRARY_PATH, Machine } from './python/machine.ts';
import { FIRST_WORLD, SECOND_WORLD } from './python/world.ts';

/** What a worker starts with; the bytes are this worker's own copies. */
export interface BootMessage {
  readonly t: 'boot';
  readonly module: WebAssembly.Module;
  readonly library: Uint8Array;
  /** The image, or the text of prepare.py to start the second environment from nothing. */
  readonly image?: Uint8Array;
  readonly prepare?: string;
}

export interface RunMessage {
  readonly t: 'run';
  readonly n: number;
  readonly suite: Suite;
  readonly options: Omit<RunOptions, 'onDecided'>;
}

export type ToInterpreter = BootMessage | RunMessage;

export type FromInterpreter =
  | { readonly t: 'booted'; readonly bootMs: number }
  | { readonly t: 'failed'; readonly message: string }
  | { readonly t: 'decided'; readonly n: number; readonly outcomes: readonly TestOutcome[] }
  | {
      readonly t: 'done';
      readonly n: number;
      readonly outcomes: readonly TestOutcome[];
      readonly remarks: readonly string[];
      readonly ms: number;
      readonly output?: string;
      readonly memoryBytes: number;
    };

// Taken before anything else can run here; nothing is looked up on the global object later.
const post = self.postMessage.bind(self) as (message: FromInterpreter) => void;

let harness: Harness | undefined;
let machine: Machine | undefined;

async function boot(message: BootMessage): Promise<void> {
  const started = performance.now();
  const { module, library } = message;
  if (message.image !== undefined) {
    const { image, objects } = decodeImage(message.image);
    machine = await Machine.create(module, new Map([[LIBRARY_PATH, library]]), FIRST_WORLD);
    machine.setBaseline(image);
    harness = new Harness(machine, objects);
  } else {
    const prepared = await startPrepared(module, library, message.prepare ?? '', SECOND_WORLD, 1);
    machine = prepared.machine;
    machine.setBaseline(machine.capture());
    harness = new Harness(machine, prepared.objects);
  }
  post({ t: 'booted', bootMs: performance.now() - started });
}

self.onmessage = ({ data }: MessageEvent<ToInterpreter>): void => {
  if (data.t === 'boot') {
    boot(data).catch((thrown: unknown) => {
      post({
        t: 'failed',
        message: String(thrown instanceof Error ? thrown.message : thrown).slice(0, 2_000),
      });
    });
    return;
  }
  if (harness === undefined || machine === undefined) return;
  const { n } = data;
  const onDecided = (outcomes: readonly TestOutcome[]): void => post({ t: 'decided', n, outcomes });
  const result = harness.run(data.suite, { ...data.options, onDecided });
  post({ t: 'done', n, ...result, memoryBytes: machine.memoryBytes });
};
