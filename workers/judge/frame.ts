/**
 * The only script of the sandbox frame. It runs in an opaque origin under a policy that forbids every connection, takes
 * a port from the page, compiles the interpreter once, starts the coordinator, and hands the port on to it: nothing that
 * a candidate could reach runs in this document.
 */
import type { InitMessage, ToCoordinator } from './protocol.ts';

interface FrameWindow {
  readonly parent: { postMessage(message: unknown, origin: string): void };
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
const frame = globalThis as unknown as FrameWindow & Record<string, unknown>;

// The policy does not stop these; nothing here needs them.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) {
  Reflect.deleteProperty(frame, name);
}

async function begin(port: MessagePort, init: InitMessage): Promise<void> {
  const blobUrl = (script: string): string =>
    URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const module = await WebAssembly.compile(init.wasm);
  const coordinator = new Worker(blobUrl(init.coordinatorScript));
  coordinator.onerror = (event) => {
    port.postMessage({ t: 'failed', message: `the coordinator failed: ${event.message}` });
  };
  const start: ToCoordinator = {
    t: 'start',
    module,
    library: new Uint8Array(init.library),
    image: new Uint8Array(init.image),
    prepare: init.prepare,
    workerUrl: blobUrl(init.interpreterScript),
    workers: init.workers,
  };
  coordinator.postMessage(start, [port]);
}

const onPort = (event: MessageEvent): void => {
  const port = event.ports[0];
  if (event.source !== (frame.parent as unknown) || port === undefined) return;
  frame.removeEventListener('message', onPort);
  port.onmessage = (message: MessageEvent<InitMessage>) => {
    port.onmessage = null;
    begin(port, message.data).catch((thrown: unknown) => {
      port.postMessage({ t: 'failed', message: String(thrown).slice(0, 2_000) });
    });
  };
};
frame.addEventListener('message', onPort);
frame.parent.postMessage({ t: 'frame-up' }, '*');
