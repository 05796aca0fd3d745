// Keeps the client's own files for the next visit, and the start page for when there is no network. Never anything of /api.
const CACHE = 'cardtown-BUILD';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate' && !url.pathname.startsWith('/api/')) event.respondWith(newest(request));
});

async function kept(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function newest(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get('content-type')?.startsWith('text/html')) await cache.put('/', answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match('/');
    if (found) return found;
    throw error;
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data ?? '/'));
});
