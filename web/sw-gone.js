// In the place of `sw.js` while the page is being worked on: a release that was served from the same address before would
// be kept for ever, because only its own page asks for another version. Takes it out, and opens the page anew without it.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const kept = (await caches.keys()).filter((name) => name.startsWith("opscope-"));
  await Promise.all(kept.map((name) => caches.delete(name)));
  const pages = await clients.matchAll({ type: "window" });
  await registration.unregister();
  for (const page of pages) await page.navigate(page.url);
}
