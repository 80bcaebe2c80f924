import { AppError } from '../domain/app-error.ts';

const LOCK_PREFIX = 'assay-run:';

/** Whether another tab of this browser has a run going on. */
export async function runsInAnotherTab(): Promise<boolean> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name?.startsWith(LOCK_PREFIX) === true);
}

/**
 * Holds what a run needs from the browser: a lock that all tabs share, so that no two tabs do the same run, and, while
 * the page is visible, the screen awake.
 *
 * @throws AppError `run-elsewhere` when another tab holds the run
 */
export async function holdRun(runId: string): Promise<{ release(): void }> {
  const releaseLock = await takeLock(LOCK_PREFIX + runId);
  const awake = keepScreenAwake();
  return {
    release() {
      releaseLock();
      awake.release();
    },
  };
}

/** Plain http has no Web Locks: the run stays in this tab's memory there, so nobody else can touch it. */
async function takeLock(name: string): Promise<() => void> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return () => undefined;
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          reject(
            new AppError(
              'browser',
              'run-elsewhere',
              'This run goes on in another tab of this browser. Wait for it, or close that tab.',
            ),
          );
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

function keepScreenAwake(): { release(): void } {
  const wakeLock = (navigator as { wakeLock?: WakeLock }).wakeLock;
  let sentinel: WakeLockSentinel | undefined;
  let released = false;
  const take = (): void => {
    if (released || document.visibilityState !== 'visible') return;
    // Refused on low battery or without permission: the run goes on all the same.
    wakeLock?.request('screen').then(
      (taken) => {
        if (released) void taken.release();
        else sentinel = taken;
      },
      () => undefined,
    );
  };
  take();
  // The browser drops the lock when the page is hidden.
  document.addEventListener('visibilitychange', take);
  return {
    release() {
      released = true;
      document.removeEventListener('visibilitychange', take);
      void sentinel?.release();
    },
  };
}
