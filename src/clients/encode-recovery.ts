import { AppError } from '../domain/app-error.ts';
import { isAborted, type CallOptions } from '../contracts/calls.ts';

/** Errors after which a worker cannot be trusted and a fresh one with smaller batches may do better. */
const RECOVERABLE = new Set([
  'device-lost',
  'out-of-memory',
  'runtime-failed',
  'worker-failed',
  // A lane died, and the worker was ended with it.
  'worker-replaced',
]);

/** Replacements without a single text more encoded, before giving up: 8,192 tokens a batch are 128 by then. */
const FRUITLESS_RECOVERIES = 6;

/** Whether the error calls for a fresh worker. An abort does not. */
export function isRecoverable(error: unknown): boolean {
  return error instanceof AppError && !isAborted(error) && RECOVERABLE.has(error.code);
}

/** What recovering needs of an encoder. */
export interface Recovery<T> {
  /** Makes sure that a worker with the model is there. */
  ready(): Promise<void>;
  /** The work; what it stored before it failed is found again by the next attempt. */
  work(options: CallOptions): Promise<T>;
  /** Halves the batch and drops the worker; false when there is nothing left to halve. */
  halve(): boolean;
}

/**
 * Does the work, on a fresh worker with half the batch after each recoverable failure, until it succeeds or {@link
 * FRUITLESS_RECOVERIES} attempts in a row brought nothing. Throws the last failure, and any other error at once.
 */
export async function recovering<T>(
  options: CallOptions,
  { ready, work, halve }: Recovery<T>,
): Promise<{ readonly result: T; readonly recoveries: number }> {
  let recoveries = 0;
  let fruitless = 0;
  let furthest = 0;
  const watched: CallOptions = {
    ...options,
    onProgress: (progress) => {
      if (progress.unit === 'texts' && progress.done > furthest) {
        furthest = progress.done;
        fruitless = 0;
      }
      options.onProgress?.(progress);
    },
  };
  for (;;) {
    try {
      await ready();
      return { result: await work(watched), recoveries };
    } catch (error) {
      if (!isRecoverable(error)) throw error;
      fruitless++;
      recoveries++;
      if (fruitless > FRUITLESS_RECOVERIES || !halve()) throw error;
    }
  }
}
