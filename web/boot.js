// Starts the app. A file of its own, because the page's policy allows no inline script.
const url = (name) => JSON.stringify(new URL(name, document.baseURI));
const named = (name) => document.querySelector(`meta[name="${name}"]`);

// A worker from a `blob:` inherits the page's policy, one from a file has none: so the browser itself
// sees to it that the worker, too, reaches no other host. The app starts what it finds in `content`.
const worker = named("opscope-worker");
const start = `importScripts(${url(worker.content)}); wasm_bindgen({ module_or_path: ${url(worker.dataset.wasm)} });`;
worker.content = URL.createObjectURL(new Blob([start], { type: "text/javascript" }));

// An event tells the app that a newer version is here, and another one that it is asked for.
const keeper = navigator.serviceWorker;
const tell = () => dispatchEvent(new Event("opscope-renewed"));
const newer = async () => (await keeper?.getRegistration())?.waiting;

// The newer version takes over from a page at rest, not from one that starts: a browser may leave it waiting for half a
// minute when the older one, just stopped for it, is asked for one more file. Nobody is made to wait as long.
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
  const app = await import(new URL(content, document.baseURI));
  await app.default({ module_or_path: new URL(dataset.wasm, document.baseURI) });
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Opscope could not start: ${error}. It needs a browser with WebAssembly.`;
  document.body.prepend(message);
  if (await newer()) setTimeout(renew, 2000);
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
  const found = ({ target: { installing } }) =>
    installing.addEventListener("statechange", () => installing.state === "installed" && keeper.controller && tell());
  registration.addEventListener("updatefound", found);
  if (registration.waiting && keeper.controller) tell();
}

// The first text of a size and weight waits for the browser's other threads, which are all busy when the first catalog is
// dropped: the worker is being compiled then. So there is one of each on the page before, out of sight.
function meetFonts() {
  const fonts = ["11px var(--sans)", "600 11px var(--sans)", "600 12px var(--sans)"];
  fonts.push("11px var(--mono)", "600 12px var(--mono)", "600 16px var(--mono)");
  const sheet = document.createElement("div");
  sheet.className = "fonts";
  sheet.ariaHidden = "true";
  document.body.append(sheet);
  const next = () => {
    const line = document.createElement("p");
    line.style.font = fonts.pop();
    line.textContent = "0 →·…✕−";
    sheet.append(line);
    if (fonts.length) later(next);
  };
  later(next);
}

// The page comes first: it has drawn itself and has had time for what is asked of it.
const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 1000));
if (keeper) later(() => keep().catch((error) => console.info(`Opscope is not kept for visits without network: ${error}`)));
meetFonts();
