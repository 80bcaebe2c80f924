/** Starts a thread of the encode worker's one script: the worker itself, or a lane of it. */
export function startEncodeWorker(name: string): Worker {
  return new Worker(new URL('../../workers/encode/encode.worker.ts', import.meta.url), {
    type: 'module',
    name,
  });
}

/** The lanes of one encoder: workers that compute, each reached by the encode worker through a port of its own. */
export class EncodeLanes {
  #workers: Worker[] = [];

  /**
   * Starts lanes, after ending those there are, and returns the ports for the encode worker (to be transferred).
   *
   * @param onFailure called with a message when a lane's script or runtime fails outside a call
   */
  start(count: number, name: string, onFailure: (message: string) => void): MessagePort[] {
    this.end();
    return Array.from({ length: count }, (_, index) => {
      const worker = startEncodeWorker(`${name}-lane-${index}`);
      const { port1, port2 } = new MessageChannel();
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        onFailure(event.message || 'its script could not be loaded');
      });
      worker.postMessage({ lanePort: port1 }, [port1]);
      this.#workers.push(worker);
      return port2;
    });
  }

  /** Ends all lanes and what they hold. */
  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
  }
}
