import { AppError, toErrorData, type AppErrorData } from '../../domain/app-error.ts';

/**
 * The page's end of the bridge to the command line: the command's own server on 127.0.0.1 serves the page and, under
 * `bridge/`, one typed request, the files it names, and places to send progress, output files and the result. Big files
 * travel as HTTP streams, never through the debugging protocol. Every call carries a token that only the command knows.
 */
export class Bridge {
  readonly #base: string;
  readonly #token: string;

  /** @param appUrl the page's own address, with a slash at its end */
  constructor(appUrl: string, token: string) {
    this.#base = `${appUrl}bridge/`;
    this.#token = token;
  }

  /** The one request of this session. */
  async request(): Promise<unknown> {
    return (await this.#call('GET', 'request')).json();
  }

  /** The address of a file that the request names, for a worker that fetches it itself: the token is part of it. */
  fileUrl(name: string): string {
    return `${this.#base}files/${encodeURIComponent(name)}?token=${this.#token}`;
  }

  /** A file that the request names, as a stream. */
  async file(name: string): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#call('GET', `files/${encodeURIComponent(name)}`);
    if (body === null)
      throw new AppError('input', 'empty-answer', `The command's server sent no body for ${name}.`);
    return body;
  }

  /** Writes a file into the command's result folder. */
  async output(name: string, content: Blob | string): Promise<void> {
    await this.#call('PUT', `outputs/${encodeURIComponent(name)}`, content);
  }

  /** Tells the command how far the work is; resolves when it was heard. */
  async progress(value: unknown): Promise<void> {
    await this.#call('POST', 'progress', JSON.stringify(value));
  }

  /** Ends the session with a result. */
  async succeed(value: unknown): Promise<void> {
    await this.#call('POST', 'result', JSON.stringify({ ok: true, value } satisfies HeadlessResult));
  }

  /** Ends the session with what went wrong. */
  async fail(thrown: unknown): Promise<void> {
    await this.#call(
      'POST',
      'result',
      JSON.stringify({ ok: false, error: toErrorData(thrown) } satisfies HeadlessResult),
    );
  }

  async #call(method: string, path: string, body?: Blob | string): Promise<Response> {
    const init: RequestInit = { method, headers: { 'x-assay-token': this.#token } };
    if (body !== undefined) init.body = body;
    const response = await fetch(this.#base + path, init);
    if (!response.ok) {
      throw new AppError(
        'internal',
        'bridge-refused',
        `The command's server answered ${response.status} to ${method} ${path}.`,
      );
    }
    return response;
  }
}

/** What ends a session. */
export type HeadlessResult =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: AppErrorData };
