/** The step of the data's way in which something failed; shown to the user beside the message. */
export type Stage =
  | 'input'
  | 'source'
  | 'codec'
  | 'store'
  | 'benchmark'
  | 'model'
  | 'encode'
  | 'search'
  | 'rerank'
  | 'judge'
  | 'score'
  | 'record'
  | 'link'
  | 'construct'
  | 'browser'
  | 'internal';

/** What crosses threads: an AppError as plain data (structured clone drops the class). */
export interface AppErrorData {
  readonly appError: true;
  /** Stable, kebab-case, e.g. `duplicate-id`. */
  readonly code: string;
  readonly stage: Stage;
  /** What failed, the offending value, and what is allowed or what to do. */
  readonly message: string;
  /** The message of what lay beneath, if anything. */
  readonly cause?: string;
}

/** The one error type of the product. Everything thrown on purpose is one of these. */
export class AppError extends Error {
  readonly code: string;
  readonly stage: Stage;

  constructor(stage: Stage, code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.stage = stage;
    this.code = code;
  }
}

/** Returns the plain-data form of anything thrown; an unknown error becomes code `unexpected`. Inverse: {@link fromErrorData}. */
export function toErrorData(thrown: unknown): AppErrorData {
  if (isErrorData(thrown)) return thrown;
  if (thrown instanceof AppError) {
    const cause = thrown.cause === undefined ? undefined : messageOf(thrown.cause);
    const data = { appError: true as const, code: thrown.code, stage: thrown.stage, message: thrown.message };
    return cause === undefined ? data : { ...data, cause };
  }
  return { appError: true, code: 'unexpected', stage: 'internal', message: messageOf(thrown) };
}

/** Returns an AppError from its plain-data form. Inverse: {@link toErrorData}. */
export function fromErrorData(data: AppErrorData): AppError {
  return new AppError(
    data.stage,
    data.code,
    data.message,
    data.cause === undefined ? undefined : { cause: data.cause },
  );
}

/** Whether the value is the plain-data form of an AppError. */
export function isErrorData(value: unknown): value is AppErrorData {
  return typeof value === 'object' && value !== null && (value as { appError?: unknown }).appError === true;
}

/** The message of anything thrown, cut to 2,000 characters (some runtimes quote megabytes of their own source). */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}
