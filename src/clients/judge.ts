import type { SuiteOrder } from '../../workers/judge/protocol.ts';
import { FIRST_WORLD } from '../../workers/judge/python/world.ts';
import type {
  FromSandbox,
  JudgeEnvironment,
  JudgeOptions,
  Suite,
  SuiteResult,
  TestOutcome,
} from '../contracts/judge.ts';
import { AppError } from '../domain/app-error.ts';
import { digestOfJson } from '../domain/digest.ts';
import { abortedError } from '../contracts/calls.ts';
import { fetchJudgeAssets, judgeManifest, type JudgeAssets } from './judge-assets.ts';
import { JudgeFrame } from './judge-frame.ts';
import {
  CALIBRATION,
  LEAST_TIME_FACTOR,
  OUTPUT_CAP_BYTES,
  REMARK_32_BIT,
  combineEnvironments,
  countTests,
  mayDependOnWordSize,
  timeFactor,
  withOrderOfLargeNumbers,
} from './judge-rules.ts';

/** The page's only way to run untrusted Python. Created by {@link createJudge}; holds a frame and its workers until disposed. */
export interface Judge {
  /** Judges a batch: results in the order of `suites`; {@link JudgeOptions.onResult} streams them as they finish. */
  judge(suites: readonly Suite[], options?: JudgeOptions): Promise<SuiteResult[]>;
  /** Judges one suite, stops at the first failing test, and shows the variables of every frame there and what was printed. */
  inspect(suite: Suite, options?: Pick<JudgeOptions, 'timeoutMs' | 'signal'>): Promise<SuiteResult>;
  /** Starts fetching and booting without waiting for a suite; resolves when the first interpreter is ready. */
  warmUp(): Promise<{ readonly bootMs: number; readonly timeFactor: number }>;
  /** What verdicts depend on; its digest is part of a verdict's key. */
  environment(timeoutMs?: number): Promise<JudgeEnvironment>;
  /** Ends everything and removes the frame. */
  dispose(): void;
}

/** How a judge is made. */
export interface JudgeSettings {
  /** Interpreters at work, besides one booted spare. Default: cores - 1, at least 1, at most 8. */
  readonly workers?: number;
  /** Called with the bytes that arrived so far, of the total, while the interpreter is fetched. */
  readonly onFetch?: (loadedBytes: number, totalBytes: number) => void;
}

/** Default limit of a suite, in CPython's time: the paper's. */
export const DEFAULT_TIMEOUT_MS = 5_000;

/** Suites that lie in the sandbox at a time, so that a large batch is not copied into it at once. */
const WINDOW = 128;
/** Frames that may break in a row before a batch fails. */
const MAX_BROKEN_FRAMES = 3;

/** Returns a judge; nothing is fetched before {@link Judge.warmUp} or the first suite. */
export function createJudge(settings: JudgeSettings = {}): Judge {
  return new FrameJudge(settings);
}

interface Pending {
  readonly order: SuiteOrder;
  readonly settle: (result: RawResult) => void;
  readonly fail: (reason: unknown) => void;
  sent: boolean;
}

type RawResult = Extract<FromSandbox, { t: 'result' }>;
type Ready = { readonly bootMs: number; readonly timeFactor: number };

class FrameJudge implements Judge {
  readonly #workers: number;
  readonly #onFetch: JudgeSettings['onFetch'];
  readonly #pending = new Map<number, Pending>();
  #assets: Promise<JudgeAssets> | undefined;
  #frame: JudgeFrame | undefined;
  #opening: Promise<number> | undefined;
  #ready: Promise<Ready> | undefined;
  #factor: number = LEAST_TIME_FACTOR;
  #inSandbox = 0;
  #nextNumber = 1;
  #brokenFrames = 0;
  #disposed = false;

  constructor(settings: JudgeSettings) {
    const cores = navigator.hardwareConcurrency || 2;
    this.#workers = settings.workers ?? Math.min(8, Math.max(1, cores - 1));
    this.#onFetch = settings.onFetch;
  }

