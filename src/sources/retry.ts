import { AppError } from '../domain/app-error.ts';
import { abortedError } from '../contracts/calls.ts';

/** How often and how patiently a request is tried again. */
export interface RetryPolicy {
  /** Failures in a row before giving up; default 5. */
  readonly attempts?: number;
  /** Wait before the second try, doubled each time, at most 30 s; default 500. */
  readonly firstWaitMs?: number;
  /** Longest wait that a server may ask for; default 5 minutes. */
  readonly maxServerWaitMs?: number;
}

/** Counts failures of one read. */
export interface Attempts {
  /** Bytes came: the count starts anew. */
  succeeded(): void;
  /** Waits before the next try, or throws the error when there is no point in another one. */
  failed(error: unknown, signal?: AbortSignal): Promise<void>;
}

const WORTH_ANOTHER_TRY = new Set(['unreachable', 'truncated', 'rate-limited', 'server-error']);

/** Starts counting. */
export function attemptsOf({
  attempts = 5,
  firstWaitMs = 500,
  maxServerWaitMs = 300_000,
}: RetryPolicy = {}): Attempts {
  let failures = 0;
  return {
    succeeded: () => {
      failures = 0;
    },
    async failed(error, signal) {
      failures++;
      if (!(error instanceof AppError) || !WORTH_ANOTHER_TRY.has(error.code) || failures >= attempts)
        throw error;
      const asked = error.code === 'rate-limited' ? serverWaitMs(error) : undefined;
      if (asked !== undefined && asked > maxServerWaitMs) throw error;
      await pause(asked ?? Math.min(30_000, firstWaitMs * 2 ** (failures - 1)), signal);
    },
  };
}

/** Waits; an abort ends it with code `aborted`. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError());
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(abortedError());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** What Retry-After asked for (seconds or a date), which travels as the cause's message. */
function serverWaitMs(error: AppError): number | undefined {
  const text = error.cause instanceof Error ? error.cause.message : '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
