import { AppError } from '../domain/app-error.ts';
import type { JudgeEnvironment, JudgeOptions, Suite, SuiteResult } from '../contracts/judge.ts';

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

/** Returns a judge; nothing is fetched before {@link Judge.warmUp} or the first suite. */
export function createJudge(_settings: JudgeSettings = {}): Judge {
  throw new AppError('judge', 'not-built', 'the judge client is still being written');
}
