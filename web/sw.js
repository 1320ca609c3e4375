// The service worker: after the first visit the page opens without the network. The only request that remains is the
// browser's own, for a newer version of this script. The build writes two lines above this text: VERSION, and FILES,
// each with the hash of its content, so that a partly uploaded site is never kept.
const CACHE = `opscope-${VERSION}`;
const HOME = registration.scope;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("message", (event) => event.data === "renew" && skipWaiting());
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(HOME)) event.respondWith(answer(request));
});

async function fill() {
  const cache = await caches.open(CACHE);
  // Files with a hash in their name may come from the browser's cache: the page has just loaded them.
  const fresh = (name) => (/-[0-9a-f]{8,}/.test(name) ? "default" : "no-cache");
  await cache.addAll(FILES.map(([name, integrity]) => new Request(name, { integrity, cache: fresh(name) })));
}

// The previous version stays for tabs that still use it.
async function tidy() {
  const others = (await caches.keys()).filter((name) => name.startsWith("opscope-") && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const isPage = [HOME, `${HOME}index.html`].includes(origin + pathname);
  const cache = await caches.open(CACHE);
  return (await cache.match(isPage ? HOME : request)) ?? (await caches.match(request)) ?? fetch(request);
}
