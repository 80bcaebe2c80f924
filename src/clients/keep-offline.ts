/**
 * Asks the service worker to keep the app's own files, so that a later run completes with the app's host gone. Does
 * nothing where there is none (plain http, development).
 */
export async function keepAppFiles(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage({ kind: 'keep-app-files' });
}

/** Registers the service worker of the built page. A refusal only means that nothing is kept. */
export function registerOffline(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.register(new URL('offline.js', document.baseURI)).catch((error: unknown) => {
    console.error('The page cannot be kept for offline use:', error);
  });
}
