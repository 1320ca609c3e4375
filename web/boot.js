// Starts the app. A file of its own, because the page's policy allows no inline script.
const url = (name) => JSON.stringify(new URL(name, document.baseURI));
const named = (name) => document.querySelector(`meta[name="${name}"]`);

// A worker from a `blob:` inherits the page's policy, one from a file has none: so the browser itself
// sees to it that the worker, too, reaches no other host. The app starts what it finds in `content`.
const worker = named("opscope-worker");
const start = `importScripts(${url(worker.content)}); wasm_bindgen({ module_or_path: ${url(worker.dataset.wasm)} });`;
worker.content = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));

// A newer version that has been waiting takes over as soon as the older one has given this page all its files, which it
// must have first: so the app starts, and starts again. What the address asked for is asked for again then.
const keeper = navigator.serviceWorker;
const address = location.href;
const startAgain = () => {
  history.replaceState(null, "", address);
  location.reload();
};
const takeOver = (waiting) => {
  keeper.addEventListener("controllerchange", startAgain, { once: true });
  waiting.postMessage("renew");
};
if (keeper?.controller) keeper.getRegistration().then((kept) => kept?.waiting && takeOver(kept.waiting));

try {
  const { content, dataset } = named("opscope-app");
  const app = await import(new URL(content, document.baseURI));
  await app.default({ module_or_path: new URL(dataset.wasm, document.baseURI) });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Opscope could not start: ${error}. It needs a browser with WebAssembly.`;
  document.body.prepend(message);
  throw error;
}

// Only a release has something to keep; what an older one kept would hide the page that is being worked on.
async function keep() {
  const script = named("opscope-offline")?.content;
  const home = new URL("./", document.baseURI).href;
  if (!script) {
    for (const kept of await keeper.getRegistrations()) if (kept.scope === home) await kept.unregister();
    return;
  }
  const registration = await keeper.register(script, { updateViaCache: "none" });
  registration.addEventListener("updatefound", () => {
    const next = registration.installing;
    const tell = () => next.state === "installed" && keeper.controller && dispatchEvent(new Event("opscope-renewed"));
    next?.addEventListener("statechange", tell);
  });
}

// The page comes first: it has drawn itself and has had time for what is asked of it.
const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 1000));
if (keeper) later(() => keep().catch((error) => console.info(`Opscope is not kept for visits without network: ${error}`)));
