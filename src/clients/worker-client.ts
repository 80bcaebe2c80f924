import { wrap, type Remote } from 'comlink';
import { AppError } from '../domain/app-error.ts';
import {
  abortedError,
  installTransferHandlers,
  releaseCallOptions,
  type CallOptions,
} from '../contracts/calls.ts';

/** How one worker is started and looked after. */
export interface WorkerClientOptions<Api> {
  /** Shown in messages, e.g. `encode`. */
  readonly name: string;
  /** Makes the worker; the only place that calls `new Worker`. */
  readonly start: () => Worker;
  /** First calls on a fresh worker (open the store, take settings); every other call waits for it. */
  readonly prepare?: (api: Remote<Api>) => Promise<void>;
  /**
   * After an abort the worker gets this long to end the call by itself; then it is replaced. Absent: it is never
   * replaced for an abort. Needed where one native call cannot be interrupted.
   */
  readonly abortGraceMs?: number;
  /** Whether the worker cannot be trusted after this error and must be replaced; default: never. */
  readonly replaceAfter?: (error: unknown) => boolean;
}

interface Running<Api> {
  readonly worker: Worker;
  readonly api: Remote<Api>;
  readonly ready: Promise<void>;
  /** Rejects when the worker dies; never resolves. */
  readonly death: Promise<never>;
  readonly kill: (reason: AppError) => void;
}

/**
 * One worker behind comlink: started at the first call, replaced after it died. A call that was running when the
 * worker died ends with an AppError (`worker-failed`), so nobody waits for ever.
 */
export class WorkerClient<Api> {
  readonly #options: WorkerClientOptions<Api>;
  #running: Running<Api> | undefined;

  constructor(options: WorkerClientOptions<Api>) {
    this.#options = options;
  }

  /** Whether a worker runs at the moment. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Calls the worker. `use` gets the remote interface and the options in the form that crosses threads: pass them on
   * as the call's last argument. An aborted signal ends the call with code `aborted`.
   */
  async call<T>(
    options: CallOptions | undefined,
    use: (api: Remote<Api>, crossing: CallOptions) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    if (signal?.aborted) throw abortedError();
    const running = (this.#running ??= this.#begin());
    const crossing: CallOptions = { ...options };
    const onAbort = (): void => this.#replaceIfStuck(running, settled);
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([running.ready, running.death]);
      return await Promise.race([use(running.api, crossing), running.death]);
    } catch (error) {
      if (this.#options.replaceAfter?.(error) === true) this.replace();
      throw error;
    } finally {
      settle();
      signal?.removeEventListener('abort', onAbort);
      releaseCallOptions(crossing);
    }
  }

  /** Ends the worker and everything it holds (WASM and GPU memory); the next call starts a fresh one. */
  replace(): void {
    this.#running?.kill(
      new AppError('internal', 'worker-replaced', `The ${this.#options.name} worker was replaced.`),
    );
  }

  /** Ends the worker. The client may still be used: a later call starts a new one. */
  dispose(): void {
    this.#running?.kill(abortedError());
  }

  #replaceIfStuck(running: Running<Api>, settled: Promise<void>): void {
    const graceMs = this.#options.abortGraceMs;
    if (graceMs === undefined) return;
    const timer = setTimeout(() => running.kill(abortedError()), graceMs);
    void settled.then(() => clearTimeout(timer));
  }

  #begin(): Running<Api> {
    installTransferHandlers();
    const { name, start, prepare } = this.#options;
    const worker = start();
    let die: (reason: AppError) => void = () => undefined;
    const death = new Promise<never>((_, reject) => (die = reject));
    death.catch(() => undefined); // Nobody may be waiting when it dies.
    const kill = (reason: AppError): void => {
      if (this.#running?.worker === worker) this.#running = undefined;
      worker.terminate();
      die(reason);
    };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      const detail = event.message ? `: ${event.message}` : ' (its script could not be loaded)';
      kill(new AppError('internal', 'worker-failed', `The ${name} worker failed${detail}. Try again.`));
    });
    worker.addEventListener('messageerror', () => {
      kill(
        new AppError('internal', 'worker-failed', `The ${name} worker sent a message that cannot be read.`),
      );
    });
    const api = wrap<Api>(worker);
    const ready = prepare ? prepare(api) : Promise.resolve();
    // A worker that could not be prepared is of no use: the next call starts another one.
    ready.catch(() => {
      if (this.#running?.worker === worker) this.#running = undefined;
      worker.terminate();
    });
    return { worker, api, ready, death, kill };
  }
}