  async warmUp(): Promise<Ready> {
    this.#ready ??= (async () => {
      const bootMs = await this.#open();
      return { bootMs, timeFactor: await this.#calibrate() };
    })();
    try {
      return await this.#ready;
    } catch (thrown) {
      this.#ready = undefined;
      throw thrown;
    }
  }

  async judge(suites: readonly Suite[], options: JudgeOptions = {}): Promise<SuiteResult[]> {
    for (const suite of suites) {
      if (countTests(suite) === 0)
        throw new AppError(
          'judge',
          'no-tests',
          `The suite "${suite.id}" has no tests: a verdict needs at least one.`,
        );
    }
    const { signal } = options;
    if (signal?.aborted === true) throw abortedError();
    const results = new Array<SuiteResult>(suites.length);
    const numbers = new Set<number>();
    const run = async (): Promise<void> => {
      await this.warmUp();
      if (signal?.aborted === true) return; // The caller has its answer already.
      await Promise.all(
        suites.map(async (suite, index) => {
          const result = await this.#judgeOne(suite, options, numbers);
          results[index] = result;
          options.onResult?.(result, index);
        }),
      );
    };
    await this.#untilAborted(run(), signal, numbers);
    return results;
  }

  async inspect(
    suite: Suite,
    options: Pick<JudgeOptions, 'timeoutMs' | 'signal'> = {},
  ): Promise<SuiteResult> {
    const numbers = new Set<number>();
    const run = async (): Promise<SuiteResult> => {
      await this.warmUp();
      const raw = await this.#run(suite, { ...options, details: true, failFast: true }, numbers, {
        live: true,
      });
      return toResult(suite, raw);
    };
    return this.#untilAborted(run(), options.signal, numbers);
  }

  async environment(timeoutMs = DEFAULT_TIMEOUT_MS): Promise<JudgeEnvironment> {
    return {
      pyodide: judgeManifest.version,
      python: '3.14.2 wasm32',
      assets: await digestOfJson(judgeManifest.assets),
      timeZone: 'UTC',
      hashSeed: 0,
      recursionLimit: 1000,
      integerTextLimit: 4300,
      memoryCapBytes: FIRST_WORLD.memoryCapBytes,
      outputCapBytes: OUTPUT_CAP_BYTES,
      timeoutMs,
    };
  }

  dispose(): void {
    this.#disposed = true;
    this.#close(new AppError('judge', 'disposed', 'The judge was closed.'));
  }

  async #judgeOne(suite: Suite, options: JudgeOptions, numbers: Set<number>): Promise<SuiteResult> {
    const first = withOrderOfLargeNumbers(
      toResult(suite, await this.#runTwiceIfSlow(suite, options, numbers, 1)),
    );
    const aboutWordSize = mayDependOnWordSize(suite, first);
    if (options.secondPass !== true && !aboutWordSize) return first;
    const second = await this.#runTwiceIfSlow(suite, options, numbers, 2);
    const combined = combineEnvironments(first, toResult(suite, second));
    if (!aboutWordSize || combined.verdict === first.verdict) return combined;
    return { ...combined, remarks: [...new Set([...(combined.remarks ?? []), REMARK_32_BIT])] };
  }

  /** A slow moment of the machine must not become a verdict: what ran out of time runs once more, with nothing beside it. */
  async #runTwiceIfSlow(
    suite: Suite,
    options: JudgeOptions,
    numbers: Set<number>,
    environment: 1 | 2,
  ): Promise<RawResult> {
    const raw = await this.#run(suite, options, numbers, { environment });
    return raw.expired ? this.#run(suite, options, numbers, { environment, alone: true }) : raw;
  }

  /** Runs one suite in the sandbox. */
  #run(
    suite: Suite,
    options: JudgeOptions,
    numbers: Set<number>,
    how: {
      readonly alone?: boolean;
      readonly environment?: 1 | 2;
      readonly live?: boolean;
      readonly limitMs?: number;
    },
  ): Promise<RawResult> {
    const n = this.#nextNumber++;
    numbers.add(n);
    const order: SuiteOrder = {
      n,
      suite,
      tests: countTests(suite),
      // The first run gets the least factor; the repetition alone, which decides, the measured one.
      limitMs:
        how.limitMs ??
        (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) * (how.alone === true ? this.#factor : LEAST_TIME_FACTOR),
      alone: how.alone ?? false,
      environment: how.environment ?? 1,
      options: {
        details: options.details ?? true,
        failFast: options.failFast ?? false,
        live: how.live ?? false,
        outputCapBytes: OUTPUT_CAP_BYTES,
      },
    };
    return new Promise((settle, fail) => {
      this.#pending.set(n, {
        order,
        settle: (result) => {
          numbers.delete(n);
          settle(result);
        },
        fail,
        sent: false,
      });
      this.#feed();
    });
  }

  /** Sends orders until the window is full. */
  #feed(): void {
    if (this.#frame === undefined || this.#inSandbox >= WINDOW) return;
    const orders: SuiteOrder[] = [];
    for (const pending of this.#pending.values()) {
      if (this.#inSandbox >= WINDOW) break;
      if (pending.sent) continue;
      pending.sent = true;
      this.#inSandbox += 1;
      orders.push(pending.order);
    }
    if (orders.length > 0) this.#frame.send({ t: 'judge', orders });
  }

  #onMessage(message: FromSandbox): void {
    if (message.t === 'failed') this.#onBroken(message.message);
    if (message.t !== 'result') return;
    const pending = this.#pending.get(message.n);
    if (pending === undefined) return; // Cancelled meanwhile.
    if (message.outcomes.length !== pending.order.tests) {
      this.#onBroken(
        `suite ${pending.order.suite.id} came back with ${message.outcomes.length} of ${pending.order.tests} outcomes`,
      );
      return;
    }
    this.#pending.delete(message.n);
    this.#inSandbox -= 1;
    this.#brokenFrames = 0;
    pending.settle(message);
    this.#feed();
  }

  /** Opens the frame if there is none; resolves with the first interpreter's start time. */
  async #open(): Promise<number> {
    if (this.#disposed) throw new AppError('judge', 'disposed', 'The judge was closed.');
    this.#opening ??= this.#openFrame();
    try {
      return await this.#opening;
    } catch (thrown) {
      this.#opening = undefined;
      this.#assets = undefined;
      throw thrown;
    }
  }

  async #openFrame(): Promise<number> {
    const assets = await (this.#assets ??= fetchJudgeAssets(this.#onFetch));
    let frame: JudgeFrame | undefined;
    const bootMs = await new Promise<number>((resolve, reject) => {
      JudgeFrame.open(
        assets,
        this.#workers,
        (message) => {
          if (message.t === 'ready') resolve(message.bootMs);
          else if (message.t === 'failed')
            reject(
              new AppError(
                'judge',
                'sandbox-failed',
                `The sandbox could not start Python: ${message.message}`,
              ),
            );
          this.#onMessage(message);
        },
        (reason) => this.#onBroken(reason),
      ).then((opened) => (frame = opened), reject);
    });
    this.#frame = frame;
    this.#feed();
    return bootMs;
  }

  /** Throws the frame away and, unless that happens again and again, runs what it held in a new one. */
  #onBroken(reason: string): void {
    if (this.#frame === undefined) return;
    this.#frame.close();
    this.#frame = undefined;
    this.#opening = undefined;
    this.#inSandbox = 0;
    for (const pending of this.#pending.values()) pending.sent = false;
    this.#brokenFrames += 1;
    if (this.#disposed || this.#brokenFrames >= MAX_BROKEN_FRAMES) {
      this.#close(
        new AppError('judge', 'sandbox-failed', `The sandbox failed ${this.#brokenFrames} times: ${reason}.`),
      );
      return;
    }
    this.#open().catch((thrown: unknown) => this.#close(thrown));
  }

  #close(reason: unknown): void {
    this.#frame?.close();
    this.#frame = undefined;
    this.#opening = undefined;
    this.#ready = undefined;
    this.#inSandbox = 0;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { fail } of pending) fail(reason);
  }

  async #calibrate(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { ms } = await this.#run(CALIBRATION.suite, {}, new Set(), { limitMs: 60_000 });
      times.push(ms);
    }
    return (this.#factor = timeFactor(times));
  }

  async #untilAborted<T>(
    work: Promise<T>,
    signal: AbortSignal | undefined,
    numbers: Set<number>,
  ): Promise<T> {
    if (signal === undefined) return work;
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        const cancelled = [...numbers];
        for (const n of cancelled) {
          const pending = this.#pending.get(n);
          if (pending?.sent === true) this.#inSandbox -= 1;
          this.#pending.delete(n);
        }
        this.#frame?.send({ t: 'cancel', numbers: cancelled });
        reject(abortedError());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    }
  }
}

function toResult(suite: Suite, raw: RawResult): SuiteResult {
  const tests: readonly TestOutcome[] = raw.outcomes;
  return {
    id: suite.id,
    verdict: tests.find(({ verdict }) => verdict !== 'pass')?.verdict ?? 'pass',
    tests,
    ms: raw.ms,
    ...(raw.remarks.length === 0 ? {} : { remarks: raw.remarks }),
    ...(raw.output === undefined ? {} : { output: raw.output }),
  };
}
