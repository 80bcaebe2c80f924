/** Named exclusive locks that are taken and given back by token, so that they also work across a message port. */
export interface LockTable {
  acquire(name: string, wait: boolean, holder?: string): Promise<string | undefined>;
  release(token: string): Promise<void>;
}

let nextToken = 1;

interface Waiting {
  readonly token: string;
  readonly holder: string;
  readonly grant: () => void;
}

/** Locks within one thread: for Node and for the store in memory, which has one page only. */
export class LocalLocks implements LockTable {
  readonly #held = new Map<string, { token: string; holder: string }>();
  readonly #waiting = new Map<string, Waiting[]>();

  acquire(name: string, wait: boolean, holder = ''): Promise<string | undefined> {
    const token = `${nextToken++}:${name}`;
    if (!this.#held.has(name)) {
      this.#held.set(name, { token, holder });
      return Promise.resolve(token);
    }
    if (!wait) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const queue = this.#waiting.get(name) ?? [];
      queue.push({ token, holder, grant: () => resolve(token) });
      this.#waiting.set(name, queue);
    });
  }

  release(token: string): Promise<void> {
    const name = token.slice(token.indexOf(':') + 1);
    if (this.#held.get(name)?.token !== token) return Promise.resolve();
    const next = this.#waiting.get(name)?.shift();
    if (next === undefined) {
      this.#held.delete(name);
    } else {
      this.#held.set(name, next);
      next.grant();
    }
    return Promise.resolve();
  }

  /** Frees what a holder that is gone held, and forgets what it waited for. */
  async releaseAllOf(holder: string): Promise<void> {
    for (const [name, queue] of this.#waiting)
      this.#waiting.set(
        name,
        queue.filter((waiting) => waiting.holder !== holder),
      );
    for (const held of [...this.#held.values()]) {
      if (held.holder === holder) await this.release(held.token);
    }
  }
}

/** Locks shared by all tabs and workers of the origin; freed by the browser when a tab or a worker dies. */
export class WebLocks implements LockTable {
  readonly #locks: LockManager;
  readonly #releases = new Map<string, () => void>();

  constructor(locks: LockManager) {
    this.#locks = locks;
  }

  acquire(name: string, wait: boolean): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#locks
        .request(`assay:${name}`, { mode: 'exclusive', ifAvailable: !wait }, (lock) => {
          if (lock === null) {
            resolve(undefined);
            return undefined;
          }
          const token = `${nextToken++}:${name}`;
          return new Promise<void>((release) => {
            this.#releases.set(token, release);
            resolve(token);
          });
        })
        .catch(reject);
    });
  }

  release(token: string): Promise<void> {
    this.#releases.get(token)?.();
    this.#releases.delete(token);
    return Promise.resolve();
  }
}
