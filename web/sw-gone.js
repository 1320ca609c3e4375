// Replaces `sw.js` under `trunk serve`: a release that was served from the same address before would stay for ever,
// because only its own page asks for a newer version. Deletes what it has kept, and reloads the page without it.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const kept = (await caches.keys()).filter((name) => name.startsWith("opscope-"));
  await Promise.all(kept.map((name) => caches.delete(name)));
  const pages = await clients.matchAll({ type: "window" });
  await registration.unregister();
  for (const page of pages) await page.navigate(page.url);
}
