// Starts the app. It is a file of its own because the page's policy allows no inline script.
const url = (name) => JSON.stringify(new URL(name, document.baseURI));
const named = (name) => document.querySelector(`meta[name="${name}"]`);

// A worker from a `blob:` inherits the page's policy, one from a file has none: so the browser stops the worker's
// requests to other hosts, too.
const script = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
// The app starts what it finds in `content`. The worker starts the same script, with a name, when an archive comes: that
// one is the unpacker, which gets the compiled module from the worker.
const worker = named("opscope-worker");
const begin = `
  if (!name) (${showLife})();
  const module = name ? await new Promise((take) => (onmessage = ({ data }) => take(data))) : ${url(worker.dataset.wasm)};
  const { default: start } = await import(${url(worker.content)});
  await start({ module_or_path: module });`;
worker.content = script(begin);

// Runs in the worker before anything of it is fetched: takes a lock, and sends its name to the page, which waits for the
// lock. A browser may end a worker without an event, and messages are no sign of life: a worker that computes sends none.
// Without locks, the page learns only of ends that are events.
function showLife() {
  // Workers of other tabs have locks, too.
  const name = `opscope-worker-${Math.random()}`;
  // The lock is held until this promise is settled. It never is, and must not be collected before.
  self.opscopeLife = new Promise(() => {});
  const held = () => {
    postMessage({ lock: name });
    return self.opscopeLife;
  };
  const denied = () => postMessage({ lock: null });
  try {
    navigator.locks.request(name, held).catch(denied);
  } catch {
    denied();
  }
}

// One event tells the app that a newer version is available; the app asks for that version with another one.
const keeper = serviceWorkers();
const tell = () => dispatchEvent(new Event("opscope-renewed"));
// A browser that denies storage may throw here. Then the page works, but not offline.
function serviceWorkers() {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}
const newer = async () => (await keeper?.getRegistration())?.waiting;

// The newer version takes over from an idle page, not from one that starts: a browser may leave it waiting for half a
// minute when the older one, just stopped for it, is asked for another file. So the page reloads after 5 s at the
// latest.
async function renew() {
  const again = () => location.reload();
  const waiting = await newer();
  if (!waiting) return again();
  keeper.addEventListener("controllerchange", again, { once: true });
  setTimeout(again, 5000);
  waiting.postMessage("renew");
}
addEventListener("opscope-renew", renew);

try {
  const { content, dataset } = named("opscope-app");
  const wasm = new URL(dataset.wasm, document.baseURI);
  const app = await import(new URL(content, document.baseURI));
  // A server that sends another media type leaves the compilation to the app's script, which knows a slower way.
  const compiled = await WebAssembly.compileStreaming(fetch(wasm)).catch(() => wasm);
  // The worker's module comes while the page starts: a catalog that is dropped at once waits for it.
  fetch(worker.dataset.wasm).then((file) => file.blob(), console.info);
  // In one task with what follows, compiling would block the page for too long.
  await new Promise((resolve) => setTimeout(resolve));
  await app.default({ module_or_path: compiled });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Opscope could not start: ${error}. It needs a browser with WebAssembly.`;
  document.body.prepend(message);
  if (await newer()) setTimeout(renew, 2000);
  throw error;
}

// Only a release has a service worker. That of an older release would hide the page of `trunk serve`, so it is removed.
async function keep() {
  const script = named("opscope-offline")?.content;
  const home = new URL("./", document.baseURI).href;
  if (!script) {
    for (const kept of await keeper.getRegistrations()) if (kept.scope === home) await kept.unregister();
    return;
  }
  const registration = await keeper.register(script, { updateViaCache: "none" });
  const found = ({ target: { installing } }) =>
    installing.addEventListener("statechange", () => installing.state === "installed" && keeper.controller && tell());
  registration.addEventListener("updatefound", found);
  if (registration.waiting && keeper.controller) tell();
}

// Keeping the page can wait until it is drawn and has answered the first requests, but not for ever: a page that nobody looks at
// may never be idle.
const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 1000));
if (keeper) later(() => keep().catch((error) => console.info(`Opscope is not available offline: ${error}`)), { timeout: 5000 });
