import { transfer, transferHandlers, type TransferHandler } from 'comlink';
import type { StorePlace } from './blocks.ts';
import { AppError, fromErrorData, toErrorData, type AppErrorData } from '../domain/app-error.ts';

/** How far a step is. `total` is absent while nobody knows it. */
export interface Progress {
  /** The step, in words for people, e.g. `corpus.jsonl`. */
  readonly step: string;
  readonly done: number;
  readonly total?: number;
  /** What is counted: `bytes`, `rows`, `texts` … */
  readonly unit: string;
}

/** The last argument of every long call between threads. It crosses as it is: both members work on the other side. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Called at most ten times a second, and always for the last report of each step. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The error with which a cancelled call ends: code `aborted`. Cancelling is a state, not a failure. */
export function abortedError(): AppError {
  return new AppError('internal', 'aborted', 'Cancelled.');
}

/** Whether a thrown value says that somebody cancelled. */
export function isAborted(thrown: unknown): boolean {
  if (thrown instanceof AppError) return thrown.code === 'aborted';
  return thrown instanceof Error && thrown.name === 'AbortError';
}

const PROGRESS_INTERVAL_MS = 100;
const portsOfCalls = new WeakMap<object, MessagePort>();

/** Closes what a call's options opened on this side. Called by the client when the call has settled. */
export function releaseCallOptions(options: CallOptions): void {
  portsOfCalls.get(options)?.close();
  portsOfCalls.delete(options);
}

interface CrossingOptions {
  readonly port: MessagePort;
  readonly aborted: boolean;
  readonly signal: boolean;
  readonly progress: boolean;
}

function isCallOptions(value: unknown): value is CallOptions {
  if (typeof value !== 'object' || value === null) return false;
  const { signal, onProgress } = value as { signal?: unknown; onProgress?: unknown };
  return signal instanceof AbortSignal || typeof onProgress === 'function';
}

const callOptionsHandler: TransferHandler<CallOptions, CrossingOptions> = {
  canHandle: isCallOptions,
  serialize(options) {
    const { port1, port2 } = new MessageChannel();
    portsOfCalls.set(options, port1);
    const { signal, onProgress } = options;
    signal?.addEventListener('abort', () => port1.postMessage('abort'), { once: true });
    if (onProgress) port1.onmessage = (event: MessageEvent<Progress>) => onProgress(event.data);
    const crossing = {
      port: port2,
      aborted: signal?.aborted ?? false,
      signal: signal !== undefined,
      progress: onProgress !== undefined,
    };
    return [crossing, [port2]];
  },
  deserialize({ port, aborted, signal, progress }) {
    const controller = new AbortController();
    if (aborted) controller.abort(abortedError());
    port.onmessage = () => controller.abort(abortedError());
    return {
      ...(signal ? { signal: controller.signal } : {}),
      ...(progress ? { onProgress: throttled((report) => port.postMessage(report)) } : {}),
    };
  },
};

/** Returns a reporter that passes on at most one report per 100 ms, and always the last one of each step. */
export function throttled(report: (progress: Progress) => void): (progress: Progress) => void {
  let lastAt = -Infinity;
  let pending: Progress | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === undefined) return;
    const next = pending;
    pending = undefined;
    lastAt = Date.now();
    report(next);
  };
  return (progress) => {
    if (pending !== undefined && pending.step !== progress.step) flush();
    pending = progress;
    if (progress.done === progress.total || Date.now() - lastAt >= PROGRESS_INTERVAL_MS) flush();
    else timer ??= setTimeout(flush, PROGRESS_INTERVAL_MS);
  };
}

const throwHandler: TransferHandler<{ value: unknown }, AppErrorData> = {
  // comlink marks what a call threw in the same way as its own handler of this name does: by wrapping it in `value`.
  canHandle: transferHandlers.get('throw')?.canHandle as (value: unknown) => value is { value: unknown },
  serialize: ({ value }) => [isAborted(value) ? toErrorData(abortedError()) : toErrorData(value), []],
  deserialize(data) {
    throw fromErrorData(data);
  },
};

/**
 * Teaches comlink on this thread two things: a thrown AppError arrives as an AppError, and {@link CallOptions} cross.
 * Every `*.worker.ts` and every client calls it once before `expose` or `wrap`; calling it again changes nothing.
 */
export function installTransferHandlers(): void {
  transferHandlers.set('throw', throwHandler as TransferHandler<unknown, unknown>);
  transferHandlers.set('assay-call-options', callOptionsHandler as TransferHandler<unknown, unknown>);
}

/** Returns a place of the store in the form in which it crosses threads: a port has to be transferred, it cannot be copied. */
export function crossingPlace(place: StorePlace): StorePlace {
  return place.kind === 'memory' ? transfer(place, [place.port]) : place;
}
