/// <reference lib="webworker" />
/**
 * The service worker: once a page has run, the app's own files answer from the cache, so that a later run completes with
 * the app's host gone. It keeps only files that the build lists, never anything from another host.
 *
 * Hashed files are immutable and come from the cache first. Everything else (index.html, benchmarks) comes from the
 * network first, so that a new version is seen as soon as the host answers.
 */
declare const self: ServiceWorkerGlobalScope;
export {};

const CACHE = 'assay-app';
const listUrl = new URL('app-files.json', self.registration.scope).href;
const isHashed = (url: URL) => url.pathname.includes('/assets/');

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
});

// The page asks for this when a run starts: by then it has fetched the files, and the browser's own cache answers.
self.addEventListener('message', (event) => {
  if ((event.data as { kind?: unknown } | null)?.kind === 'keep-app-files') event.waitUntil(keepAll());
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const inScope = url.href.startsWith(self.registration.scope);
  if (
    event.request.method !== 'GET' ||
    !inScope ||
    event.request.headers.has('range') ||
    url.pathname.includes('/bridge/')
  )
    return;
  event.respondWith(isHashed(url) ? cacheFirst(event.request) : networkFirst(event.request));
});

async function listedFiles(): Promise<string[]> {
  const response = await fetch(listUrl, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${listUrl} answered ${response.status}`);
  return ((await response.json()) as string[]).map((name) => new URL(name, self.registration.scope).href);
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const url of await listedFiles()) {
    if ((await cache.match(url)) === undefined) await cache.add(url);
  }
}

async function dropOldFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  let listed: Set<string>;
  try {
    listed = new Set(await listedFiles());
  } catch {
    // The host is gone: what is kept is all there is, so nothing may be dropped.
    return;
  }
  for (const request of await cache.keys()) {
    if (isHashed(new URL(request.url)) && !listed.has(request.url)) await cache.delete(request);
  }
}

async function cacheFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}

async function networkFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await cache.match(request.mode === 'navigate' ? self.registration.scope : request.url);
    if (kept !== undefined) return kept;
    throw error;
  }
}
