import * as v from 'valibot';
import type { InitMessage, ToCoordinator } from '../../workers/judge/protocol.ts';
import { fromSandboxSchema, type FromSandbox } from '../contracts/judge.ts';
import { AppError } from '../domain/app-error.ts';
import { judgeFrameScript, judgeManifest, type JudgeAssets } from './judge-assets.ts';

/** The frame's own policy. The page's must allow as much, since a srcdoc frame inherits it. */
function framePolicy(): string {
  return [
    "default-src 'none'",
    `script-src '${judgeManifest.frameScriptHash}' blob: 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "connect-src 'none'",
    "img-src 'none'",
    "style-src 'none'",
    "font-src 'none'",
    "media-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** How long a frame may take to answer before it counts as failed, in milliseconds. */
const FRAME_TIMEOUT_MS = 30_000;

/** A sandbox frame: an opaque origin without any way out, spoken to by plain messages over one port. */
export class JudgeFrame {
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;

  private constructor(element: HTMLIFrameElement, port: MessagePort) {
    this.#element = element;
    this.#port = port;
  }

  /**
   * Makes the frame and starts its coordinator; the assets stay the caller's (they are copied).
   *
   * @param onMessage called with every message that parses
   * @param onBroken called when the frame said something that it never says: it must be thrown away
   */
  static async open(
    assets: JudgeAssets,
    workers: number,
    onMessage: (message: FromSandbox) => void,
    onBroken: (reason: string) => void,
  ): Promise<JudgeFrame> {
    const element = document.createElement('iframe');
    element.setAttribute('sandbox', 'allow-scripts');
    element.hidden = true;
    element.title = 'Sandbox in which candidate programs run';
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      const parsed = v.safeParse(fromSandboxSchema, data);
      if (parsed.success) onMessage(parsed.output);
      else
        onBroken(
          `the sandbox sent a message that is not one of its own: ${v.summarize(parsed.issues).slice(0, 300)}`,
        );
    };
    element.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${framePolicy()}"><script>${judgeFrameScript}</script>`;
    // The frame cannot reach a server by navigating, but it would lose its document: that shows as a second load.
    let loads = 0;
    element.addEventListener('load', () => {
      loads += 1;
      if (loads > 1) onBroken('the sandbox frame was navigated');
    });
    const up = frameIsUp(element);
    document.body.append(element);
    try {
      await up;
    } catch (thrown) {
      element.remove();
      throw thrown;
    }
    // An opaque origin has no name: '*' is the only target that reaches it. The window is the frame's own.
    element.contentWindow?.postMessage({ t: 'port' }, '*', [port2]);
    const copy = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer => bytes.slice().buffer;
    const init: InitMessage = {
      t: 'init',
      wasm: copy(assets.wasm),
      library: copy(assets.library),
      image: copy(assets.image),
      prepare: assets.prepare,
      coordinatorScript: assets.coordinatorScript,
      interpreterScript: assets.interpreterScript,
      workers,
    };
    port1.postMessage(init, [init.wasm, init.library, init.image]);
    return new JudgeFrame(element, port1);
  }

  /** Sends orders. Only after the frame's first `ready`. */
  send(message: Exclude<ToCoordinator, { t: 'start' }>): void {
    this.#port.postMessage(message);
  }

  /** Removes the frame; its workers end with it. */
  close(): void {
    this.#port.onmessage = null;
    this.#port.close();
    this.#element.remove();
  }
}

function frameIsUp(element: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      window.removeEventListener('message', onMessage);
      reject(
        new AppError(
          'judge',
          'sandbox-failed',
          `The sandbox frame did not start within ${FRAME_TIMEOUT_MS / 1000} s. The page's content security policy must allow its script (${judgeManifest.frameScriptHash}).`,
        ),
      );
    }, FRAME_TIMEOUT_MS);
    const onMessage = (event: MessageEvent<unknown>): void => {
      if (event.source !== element.contentWindow || event.origin !== 'null') return;
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      resolve();
    };
    window.addEventListener('message', onMessage);
  });
}
